import type { Operation } from '../contract/defineOperation.ts'
import type { Priority } from '../rate-limit/gate.ts'
import { cacheKey, operationKey } from './cacheKey.ts'
import { type CallArguments, callOperation, type PetstoreClient } from './PetstoreClient.ts'
import { pageVisibility } from './pageVisibility.ts'

/** The part that is used of the context in which TanStack Query calls a `queryFn`. */
export interface PetstoreQueryContext {
  /** Aborted when nobody waits for the data any more. */
  readonly signal: AbortSignal
  /** The `QueryClient`: it says whether there are data already. */
  readonly client?: { readonly getQueryData: (queryKey: readonly unknown[]) => unknown }
}

/** Options for `useQuery` and its relatives of TanStack Query. */
export interface PetstoreQuery<Output> {
  /** Names the scope of the client, the operation and its input. It shows neither the API key nor the address. */
  readonly queryKey: readonly ['petstore', scope: string, operation: string, input: unknown]
  /** Makes the call. Rejects with a `PetstoreError`, or with an `AbortError`. */
  readonly queryFn: (context: PetstoreQueryContext) => Promise<Output>
  /** The gate and the client repeat what is safe to repeat, so the query does not. */
  readonly retry: false
}

/** Options for `useMutation` of TanStack Query. */
export interface PetstoreMutation<Input, Output> {
  /** Names the scope of the client and the operation. */
  readonly mutationKey: readonly ['petstore', scope: string, operation: string]
  /** Makes the call. Rejects with a `PetstoreError`. */
  readonly mutationFn: (input: Input) => Promise<Output>
  /** A change whose outcome is not known must not be sent twice. */
  readonly retry: false
}

/**
 * Describes a query for TanStack Query: its requests go through the gate of the client. The first load ranks as a person's
 * request; what loads data again, or is asked by a page that nobody looks at, leaves the quota to people. Add a `staleTime`:
 * by default, every mount asks again.
 *
 * @example
 * const { data } = useQuery({ ...petstoreQuery(client, operations.listCategories), staleTime: 30_000 })
 */
export function petstoreQuery<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  ...[input]: CallArguments<NoInfer<Input>, never>
): PetstoreQuery<Output> {
  const queryKey = cacheKey(client, operation, input)
  return {
    queryKey,
    queryFn: async ({ signal, client: queries }) => {
      const isAwaited = queries?.getQueryData(queryKey) === undefined
      const visibility = pageVisibility()
      const isActive = visibility.isActive()
      const call = (priority: Priority) => callOperation(client, operation, input, { signal, priority })
      // A call of a person that joins the request lifts it.
      const stopLifting =
        isAwaited && !isActive ? visibility.subscribe(() => void call('user').catch(() => {})) : () => {}
      return call(isAwaited && isActive ? 'user' : 'background').finally(stopLifting)
    },
    retry: false,
  }
}

/**
 * Describes a mutation for TanStack Query: its requests go through the gate of the client, and nothing is sent twice.
 *
 * @example
 * const { mutate } = useMutation(petstoreMutation(client, operations.createCategory))
 */
export function petstoreMutation<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
): PetstoreMutation<Input, Output> {
  return {
    mutationKey: ['petstore', client.scope, operationKey(operation)],
    mutationFn: (input) => callOperation(client, operation, input, {}),
    retry: false,
  }
}

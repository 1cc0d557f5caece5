import { type Operation, requireSafe } from '../contract/defineOperation.ts'
import { cacheKey, operationKey } from './cacheKey.ts'
import { callForPage } from './callForPage.ts'
import { type CallArguments, callOperation, type PetstoreClient } from './PetstoreClient.ts'

/** The fields of TanStack Query's `queryFn` context that are used here. */
export interface PetstoreQueryContext {
  /** Aborted when nobody waits for the data anymore. */
  readonly signal: AbortSignal
  /** The `QueryClient`. A load is the first one if it has no data yet. Without it, every load counts as a first one. */
  readonly client?: { readonly getQueryData: (queryKey: readonly unknown[]) => unknown }
}

/** Options for `useQuery` and related hooks of TanStack Query. */
export interface PetstoreQuery<Output> {
  /** Contains the scope of the client, the operation and its input, never the API key or the base address. */
  readonly queryKey: readonly ['petstore', scope: string, operation: string, input: unknown]
  /** Makes the call. Rejects with a `PetstoreError`, or with an `AbortError`. */
  readonly queryFn: (context: PetstoreQueryContext) => Promise<Output>
  /** The client already retries what is safe to retry. */
  readonly retry: false
}

/** Options for `useMutation` of TanStack Query. */
export interface PetstoreMutation<Input, Output> {
  /** The scope of the client, and the operation. */
  readonly mutationKey: readonly ['petstore', scope: string, operation: string]
  /** Makes the call. Rejects with a `PetstoreError`, or with an `AbortError` when the client is cleared or closed. */
  readonly mutationFn: (input: Input) => Promise<Output>
  /** A change whose outcome is not known must not be sent twice. */
  readonly retry: false
}

/**
 * Describes a query for TanStack Query: its requests go through the gate of the client. The first load has
 * the priority `user`. Later loads, and loads while the page is hidden or without the focus, have the priority `background`.
 * Add a `staleTime`: by default, every mount loads again.
 *
 * @throws TypeError for an operation that changes something
 * @example
 * const { data } = useQuery({ ...petstoreQuery(client, operations.listCategories), staleTime: 30_000 })
 */
export function petstoreQuery<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  ...[input]: CallArguments<NoInfer<Input>, never>
): PetstoreQuery<Output> {
  requireSafe(operation, 'petstoreMutation')
  const queryKey = cacheKey(client, operation, input)
  return {
    queryKey,
    queryFn: ({ signal, client: queryClient }) => {
      const isFirstLoad = queryClient?.getQueryData(queryKey) === undefined
      return callForPage(client, operation, input, isFirstLoad, { signal })
    },
    retry: false,
  }
}

/**
 * Describes a mutation for TanStack Query: its requests go through the gate of the client. A request that the service refused
 * because of the request limit or an expired key is sent again. One that may have been carried out is not, unless its
 * operation has `replay: 'safe'`.
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

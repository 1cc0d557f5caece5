'use client'

import type { PetstoreError } from '../client/errors.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { callOperation } from './callOperation.ts'
import type { MutationState } from './mutationObserver.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useMutation } from './useMutation.ts'

/** How a mutation behaves. */
export interface UsePetstoreMutationOptions<Input, Output> {
  /** Told of each success, before `trigger` resolves; also once the component is gone. */
  readonly onSuccess?: ((data: Output, input: Input) => void) | undefined
  /** Told of each failure, before `trigger` settles; also once the component is gone. Not of cancelled calls. */
  readonly onError?: ((error: PetstoreError, input: Input) => void) | undefined
  /**
   * `false`: where `trigger` would reject, it resolves with `undefined`, as suits handlers that do not wait for it.
   * Mistakes in the code, such as a missing `quickstartBaseUrl`, reject all the same. Default `true`.
   */
  readonly throwOnError?: boolean | undefined
}

/** `trigger` without an argument where the operation takes none. */
export type Trigger<Input, Settled> = undefined extends Input
  ? (input?: Input) => Promise<Settled>
  : (input: Input) => Promise<Settled>

/** State of the latest call, and what can be done. */
export type UsePetstoreMutationResult<Input, Output, Settled = Output> = MutationState<Input, Output> & {
  /** Whether the latest call is under way, sent or held back. */
  readonly isMutating: boolean
  /**
   * Makes the call. Settles with what becomes of this very call, whatever is triggered after it: rejects with a
   * `PetstoreError`, or an `AbortError` when cancelled. The same function for as long as the client is the same.
   */
  readonly trigger: Trigger<Input, Settled>
  /** Cancels all calls of this hook that are under way. One that has left may have reached the service. */
  readonly cancel: () => void
  /** Back to `idle`. Calls under way go on, unseen. */
  readonly reset: () => void
}

/**
 * Calls any operation that changes something, also your own (`defineOperation`), when asked to. The input is checked by
 * the operation's schema before anything is sent; what may have been done is never sent twice.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function usePetstoreMutation<Input, Output>(
  operation: Operation<Input, Output>,
  options?: UsePetstoreMutationOptions<Input, Output> & { readonly throwOnError?: true | undefined },
): UsePetstoreMutationResult<Input, Output>
export function usePetstoreMutation<Input, Output>(
  operation: Operation<Input, Output>,
  options: UsePetstoreMutationOptions<Input, Output>,
): UsePetstoreMutationResult<Input, Output, Output | undefined>
export function usePetstoreMutation<Input, Output>(
  operation: Operation<Input, Output>,
  options: UsePetstoreMutationOptions<Input, Output> = {},
): UsePetstoreMutationResult<Input, Output, Output | undefined> {
  const { client } = usePetstoreContext('usePetstoreMutation')
  return useMutation(
    client,
    (caller, input, callOptions) => callOperation(caller, operation, input, callOptions),
    options,
  )
}

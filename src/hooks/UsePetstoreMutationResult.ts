import type { PetstoreError } from '../client/errors.ts'
import type { MutationCall, MutationState, TriggerOptions } from './mutationObserver.ts'

/** A function that starts a call. It needs no input if the operation takes none. */
export type Trigger<Input, Settled> = undefined extends Input
  ? (input?: Input, options?: TriggerOptions) => Promise<Settled>
  : (input: Input, options?: TriggerOptions) => Promise<Settled>

/** What became of one call: `data`, or `error`, or neither if the call was canceled. */
export type TriggerResult<Output> =
  | { readonly data: Output; readonly error: undefined }
  | { readonly data: undefined; readonly error: PetstoreError | undefined }

/** The state of the latest call, and the functions that start and end calls. */
export type UsePetstoreMutationResult<Input, Output, Settled = Output> = MutationState<Input, Output> & {
  /** Whether the latest call is in progress: `sending` or `waiting`. */
  readonly isMutating: boolean
  /** All calls of this hook that are in progress, oldest first. */
  readonly calls: readonly MutationCall<Input>[]
  /**
   * Starts a call. The promise settles with the outcome of this call, even if another one starts later: it rejects with
   * a `PetstoreError`, or with an `AbortError` when the call is canceled. The function stays the same as long as the
   * client stays the same. Once the provider has another address, key or scope, or is gone, it sends nothing and rejects
   * with an `AbortError`.
   */
  readonly trigger: Trigger<Input, Settled>
  /**
   * Starts a call, and resolves with its outcome, as for React's `useActionState`. It rejects only for mistakes in the
   * code, such as a missing `quickstartBaseUrl`. The function stays the same as long as the client stays the same.
   */
  readonly triggerResult: Trigger<Input, TriggerResult<Output>>
  /** Cancels all calls of this hook that are in progress. A request that was sent may have reached the service. */
  readonly cancel: () => void
  /** Returns to `idle`. Calls in progress continue, but their outcome is not shown. */
  readonly reset: () => void
}

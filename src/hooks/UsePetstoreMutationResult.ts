import type { MutationState } from './mutationObserver.ts'

/** `trigger` takes no argument if the operation takes no input. */
export type Trigger<Input, Settled> = undefined extends Input
  ? (input?: Input) => Promise<Settled>
  : (input: Input) => Promise<Settled>

/** The state of the latest call, and the functions that start and end calls. */
export type UsePetstoreMutationResult<Input, Output, Settled = Output> = MutationState<Input, Output> & {
  /** Whether the latest call is in progress: `sending` or `waiting`. */
  readonly isMutating: boolean
  /**
   * Starts a call. The promise settles with the outcome of this call, even if another one starts later: it rejects with
   * a `PetstoreError`, or with an `AbortError` when the call is canceled. The function stays the same as long as the
   * client stays the same.
   */
  readonly trigger: Trigger<Input, Settled>
  /** Cancels all calls of this hook that are in progress. A request that was sent may have reached the service. */
  readonly cancel: () => void
  /** Returns to `idle`. Calls in progress continue, but their outcome is not shown. */
  readonly reset: () => void
}

import type { OnWait, WaitReason } from '../rate-limit/pendingRequest.ts'

/** When a call that waits leaves, and why it waits: the same fields in the results of all hooks. */
export interface CallWait {
  /** When the request leaves, in epoch ms. */
  readonly retryAt: number
  /** Why the request waits. */
  readonly waitReason: WaitReason
  /** Whether the request may also leave later than `retryAt`: nobody knows yet what is left by then. */
  readonly isRetryAtEarliest: boolean
}

/** The same fields of a call that does not wait. */
export const noCallWait = { retryAt: undefined, waitReason: undefined, isRetryAtEarliest: false } as const

/** The fields for what a client tells its `onWait`. An app's own client may tell the time only. */
export function callWait(
  ...[until, waitReason = 'rate-limit', isEarliest = false]: Parameters<OnWait>
): CallWait | undefined {
  return until === undefined ? undefined : { retryAt: until, waitReason, isRetryAtEarliest: isEarliest }
}

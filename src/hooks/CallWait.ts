import type { OnWait, WaitReason } from '../rate-limit/pendingRequest.ts'

/** When a call that waits leaves, and why it waits: `wait` in the results of all hooks. */
export interface CallWait {
  /** When the request leaves, in epoch ms. */
  readonly until: number
  /** Why the request waits. */
  readonly reason: WaitReason
  /** Whether the request may also leave later than `until`: nobody knows yet what is left by then. */
  readonly isEarliest: boolean
}

/** What a client tells its `onWait`. An app's own client may tell the time only. */
export function callWait(
  ...[until, reason = 'rate-limit', isEarliest = false]: Parameters<OnWait>
): CallWait | undefined {
  return until === undefined ? undefined : { until, reason, isEarliest }
}

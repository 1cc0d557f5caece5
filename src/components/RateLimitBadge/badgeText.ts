import type { RateLimitBadgeLabels } from '../../labels/en.ts'
import { type Formats, isAnotherDay } from '../../labels/formats.ts'
import { isLongWait, unbroken, type WaitLabel, waitText } from '../../labels/waitText.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import type { KeyState } from '../keyState.ts'

/** The state that the badge shows: that of the quota, or one that the quota does not tell. */
export type BadgeStatus = RateLimitState['status'] | 'connection' | 'rejected' | 'idle'

export type BadgeText = ReturnType<typeof badgeText>

export function badgeStatus(
  { status, limit, waitReason, retryAt = 0 }: RateLimitState,
  { isRejected, isBusy, hasResponse, pausedUntil }: KeyState,
): BadgeStatus {
  if (isRejected) return 'rejected'
  if (waitReason === 'connection') return waitReason
  // A wait until another day is for the daily limit, as `ErrorNotice` says, too, unless the service has paused the key.
  if (status === 'cooling-down' && isAnotherDay(retryAt) && Date.now() >= pausedUntil) return 'exhausted'
  if (status !== 'unknown' || (isBusy && !hasResponse)) return status
  // `unknown` after a response: its window has ended, and only `limit` is left of it, or it showed no limit.
  return hasResponse || limit !== undefined ? 'ok' : 'idle'
}

/**
 * The texts of the badge, each empty if there is nothing to say.
 *
 * @param seconds - until the next request leaves, or, with the status `low`, until the window ends. `undefined` while no clock
 *   may be read, on a server and during hydration
 */
export function badgeText(
  rateLimit: RateLimitState,
  { status, waiting }: { readonly status: BadgeStatus; readonly waiting: number },
  seconds: number | undefined,
  labels: RateLimitBadgeLabels,
  format: Formats,
) {
  const { retryAt, resetAt } = rateLimit
  const isPaused = status === 'cooling-down'
  const untilLabel = isPaused ? labels.pausedUntil : status === 'exhausted' ? labels.exhaustedUntil : undefined
  // The text of the state has the time of a long wait, which is not shown twice.
  const stateHasTime = untilLabel !== undefined && retryAt !== undefined && seconds !== undefined && isLongWait(seconds)
  const countdown = (label: WaitLabel, until: number) =>
    seconds === undefined ? '' : waitText(label, until, format, seconds)
  function timeText(): string {
    const label = status === 'connection' ? labels.retryingIn : labels.nextIn
    if (retryAt !== undefined) return stateHasTime ? '' : countdown(label, retryAt)
    if (resetAt === undefined) return ''
    if (status !== 'low') return labels.resetsAt(unbroken(format.when(resetAt)))
    return countdown((wait, time) => (time ? labels.resetsAt(time) : labels.resetsIn(wait)), resetAt)
  }
  return {
    state: stateHasTime ? untilLabel(unbroken(format.until(retryAt))) : labels[isPaused ? 'coolingDown' : status],
    remaining: status === 'rejected' ? '' : remainingText(rateLimit, labels, format),
    /** A hint, or when the next request leaves, or else when the window ends. Empty if `state` has the time. */
    time: hintText(rateLimit, status, labels) || timeText(),
    /** How many calls wait, if any do. */
    waiting: retryAt !== undefined && waiting > 0 ? labels.waiting(waiting, format) : '',
  }
}

/** What has to come before the badge can show the quota: a valid key, or the next response. */
function hintText({ limit, remaining }: RateLimitState, status: BadgeStatus, labels: RateLimitBadgeLabels): string {
  if (status === 'rejected') return labels.waitsForKey
  return status === 'ok' && limit !== undefined && remaining === undefined ? labels.waitsForNext : ''
}

function remainingText({ limit, remaining }: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): string {
  if (remaining === undefined) return ''
  return limit === undefined ? labels.remainingOnly(remaining, format) : labels.remaining(remaining, limit, format)
}

/** "12/60": how many are left, in the compact badge. */
export function shortText({ limit, remaining }: RateLimitState, { number }: Formats): string {
  if (remaining === undefined) return '–'
  return limit === undefined ? number(remaining) : `${number(remaining)}/${number(limit)}`
}

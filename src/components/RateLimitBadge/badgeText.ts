import type { RateLimitBadgeLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import { isLongWait, type WaitLabel, waitText } from '../../labels/waitText.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import type { KeyState } from '../keyState.ts'

/** The state that the badge shows. Requests that fail, or a key that is refused, have nothing to do with the quota. */
export type BadgeStatus = RateLimitState['status'] | 'connection' | 'service' | 'rejected' | 'idle'

/** The texts of the badge. A text is empty if there is nothing to say. */
export interface BadgeText {
  /** With the time of a long wait. */
  readonly state: string
  /** How many requests are left. */
  readonly remaining: string
  /** What the badge waits for before it knows a quota. */
  readonly hint: string
  /** When the next request leaves. */
  readonly resumes: string
  /** How many calls wait. */
  readonly waiting: string
  /** When the quota is whole again. */
  readonly resets: string
}

export function badgeStatus(
  { status, limit, waitReason }: RateLimitState,
  { isRejected, isAsking }: Pick<KeyState, 'isRejected' | 'isAsking'>,
): BadgeStatus {
  if (isRejected) return 'rejected'
  // A limit without what is left of it comes from a window that has ended.
  if (status === 'unknown' && !isAsking) return limit === undefined ? 'idle' : 'ok'
  return waitReason === 'connection' || waitReason === 'service' ? waitReason : status
}

/** The end of the window, unless it says nothing: a request has to wait for something else, or no quota holds. */
export function resetOf({ retryAt, resetAt }: RateLimitState, status: BadgeStatus): number | undefined {
  return retryAt !== undefined || status === 'rejected' ? undefined : resetAt
}

/**
 * @param seconds - until the next request leaves
 * @param secondsToReset - until the end of the window. Both are `undefined` while no clock may be read
 */
export function badgeText(
  rateLimit: RateLimitState,
  { status, waiting }: { readonly status: BadgeStatus; readonly waiting: number },
  { seconds, secondsToReset }: { readonly seconds: number | undefined; readonly secondsToReset?: number | undefined },
  labels: RateLimitBadgeLabels,
  format: Formats,
): BadgeText {
  const { retryAt } = rateLimit
  const reset = resetOf(rateLimit, status)
  const isPaused = status === 'cooling-down'
  const untilLabel = isPaused ? labels.pausedUntil : status === 'exhausted' ? labels.exhaustedUntil : undefined
  const isFailing = status === 'connection' || status === 'service'
  const nextIn = isFailing ? labels.retryingIn : labels.nextIn
  const countdown = (label: WaitLabel, until: number, left: number | undefined) =>
    left === undefined ? '' : waitText(label, until, format, left)
  // The state has the time of a long wait, and each time is told once.
  const isTold = untilLabel !== undefined && seconds !== undefined && isLongWait(seconds)
  return {
    state:
      isTold && retryAt !== undefined ? untilLabel(format.until(retryAt)) : labels[isPaused ? 'coolingDown' : status],
    remaining: status === 'rejected' ? '' : remainingText(rateLimit, labels, format),
    hint: status === 'rejected' ? labels.waitsForKey : status === 'unknown' ? labels.waitsForResponse : '',
    resumes: retryAt === undefined || isTold ? '' : countdown((wait) => nextIn(wait), retryAt, seconds),
    waiting: retryAt !== undefined && (isPaused || waiting > 0) ? labels.waiting(waiting, format) : '',
    resets:
      reset === undefined
        ? ''
        : status === 'low'
          ? countdown((wait, time) => (time ? labels.resetsAt(time) : labels.resetsIn(wait)), reset, secondsToReset)
          : labels.resetsAt(format.when(reset)),
  }
}

function remainingText({ limit, remaining }: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): string {
  if (remaining === undefined) return ''
  return limit === undefined ? labels.remainingOnly(remaining, format) : labels.remaining(remaining, limit, format)
}

/** "12/60": how many are left, in the compact badge. */
export function shortText({ limit, remaining }: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): string {
  if (remaining === undefined) return '–'
  return limit === undefined ? format.number(remaining) : labels.remainingShort(remaining, limit, format)
}

import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'

/** What the badge says: how much is left, or that requests fail, which has nothing to do with the quota. */
export type BadgeStatus = RateLimitState['status'] | 'connection' | 'service'

export function badgeStatus({ status, waitReason }: RateLimitState): BadgeStatus {
  return waitReason === 'connection' || waitReason === 'service' ? waitReason : status
}

export interface RateLimitText {
  readonly state: string
  readonly remaining: string
  readonly short: string
  readonly resetsAt: string
}

/** The texts of the badge. A text is empty if its value is unknown. */
export function rateLimitText(rateLimit: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): RateLimitText {
  const { limit, remaining, resetAt } = rateLimit
  const status = badgeStatus(rateLimit)
  const state = labels[status === 'cooling-down' ? 'coolingDown' : status]
  const resetsAt = resetAt === undefined ? '' : labels.resetsAt(format.when(resetAt))
  if (remaining === undefined) return { state, resetsAt, remaining: '', short: '–' }
  if (limit === undefined) {
    return { state, resetsAt, remaining: labels.remainingOnly(remaining, format), short: format.number(remaining) }
  }
  return {
    state,
    resetsAt,
    remaining: labels.remaining(remaining, limit, format),
    short: labels.remainingShort(remaining, limit, format),
  }
}

import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'

export interface RateLimitText {
  readonly state: string
  readonly remaining: string
  readonly short: string
  readonly resetsAt: string
}

/** The texts of the badge. A text is empty if its value is unknown. */
export function rateLimitText(
  { status, limit, remaining, resetAt }: RateLimitState,
  labels: RateLimitBadgeLabels,
  format: Formats,
): RateLimitText {
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

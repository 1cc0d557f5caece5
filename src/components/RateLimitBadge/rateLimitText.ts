import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'

interface RateLimitText {
  readonly state: string
  readonly remaining: string
  readonly short: string
  readonly resetsAt: string
}

/** What the badge says; an empty text where there is nothing to say. */
export function rateLimitText(
  { status, limit, remaining, resetAt }: RateLimitState,
  labels: RateLimitBadgeLabels,
  format: Formats,
): RateLimitText {
  const state = labels[status === 'cooling-down' ? 'coolingDown' : status]
  const resetsAt = resetAt === undefined ? '' : labels.resetsAt(format.time(wholeMinute(resetAt)))
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

/** Written without its seconds, a time must not be too early; but those few that the gate adds make no new minute. */
function wholeMinute(epoch: number): number {
  return Math.ceil((epoch - 5_000) / 60_000) * 60_000
}

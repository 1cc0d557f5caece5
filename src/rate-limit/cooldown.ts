import type { ClockSkew, GateRecord } from './GateRecord.ts'
import { day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** The shortest cool-down, in ms; doubled with each consecutive refusal. */
const minCooldown = 1_000
/** Further refusals make no wait longer. */
export const maxConsecutiveRefusals = 6

/** Whether a response asks the client to wait. A Retry-After on any error is about the key or the whole service. */
export function isRefusal(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status === 429 || (status >= 400 && (retryIn ?? retryDate) !== undefined)
}

/**
 * Whether a request failed without an explanation: no response that can be read, or a gateway's. It may be a refusal: a
 * page cannot read a 429 without CORS headers, and nginx refuses with a bare 503.
 */
export function isUnexplainedFailure(status: number, headers: RateLimitHeaders): boolean {
  const { limit, remaining, resetAt, retryIn, retryDate } = headers
  const isBare = (limit ?? remaining ?? resetAt ?? retryIn ?? retryDate) === undefined
  return status === 0 || (isBare && status >= 502 && status <= 504)
}

/**
 * How long nothing leaves after that many failures in a row, in ms. A page that cannot read a 429 sends three probes into
 * its minute; twice as long each time would be five, and services ban a key for less.
 */
export function failurePause(consecutiveFailures: number): number {
  return consecutiveFailures < 2 ? 0 : Math.min(minute, minCooldown * 4 ** (consecutiveFailures - 2))
}

/** How long nothing leaves after a refusal, in ms. */
export function cooldownLength(
  rateLimitHeaders: RateLimitHeaders,
  skew: ClockSkew,
  consecutiveRefusals: number,
  now: number,
): number {
  const timeUntil = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.min - now)
  const retryAfter = Math.max(rateLimitHeaders.retryIn ?? -1, timeUntil(rateLimitHeaders.retryDate))
  const reset = timeUntil(rateLimitHeaders.resetAt)
  // The wait lasts until the latest possible reset, but the earliest possible one has to lie within a day.
  const believable = reset > 0 && reset - (skew.max - skew.min) <= day ? reset : undefined
  // With nothing left before the reset, a shorter Retry-After would only lead to the next refusal.
  const untilReset = rateLimitHeaders.remaining === 0 ? (believable ?? 0) : 0
  // The shortest window of the plans is a minute: a shorter guess would send during a cool-down.
  const wait = retryAfter >= 0 ? Math.max(retryAfter, untilReset) : (believable ?? minute * 2 ** consecutiveRefusals)
  return Math.min(day, Math.max(wait, minCooldown * 2 ** consecutiveRefusals))
}

/** Counts a cool-down that starts now: one more than last time, one less for each minute without a cool-down. */
export function nextConsecutiveRefusals(record: GateRecord, now: number): number {
  const { consecutiveRefusals, cooldownStartedAt, cooldownUntil } = record
  if (cooldownStartedAt === 0) return 0
  const calmMinutes = Math.floor(Math.max(0, now - cooldownUntil) / minute)
  return Math.min(maxConsecutiveRefusals, Math.max(0, consecutiveRefusals + 1 - calmMinutes))
}

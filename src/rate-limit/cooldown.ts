import type { ClockSkew, GateRecord } from './GateRecord.ts'
import { day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** The shortest cool-down, in ms; doubled with each consecutive 429. */
const minCooldown = 1_000
/** Further 429s make no wait longer. */
export const maxConsecutive429s = 6

/** How long nothing leaves after a 429, in ms. */
export function cooldownLength(
  rateLimitHeaders: RateLimitHeaders,
  skew: ClockSkew,
  consecutive429s: number,
  now: number,
): number {
  const timeUntil = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.min - now)
  const retryAfter = Math.max(rateLimitHeaders.retryIn ?? -1, timeUntil(rateLimitHeaders.retryDate))
  const reset = timeUntil(rateLimitHeaders.resetAt)
  // The wait lasts until the latest possible reset, but the earliest possible one has to lie within a day.
  const believable = reset > 0 && reset - (skew.max - skew.min) <= day ? reset : undefined
  // With nothing left before the reset, a shorter Retry-After would only lead to the next 429.
  const untilReset = rateLimitHeaders.remaining === 0 ? (believable ?? 0) : 0
  // The shortest window of the plans is a minute: a shorter guess would send during a cool-down.
  const wait = retryAfter >= 0 ? Math.max(retryAfter, untilReset) : (believable ?? minute * 2 ** consecutive429s)
  return Math.min(day, Math.max(wait, minCooldown * 2 ** consecutive429s))
}

/** Counts a cool-down that starts now: one more than last time, one less for each minute without a cool-down. */
export function nextConsecutive429s(record: GateRecord, now: number): number {
  const { consecutive429s, cooldownStartedAt, cooldownUntil } = record
  if (cooldownStartedAt === 0) return 0
  const calmMinutes = Math.floor(Math.max(0, now - cooldownUntil) / minute)
  return Math.min(maxConsecutive429s, Math.max(0, consecutive429s + 1 - calmMinutes))
}

import type { ClockSkew, GateRecord } from './GateRecord.ts'
import { day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** The shortest cool-down, in ms; doubled with each consecutive refusal. */
const minCooldown = 1_000
/** Further refusals make no wait longer. */
export const maxConsecutiveRefusals = 6

/** Whether a response says that the key has to wait: a 429, or a ban with its end. */
export function isRefusal(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status === 429 || (status === 403 && (retryIn ?? retryDate) !== undefined)
}

/** Whether a response asks to leave its address alone for a time: that says nothing about other addresses. */
export function holdsAddress(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status >= 400 && status !== 429 && status !== 403 && (retryIn ?? retryDate) !== undefined
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

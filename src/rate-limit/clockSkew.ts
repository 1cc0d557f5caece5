import { type ClockSkew, unknownClockSkew } from './GateRecord.ts'
import { type CustomRate, windowLength } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** Times in headers are whole seconds, rounded up or down. */
const second = 1_000

interface Evidence {
  readonly rateLimitHeaders: RateLimitHeaders
  /** Whether it was a 429: another refusal's Retry-After does not belong to the reset. */
  readonly refused: boolean
  /** The service made the response between these two times (epoch ms). */
  readonly sentAt: number
  readonly receivedAt: number
  readonly pace: CustomRate
}

/**
 * Narrows the skew of the service's clock by a response. Its Date tells the clock to the second. Without one, the reset
 * bounds it: it lies ahead of the clock by at most its window, or by exactly the Retry-After of the same limit.
 */
export function learnClockSkew(
  known: ClockSkew,
  { rateLimitHeaders, refused, sentAt, receivedAt, pace }: Evidence,
): ClockSkew {
  const between = (earliest: number, latest: number): ClockSkew => ({
    min: earliest - receivedAt,
    max: latest - sentAt,
  })
  const { date, resetAt: reset, retryIn, limit, remaining = 0 } = rateLimitHeaders
  if (date !== undefined) return narrow(withoutAssumption(known), between(date, date + second))
  if (reset === undefined) return known

  const window = windowLength(limit, pace)
  const bounded = narrow(known, between(reset - window - second, reset + second))
  // With units left, another limit refused the request, and its Retry-After does not belong to this reset.
  if (!refused || remaining > 0 || retryIn === undefined || retryIn > window) return bounded
  // The bounds win over a Retry-After that contradicts them.
  return narrow(between(reset - retryIn - second, reset - retryIn + second), bounded)
}

/** Drops the bounds of `unknownClockSkew`: a Date may contradict that assumption. */
function withoutAssumption({ min, max }: ClockSkew): ClockSkew {
  return {
    min: min === unknownClockSkew.min ? Number.NEGATIVE_INFINITY : min,
    max: max === unknownClockSkew.max ? Number.POSITIVE_INFINITY : max,
  }
}

/** Intersects two bounds. Bounds that do not overlap mean that a clock was set: the newer ones count. */
function narrow(known: ClockSkew, newer: ClockSkew): ClockSkew {
  const min = Math.max(known.min, newer.min)
  const max = Math.min(known.max, newer.max)
  return min <= max ? { min, max } : newer
}

import { type ClockSkew, unknownClockSkew } from './GateRecord.ts'
import { type Pace, windowLength } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** Clocks in headers count whole seconds, rounded in either direction. */
const second = 1_000

interface Evidence {
  readonly rateLimitHeaders: RateLimitHeaders
  readonly refused: boolean
  /** Epoch ms: the response was made between these two. */
  readonly sentAt: number
  readonly receivedAt: number
  readonly pace: Pace
}

/**
 * What a response teaches about the service's clock. Best of all is its Date; else a reset lies ahead of that clock, by
 * its window at most, and a Retry-After that goes with it says by how much.
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
  if (date !== undefined) return narrow(proven(known), between(date, date + second))
  if (reset === undefined) return known

  const window = windowLength(limit, pace)
  const bounded = narrow(known, between(reset - window - second, reset + second))
  // With units left it is another limit that refused, and its wait has nothing to do with this reset.
  if (!refused || remaining > 0 || retryIn === undefined || retryIn > window) return bounded
  // What contradicts the bounds teaches nothing.
  return narrow(between(reset - retryIn - second, reset - retryIn + second), bounded)
}

/** Without what is only assumed of an unknown clock: a date may tell otherwise. */
function proven({ min, max }: ClockSkew): ClockSkew {
  return {
    min: min === unknownClockSkew.min ? Number.NEGATIVE_INFINITY : min,
    max: max === unknownClockSkew.max ? Number.POSITIVE_INFINITY : max,
  }
}

/** Where both cannot be true, a clock was set: the newer one counts. */
function narrow(known: ClockSkew, newer: ClockSkew): ClockSkew {
  const min = Math.max(known.min, newer.min)
  const max = Math.min(known.max, newer.max)
  return min <= max ? { min, max } : newer
}

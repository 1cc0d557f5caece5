import { describe, expect, it } from 'vitest'
import { unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { learnClockSkew, type RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'

const pace = paceOf('free')
const sentAt = 1_000_000_000_000
const receivedAt = sentAt + 100
const learn = (rateLimitHeaders: RateLimitHeaders, refused = false, known = unknownClockSkew) =>
  learnClockSkew(known, rateLimitHeaders, { status: refused ? 429 : 200, sentAt, receivedAt }, pace)

describe('the skew, from a response with a Date', () => {
  it('is known to a second and the time that the request was in flight', () => {
    expect(learn({ date: sentAt + 90_000 })).toEqual({ min: 90_000 - 100, max: 91_000 })
  })

  it('is no longer assumed to be within two minutes if the Date contradicts that', () => {
    expect(learn({ date: sentAt - 120_400 })).toEqual({ min: -120_500, max: -119_400 })
    expect(learn({ date: sentAt + 119_500 })).toEqual({ min: 119_400, max: 120_500 })
  })

  it('lies within the bounds of all responses', () => {
    const first = learn({ date: sentAt + 1_000 })
    expect(first).toEqual({ min: 900, max: 2_000 })
    expect(learn({ date: sentAt + 2_000 }, false, first)).toEqual({ min: 1_900, max: 2_000 })
    expect(learn({ date: sentAt + 500 }, false, first)).toEqual({ min: 900, max: 1_500 })
  })

  it('does not depend on the other headers', () => {
    const rateLimitHeaders = { date: sentAt, limit: 60, resetAt: sentAt + 500_000, retryIn: 1_000 }
    expect(learn(rateLimitHeaders, true)).toEqual(learn({ date: sentAt }))
  })
})

describe('the skew, from a response without a Date', () => {
  it('is assumed to be within two minutes', () => {
    expect(learn({})).toEqual({ min: -120_000, max: 120_000 })
    expect(learn({ retryIn: 1_000 }, true)).toEqual(unknownClockSkew)
  })

  it('is bounded by the reset, which is ahead of the service’s clock by one window at most', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 30_000 }
    // The reset less a window, a second of rounding, and 100 ms in flight.
    expect(learn(rateLimitHeaders)).toEqual({ min: 30_000 - 60_000 - 1_000 - 100, max: 31_000 })
  })

  it('is known to two seconds from the reset of a 429 and its Retry-After in seconds', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 90_000 + 40_000, retryIn: 40_000 }
    expect(learn(rateLimitHeaders, true)).toEqual({ min: 90_000 - 1_000 - 100, max: 91_000 })
  })

  it('does not depend on a Retry-After if units are left: another limit refused the request', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 50_000, retryIn: 40_000 }
    expect(learn({ ...rateLimitHeaders, remaining: 0 }, true)).toEqual(learn(rateLimitHeaders, true))
    expect(learn({ ...rateLimitHeaders, remaining: 1 }, true)).toEqual(learn(rateLimitHeaders, false))
  })

  it('does not depend on a Retry-After without a 429, beyond the window, or against the known bounds', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 50_000 }
    const bounded = learn(rateLimitHeaders)
    expect(learn({ ...rateLimitHeaders, retryIn: 40_000 }, false)).toEqual(bounded)
    expect(learn({ ...rateLimitHeaders, retryIn: 60_001 }, true)).toEqual(bounded)
    expect(learn({ ...rateLimitHeaders, retryIn: 60_000 }, true)).not.toEqual(bounded)
    const known = { min: 45_000, max: 46_000 }
    expect(learn({ ...rateLimitHeaders, retryIn: 40_000 }, true, known)).toEqual(known)
  })
})

it('the skew has only the newer bounds if they contradict the known ones: a clock was set', () => {
  const known = { min: 0, max: 1_000 }
  expect(learn({ date: sentAt + 5_000 }, false, known)).toEqual({ min: 4_900, max: 6_000 })
  expect(learn({ date: sentAt + 1_100 }, false, known)).toEqual({ min: 1_000, max: 1_000 })
  expect(learn({ date: sentAt + 1_101 }, false, known)).toEqual({ min: 1_001, max: 2_101 })
})

import { describe, expect, it } from 'vitest'
import { unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { learnClockSkew } from '../../src/rate-limit/rateLimitHeaders.ts'

const pace = paceOf('free')
const sentAt = 1_000_000_000_000
const receivedAt = sentAt + 100
const learn = (rateLimitHeaders: RateLimitHeaders, refused = false, known = unknownClockSkew) =>
  learnClockSkew(known, rateLimitHeaders, { status: refused ? 429 : 200, sentAt, receivedAt }, pace)

describe('with a Date', () => {
  it('knows the skew to the second, plus the time the request was in flight', () => {
    expect(learn({ date: sentAt + 90_000 })).toEqual({ min: 90_000 - 100, max: 91_000 })
  })

  it('drops the assumption about an unknown clock if the Date contradicts it', () => {
    expect(learn({ date: sentAt - 120_400 })).toEqual({ min: -120_500, max: -119_400 })
    expect(learn({ date: sentAt + 119_500 })).toEqual({ min: 119_400, max: 120_500 })
  })

  it('intersects the bounds of several responses', () => {
    const first = learn({ date: sentAt + 1_000 })
    expect(first).toEqual({ min: 900, max: 2_000 })
    expect(learn({ date: sentAt + 2_000 }, false, first)).toEqual({ min: 1_900, max: 2_000 })
    expect(learn({ date: sentAt + 500 }, false, first)).toEqual({ min: 900, max: 1_500 })
  })

  it('ignores the other headers', () => {
    const rateLimitHeaders = { date: sentAt, limit: 60, resetAt: sentAt + 500_000, retryIn: 1_000 }
    expect(learn(rateLimitHeaders, true)).toEqual(learn({ date: sentAt }))
  })
})

describe('without a Date', () => {
  it('assumes that the clock is right within two minutes', () => {
    expect(learn({})).toEqual({ min: -120_000, max: 120_000 })
    expect(learn({ retryIn: 1_000 }, true)).toEqual(unknownClockSkew)
  })

  it('bounds the skew by the reset, which lies ahead of the service’s clock by at most its window', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 30_000 }
    expect(learn(rateLimitHeaders)).toEqual({ min: 30_000 - 60_000 - 1_000 - 100, max: 31_000 })
  })

  it('knows the skew to two seconds from a Retry-After in seconds and its reset', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 90_000 + 40_000, retryIn: 40_000 }
    expect(learn(rateLimitHeaders, true)).toEqual({ min: 90_000 - 1_000 - 100, max: 91_000 })
  })

  it('ignores a Retry-After if units are left: another limit refused the request', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 50_000, retryIn: 40_000 }
    expect(learn({ ...rateLimitHeaders, remaining: 0 }, true)).toEqual(learn(rateLimitHeaders, true))
    expect(learn({ ...rateLimitHeaders, remaining: 1 }, true)).toEqual(learn(rateLimitHeaders, false))
  })

  it('ignores a Retry-After if nothing was refused, if it exceeds the window, or if it contradicts the bounds', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 50_000 }
    const bounded = learn(rateLimitHeaders)
    expect(learn({ ...rateLimitHeaders, retryIn: 40_000 }, false)).toEqual(bounded)
    expect(learn({ ...rateLimitHeaders, retryIn: 60_001 }, true)).toEqual(bounded)
    expect(learn({ ...rateLimitHeaders, retryIn: 60_000 }, true)).not.toEqual(bounded)
    const known = { min: 45_000, max: 46_000 }
    expect(learn({ ...rateLimitHeaders, retryIn: 40_000 }, true, known)).toEqual(known)
  })
})

it('takes the newer bounds if they contradict the known ones: a clock was set', () => {
  const known = { min: 0, max: 1_000 }
  expect(learn({ date: sentAt + 5_000 }, false, known)).toEqual({ min: 4_900, max: 6_000 })
  expect(learn({ date: sentAt + 1_100 }, false, known)).toEqual({ min: 1_000, max: 1_000 })
  expect(learn({ date: sentAt + 1_101 }, false, known)).toEqual({ min: 1_001, max: 2_101 })
})

import { describe, expect, it } from 'vitest'
import { unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { learnClockSkew } from '../../src/rate-limit/clockSkew.ts'

const pace = paceOf('free')
const sentAt = 1_000_000_000_000
const receivedAt = sentAt + 100
const learn = (rateLimitHeaders: RateLimitHeaders, refused = false, known = unknownClockSkew) =>
  learnClockSkew(known, { rateLimitHeaders, refused, sentAt, receivedAt, pace })

describe('Date', () => {
  it('tells the clock to the second, give or take the time under way', () => {
    expect(learn({ date: sentAt + 90_000 })).toEqual({ min: 90_000 - 100, max: 91_000 })
  })

  it('says so also where it contradicts what was only assumed', () => {
    expect(learn({ date: sentAt - 120_400 })).toEqual({ min: -120_500, max: -119_400 })
    expect(learn({ date: sentAt + 119_500 })).toEqual({ min: 119_400, max: 120_500 })
  })

  it('several narrow each other down', () => {
    const first = learn({ date: sentAt + 1_000 })
    expect(first).toEqual({ min: 900, max: 2_000 })
    expect(learn({ date: sentAt + 2_000 }, false, first)).toEqual({ min: 1_900, max: 2_000 })
    expect(learn({ date: sentAt + 500 }, false, first)).toEqual({ min: 900, max: 1_500 })
  })

  it('counts before anything else', () => {
    const rateLimitHeaders = { date: sentAt, limit: 60, resetAt: sentAt + 500_000, retryIn: 1_000 }
    expect(learn(rateLimitHeaders, true)).toEqual(learn({ date: sentAt }))
  })
})

describe('without a Date', () => {
  it('nothing is learned from nothing: a clock is taken to be right within two minutes', () => {
    expect(learn({})).toEqual({ min: -120_000, max: 120_000 })
    expect(learn({ retryIn: 1_000 }, true)).toEqual(unknownClockSkew)
  })

  it('a reset lies ahead of the service’s clock, by its window at most', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 30_000 }
    expect(learn(rateLimitHeaders)).toEqual({ min: 30_000 - 60_000 - 1_000 - 100, max: 31_000 })
  })

  it('a Retry-After in seconds that goes with the reset tells the clock to two seconds', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 90_000 + 40_000, retryIn: 40_000 }
    expect(learn(rateLimitHeaders, true)).toEqual({ min: 90_000 - 1_000 - 100, max: 91_000 })
  })

  it('with units left it does not: another limit refused, whose wait has nothing to do with this reset', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 50_000, retryIn: 40_000 }
    expect(learn({ ...rateLimitHeaders, remaining: 0 }, true)).toEqual(learn(rateLimitHeaders, true))
    expect(learn({ ...rateLimitHeaders, remaining: 1 }, true)).toEqual(learn(rateLimitHeaders, false))
  })

  it('but not if nothing was refused, or it is longer than the window, or contradicts what is known', () => {
    const rateLimitHeaders = { limit: 60, resetAt: sentAt + 50_000 }
    const bounded = learn(rateLimitHeaders)
    expect(learn({ ...rateLimitHeaders, retryIn: 40_000 }, false)).toEqual(bounded)
    expect(learn({ ...rateLimitHeaders, retryIn: 60_001 }, true)).toEqual(bounded)
    expect(learn({ ...rateLimitHeaders, retryIn: 60_000 }, true)).not.toEqual(bounded)
    const known = { min: 45_000, max: 46_000 }
    expect(learn({ ...rateLimitHeaders, retryIn: 40_000 }, true, known)).toEqual(known)
  })
})

it('where old and new cannot both be true, a clock was set: the newer counts', () => {
  const known = { min: 0, max: 1_000 }
  expect(learn({ date: sentAt + 5_000 }, false, known)).toEqual({ min: 4_900, max: 6_000 })
  expect(learn({ date: sentAt + 1_100 }, false, known)).toEqual({ min: 1_000, max: 1_000 })
  expect(learn({ date: sentAt + 1_101 }, false, known)).toEqual({ min: 1_001, max: 2_101 })
})

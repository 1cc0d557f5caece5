import { describe, expect, it } from 'vitest'
import { unknownSkew } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitReading } from '../../src/rate-limit/reading.ts'
import { learnSkew } from '../../src/rate-limit/skew.ts'

const pace = paceOf('free')
const sentAt = 1_000_000_000_000
const receivedAt = sentAt + 100
const learn = (reading: RateLimitReading, refused = false, known = unknownSkew) =>
  learnSkew(known, { reading, refused, sentAt, receivedAt, pace })

describe('Date', () => {
  it('tells the clock to the second, give or take the time under way', () => {
    expect(learn({ date: sentAt + 90_000 })).toEqual({ least: 90_000 - 100, most: 91_000 })
  })

  it('says so also where it contradicts what was only assumed', () => {
    expect(learn({ date: sentAt - 120_400 })).toEqual({ least: -120_500, most: -119_400 })
    expect(learn({ date: sentAt + 119_500 })).toEqual({ least: 119_400, most: 120_500 })
  })

  it('several narrow each other down', () => {
    const first = learn({ date: sentAt + 1_000 })
    expect(first).toEqual({ least: 900, most: 2_000 })
    expect(learn({ date: sentAt + 2_000 }, false, first)).toEqual({ least: 1_900, most: 2_000 })
    expect(learn({ date: sentAt + 500 }, false, first)).toEqual({ least: 900, most: 1_500 })
  })

  it('counts before anything else', () => {
    const reading = { date: sentAt, limit: 60, resetAt: sentAt + 500_000, retryIn: 1_000 }
    expect(learn(reading, true)).toEqual(learn({ date: sentAt }))
  })
})

describe('without a Date', () => {
  it('nothing is learned from nothing: a clock is taken to be right within two minutes', () => {
    expect(learn({})).toEqual({ least: -120_000, most: 120_000 })
    expect(learn({ retryIn: 1_000 }, true)).toEqual(unknownSkew)
  })

  it('a reset lies ahead of the service’s clock, by its window at most', () => {
    const reading = { limit: 60, resetAt: sentAt + 30_000 }
    expect(learn(reading)).toEqual({ least: 30_000 - 60_000 - 1_000 - 100, most: 31_000 })
  })

  it('a Retry-After in seconds that goes with the reset tells the clock to two seconds', () => {
    const reading = { limit: 60, resetAt: sentAt + 90_000 + 40_000, retryIn: 40_000 }
    expect(learn(reading, true)).toEqual({ least: 90_000 - 1_000 - 100, most: 91_000 })
  })

  it('with units left it does not: another limit refused, whose wait has nothing to do with this reset', () => {
    const reading = { limit: 60, resetAt: sentAt + 50_000, retryIn: 40_000 }
    expect(learn({ ...reading, remaining: 0 }, true)).toEqual(learn(reading, true))
    expect(learn({ ...reading, remaining: 1 }, true)).toEqual(learn(reading, false))
  })

  it('but not if nothing was refused, or it is longer than the window, or contradicts what is known', () => {
    const reading = { limit: 60, resetAt: sentAt + 50_000 }
    const bounded = learn(reading)
    expect(learn({ ...reading, retryIn: 40_000 }, false)).toEqual(bounded)
    expect(learn({ ...reading, retryIn: 60_001 }, true)).toEqual(bounded)
    expect(learn({ ...reading, retryIn: 60_000 }, true)).not.toEqual(bounded)
    const known = { least: 45_000, most: 46_000 }
    expect(learn({ ...reading, retryIn: 40_000 }, true, known)).toEqual(known)
  })
})

it('where old and new cannot both be true, a clock was set: the newer counts', () => {
  const known = { least: 0, most: 1_000 }
  expect(learn({ date: sentAt + 5_000 }, false, known)).toEqual({ least: 4_900, most: 6_000 })
  expect(learn({ date: sentAt + 1_100 }, false, known)).toEqual({ least: 1_000, most: 1_000 })
  expect(learn({ date: sentAt + 1_101 }, false, known)).toEqual({ least: 1_001, most: 2_101 })
})

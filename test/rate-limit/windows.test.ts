import { describe, expect, it } from 'vitest'
import { emptyRecord, type GateWindow } from '../../src/rate-limit/GateRecord.ts'
import { day, minute } from '../../src/rate-limit/plan.ts'
import {
  announcedWindow,
  endWindows,
  mergeWindow,
  liveWindows,
  spendOne,
  withWindow,
} from '../../src/rate-limit/windows.ts'

const now = 1_000_000_000_000
const quota = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: now + 30_000,
  resetAt: now + 30_000,
  ...fields,
})

it('a window lives until its end, not at it', () => {
  const windows = [quota({ resetAt: now + 1 }), quota({ resetAt: now }), quota({ resetAt: now - 1 })]
  expect(liveWindows({ ...emptyRecord, windows }, now)).toEqual([quota({ resetAt: now + 1 })])
})

describe('the window that a response announces', () => {
  const announced = (rateLimitHeaders: Parameters<typeof announcedWindow>[0], min = 0) =>
    announcedWindow(rateLimitHeaders, { min, max: min }, now, 500)

  it('is none unless it says what is left', () => {
    expect(announced({ limit: 60, resetAt: now + 30_000 })).toBeUndefined()
  })

  it('ends by this machine’s clock, as late as the service’s may be behind, and a little later still', () => {
    const rateLimitHeaders = { limit: 60, remaining: 12, resetAt: now + 30_000 }
    expect(announced(rateLimitHeaders)).toEqual({
      limit: 60,
      remaining: 12,
      reset: now + 30_000,
      resetAt: now + 30_500,
    })
    expect(announced(rateLimitHeaders, -2_000)).toEqual({
      limit: 60,
      remaining: 12,
      reset: now + 30_000,
      resetAt: now + 32_500,
    })
  })

  it('holds no more than its limit', () => {
    expect(announced({ limit: 60, remaining: 61 })?.remaining).toBe(60)
    expect(announced({ limit: 60, remaining: 59 })?.remaining).toBe(59)
  })

  it('holds less by what was spent meanwhile, of which the response may not tell', () => {
    const missing = (unreportedUnits: number) =>
      announcedWindow({ limit: 60, remaining: 61 }, { min: 0, max: 0 }, now, 0, unreportedUnits)?.remaining
    expect(missing(2)).toBe(58)
    expect(missing(61)).toBe(0)
  })

  it('may have no limit', () => {
    expect(announced({ remaining: 70 })).toMatchObject({ limit: 0, remaining: 70 })
  })

  it('lasts a minute where no end is told', () => {
    expect(announced({ limit: 60, remaining: 12 })).toMatchObject({ reset: 0, resetAt: now + minute + 500 })
  })

  it('lasts a day at most, whatever is told', () => {
    expect(announced({ remaining: 1, resetAt: now + 2 * day })?.resetAt).toBe(now + day + 500)
  })

  it('is over where its end has passed', () => {
    expect(announced({ remaining: 1, resetAt: now + 1 })?.resetAt).toBe(now + 501)
    expect(announced({ remaining: 1, resetAt: now })?.resetAt).toBe(now)
    expect(announced({ remaining: 1, resetAt: now - 5_000 })?.resetAt).toBe(now)
  })
})

describe('joining an announced window', () => {
  const join = (windows: GateWindow[], announced: GateWindow, heldUnit = true) =>
    mergeWindow(windows, announced, heldUnit, now)

  it('the first one is taken as it is', () => {
    expect(join([], quota())).toEqual([quota()])
  })

  it('within one window the remaining only falls', () => {
    expect(join([quota({ remaining: 5 })], quota({ remaining: 7 }))).toEqual([quota({ remaining: 5 })])
    expect(join([quota({ remaining: 5 })], quota({ remaining: 4 }))).toEqual([quota({ remaining: 4 })])
  })

  it('within one window the earlier end counts', () => {
    const [early, late] = [now + 20_000, now + 40_000]
    expect(join([quota({ resetAt: early })], quota({ resetAt: late }))).toEqual([quota({ resetAt: early })])
    expect(join([quota({ resetAt: late })], quota({ resetAt: early }))).toEqual([quota({ resetAt: early })])
  })

  it('a reset that differs by a second tells of the same window, whose reset stays', () => {
    const known = quota({ remaining: 5 })
    expect(join([known], quota({ reset: known.reset + 1_000, remaining: 7 }))).toEqual([known])
    expect(join([known], quota({ reset: known.reset - 1_000, remaining: 7 }))).toEqual([known])
  })

  it('a later reset, or any after the end of the known one, opens the next window', () => {
    const next = quota({ reset: now + 31_001, remaining: 59 })
    expect(join([quota({ remaining: 0 })], next)).toEqual([next])
    expect(join([quota({ remaining: 0, resetAt: now })], quota({ remaining: 59 }))).toEqual([quota({ remaining: 59 })])
    expect(join([quota({ remaining: 0, resetAt: now + 1 })], quota({ remaining: 59 }))).toMatchObject([
      { remaining: 0 },
    ])
  })

  it('a response from the window before tells nothing, but its request may have counted in this one', () => {
    const old = quota({ reset: now + 28_999, remaining: 0 })
    expect(join([quota()], old)).toEqual([quota({ remaining: 9 })])
    expect(join([quota()], old, false)).toEqual([quota()])
  })

  it('the request counted in the windows of other limits too, if it had not been counted before', () => {
    const daily = quota({ limit: 1_000, remaining: 500 })
    expect(join([daily], quota())).toEqual([quota(), { ...daily, remaining: 499 }])
    expect(join([daily, quota()], quota())).toEqual([quota(), { ...daily, remaining: 499 }])
    expect(join([daily], quota(), false)).toEqual([quota(), daily])
  })
})

describe('the list of windows', () => {
  it('holds one for each limit', () => {
    const daily = quota({ limit: 1_000 })
    expect(withWindow([daily, quota()], quota({ remaining: 3 }))).toEqual([quota({ remaining: 3 }), daily])
  })

  it('holds four at most: the new one and those that end last', () => {
    const windows = [1, 2, 3, 4, 5].map((n) => quota({ limit: n, resetAt: now + n }))
    expect(withWindow(windows, quota()).map(({ limit }) => limit)).toEqual([60, 5, 4, 3])
    expect(windows.map(({ limit }) => limit)).toEqual([1, 2, 3, 4, 5])
  })

  it('can be ended at once; what had ended, ended when it did', () => {
    const windows = [quota({ resetAt: now + 1 }), quota({ resetAt: now - 1 })]
    expect(endWindows(windows, now)).toEqual([quota({ resetAt: now }), quota({ resetAt: now - 1 })])
  })
})

it('nothing is spent of nothing', () => {
  expect(spendOne(quota({ remaining: 1 }))).toEqual(quota({ remaining: 0 }))
  expect(spendOne(quota({ remaining: 0 }))).toEqual(quota({ remaining: 0 }))
})

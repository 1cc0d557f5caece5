import { describe, expect, it } from 'vitest'
import {
  type GateRecord,
  type GateWindow,
  type UsageSlice,
  emptyRecord,
  noFailures,
} from '../../src/rate-limit/GateRecord.ts'
import { day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import {
  addInFlight,
  addLocalUsage,
  announcedWindow,
  countInFlight,
  countUnits,
  endWindows,
  expire,
  inFlightSince,
  liveWindows,
  mergeWindow,
  nextLossAt,
  paceOpensAt,
  removeInFlight,
  spend,
  spendUnits,
  withWindow,
} from '../../src/rate-limit/windows.ts'

const now = 1_000_000_000_000
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: now + 30_000,
  resetAt: now + 30_000,
  span: 30_000,
  ...fields,
})

it('liveWindows returns the windows that have not ended', () => {
  const windows = [gateWindow({ resetAt: now + 1 }), gateWindow({ resetAt: now }), gateWindow({ resetAt: now - 1 })]
  expect(liveWindows({ ...emptyRecord, windows }, now)).toEqual([gateWindow({ resetAt: now + 1 })])
})

describe('announcedWindow', () => {
  const announced = (rateLimitHeaders: Parameters<typeof announcedWindow>[0], min = 0) =>
    announcedWindow(rateLimitHeaders, { min, max: min }, now, 500)

  it('returns nothing if the response does not say how many requests are left', () => {
    expect(announced({ limit: 60, resetAt: now + 30_000 })).toBeUndefined()
  })

  it('ends the window at the latest possible time of this machine’s clock, plus the slack', () => {
    const rateLimitHeaders = { limit: 60, remaining: 12, resetAt: now + 30_000 }
    const announcedAt30 = { limit: 60, remaining: 12, reset: now + 30_000, span: 30_000 }
    expect(announced(rateLimitHeaders)).toEqual({ ...announcedAt30, resetAt: now + 30_500 })
    expect(announced(rateLimitHeaders, -2_000)).toEqual({ ...announcedAt30, span: 32_000, resetAt: now + 32_500 })
  })

  it('limits remaining to the limit', () => {
    expect(announced({ limit: 60, remaining: 61 })?.remaining).toBe(60)
    expect(announced({ limit: 60, remaining: 59 })?.remaining).toBe(59)
  })

  it('subtracts unreported units', () => {
    const remainingWithout = (unreportedUnits: number) =>
      announcedWindow({ limit: 60, remaining: 61 }, { min: 0, max: 0 }, now, 0, unreportedUnits)?.remaining
    expect(remainingWithout(2)).toBe(58)
    expect(remainingWithout(61)).toBe(0)
  })

  it('accepts a window without a limit', () => {
    expect(announced({ remaining: 70 })).toMatchObject({ limit: 0, remaining: 70 })
  })

  it('assumes a minute if no reset is announced', () => {
    expect(announced({ limit: 60, remaining: 12 })).toMatchObject({ reset: 0, resetAt: now + minute + 500 })
  })

  it('limits the window to a day', () => {
    expect(announced({ remaining: 1, resetAt: now + 2 * day })?.resetAt).toBe(now + day + 500)
  })

  it('ends the window now if its reset has passed', () => {
    expect(announced({ remaining: 1, resetAt: now + 1 })?.resetAt).toBe(now + 501)
    expect(announced({ remaining: 1, resetAt: now })?.resetAt).toBe(now)
    expect(announced({ remaining: 1, resetAt: now - 5_000 })?.resetAt).toBe(now)
  })
})

it('the longest time from a response to the end is a part of the window that it lasts at least', () => {
  const skew = { min: -2_000, max: 3_000 }
  const spanOf = (reset: number) => announcedWindow({ limit: 60, remaining: 12, resetAt: reset }, skew, now, 500)?.span
  expect([spanOf(now + 30_000), spanOf(now + 1), spanOf(now + 2 * day)]).toEqual([27_000, 0, day])
  expect(announcedWindow({ remaining: 3 }, skew, now, 500)?.span).toBe(0)
  const [longer, shorter] = [gateWindow({ span: 40_000 }), gateWindow({ reset: now + 90_000, span: 20_000 })]
  expect(mergeWindow([longer], shorter, true, now)).toMatchObject([{ reset: now + 90_000, span: 40_000 }])
  expect(mergeWindow([gateWindow()], longer, true, now)).toMatchObject([{ reset: now + 30_000, span: 40_000 }])
})

describe('mergeWindow', () => {
  const merge = (windows: GateWindow[], announced: GateWindow, heldUnit = true) =>
    mergeWindow(windows, announced, heldUnit, now)

  it('adds the first window as it is', () => {
    expect(merge([], gateWindow())).toEqual([gateWindow()])
  })

  it('takes the smaller remaining within one window', () => {
    expect(merge([gateWindow({ remaining: 5 })], gateWindow({ remaining: 7 }))).toEqual([gateWindow({ remaining: 5 })])
    expect(merge([gateWindow({ remaining: 5 })], gateWindow({ remaining: 4 }))).toEqual([gateWindow({ remaining: 4 })])
  })

  it('takes the earlier end within one window', () => {
    const [early, late] = [now + 20_000, now + 40_000]
    expect(merge([gateWindow({ resetAt: early })], gateWindow({ resetAt: late }))).toEqual([
      gateWindow({ resetAt: early }),
    ])
    expect(merge([gateWindow({ resetAt: late })], gateWindow({ resetAt: early }))).toEqual([
      gateWindow({ resetAt: early }),
    ])
  })

  it('treats resets within a second as the same window, and keeps the known reset', () => {
    const known = gateWindow({ remaining: 5 })
    expect(merge([known], gateWindow({ reset: known.reset + 1_000, remaining: 7 }))).toEqual([known])
    expect(merge([known], gateWindow({ reset: known.reset - 1_000, remaining: 7 }))).toEqual([known])
  })

  it('takes the announced window if its reset is later, or if the known one has ended', () => {
    const next = gateWindow({ reset: now + 31_001, remaining: 59 })
    expect(merge([gateWindow({ remaining: 0 })], next)).toEqual([next])
    expect(merge([gateWindow({ remaining: 0, resetAt: now })], gateWindow({ remaining: 59 }))).toEqual([
      gateWindow({ remaining: 59 }),
    ])
    expect(merge([gateWindow({ remaining: 0, resetAt: now + 1 })], gateWindow({ remaining: 59 }))).toMatchObject([
      { remaining: 0 },
    ])
  })

  it('ignores a window of the past, but takes a unit for its request', () => {
    const previous = gateWindow({ reset: now + 28_999, remaining: 0 })
    expect(merge([gateWindow()], previous)).toEqual([gateWindow({ remaining: 9 })])
    expect(merge([gateWindow()], previous, false)).toEqual([gateWindow()])
  })

  it('takes a unit from the windows of other limits, unless the request had expired', () => {
    const daily = gateWindow({ limit: 1_000, remaining: 500 })
    expect(merge([daily], gateWindow())).toEqual([gateWindow(), { ...daily, remaining: 499 }])
    expect(merge([daily, gateWindow()], gateWindow())).toEqual([gateWindow(), { ...daily, remaining: 499 }])
    expect(merge([daily], gateWindow(), false)).toEqual([gateWindow(), daily])
  })
})

describe('a window of a former plan', () => {
  const merge = (windows: GateWindow[], ...announced: GateWindow[]) =>
    announced.reduce((known, window) => mergeWindow(known, window, true, now), windows)
  const daily = gateWindow({ limit: 1_000, remaining: 5, reset: now + day, resetAt: now + day })
  const upgraded = gateWindow({ limit: 300, remaining: 299 })
  const live = (windows: GateWindow[]) => windows.filter(({ resetAt }) => resetAt > now).map(({ limit }) => limit)

  it('ends with the second response in a row that announces more units of another limit', () => {
    expect(live(merge([daily], upgraded))).toEqual([300, 1_000])
    expect(live(merge([daily], upgraded, { ...upgraded, remaining: 298 }))).toEqual([300])
    expect(live(merge([daily, gateWindow()], upgraded, { ...upgraded, remaining: 298 }))).toEqual([300, 60])
  })

  it('stays if the service announces it again in between, as one that announces its limits in turn does', () => {
    const inTurn = [5, 4, 3].flatMap((remaining) => [upgraded, { ...daily, remaining }])
    expect(live(merge([daily], ...inTurn, upgraded, upgraded))).toEqual([300, 1_000])
  })

  it.each([
    ['has no more units', { ...upgraded, remaining: 3 }],
    ['ends later', { ...upgraded, resetAt: now + 2 * day }],
    ['has no limit', { ...upgraded, limit: 0 }],
  ])('stays if the other one %s', (_, other) => {
    expect(live(merge([daily], other, other))).toContain(1_000)
  })

  it('stays if the other limit was known before', () => {
    const known = gateWindow({ limit: 300, resetAt: now - 1 })
    expect(live(merge([daily, known], upgraded, upgraded))).toEqual([300, 1_000])
  })
})

describe('withWindow', () => {
  it('keeps one window for each limit', () => {
    const daily = gateWindow({ limit: 1_000 })
    expect(withWindow([daily, gateWindow()], gateWindow({ remaining: 3 }))).toEqual([
      gateWindow({ remaining: 3 }),
      daily,
    ])
  })

  it('keeps at most four: the new one and those that end last', () => {
    const windows = [1, 2, 3, 4, 5].map((n) => gateWindow({ limit: n, resetAt: now + n }))
    expect(withWindow(windows, gateWindow()).map(({ limit }) => limit)).toEqual([60, 5, 4, 3])
    expect(windows.map(({ limit }) => limit)).toEqual([1, 2, 3, 4, 5])
  })
})

it('endWindows ends live windows now, and keeps the end of the others', () => {
  const windows = [gateWindow({ resetAt: now + 1 }), gateWindow({ resetAt: now - 1 })]
  expect(endWindows(windows, now)).toEqual([gateWindow({ resetAt: now }), gateWindow({ resetAt: now - 1 })])
})

it('spend takes units, as many as are left', () => {
  expect(spend(gateWindow({ remaining: 3 }), 2)).toEqual(gateWindow({ remaining: 1 }))
  expect(spend(gateWindow({ remaining: 1 }), 2)).toEqual(gateWindow({ remaining: 0 }))
})

describe('expire', () => {
  const pace = paceOf('free')
  const expireRecord = (fields: Partial<GateRecord>) => expire({ ...emptyRecord, updatedAt: now, ...fields }, now, pace)

  it('returns the same object if nothing expired', () => {
    const record: GateRecord = {
      updatedAt: now,
      cooldownUntil: now + 1_000,
      cooldownStartedAt: now - 1_000,
      cooldownOwner: 'page',
      clearedAt: 0,
      consecutiveRefusals: 2,
      failures: { ...noFailures, count: 2 },
      windows: [gateWindow()],
      maxInFlight: 4,
      localUsage: [{ at: now - 5_000, count: 3 }],
      inFlight: { a: { count: 1, since: now - 30_999, until: now + 1 } },
      lostUnits: 7,
      waiting: {},
      skew: { min: -5, max: 5 },
    }
    expect(expire(record, now, pace)).toBe(record)
    expect(expire(emptyRecord, now, pace)).toBe(emptyRecord)
  })

  it('moves all times back first if the clock was set back', () => {
    const cooling = { ...emptyRecord, updatedAt: now + 5_000, cooldownUntil: now + 6_000 }
    expect(expire(cooling, now, pace)).toMatchObject({ updatedAt: now, cooldownUntil: now + 1_000 })
  })

  describe('an expired request', () => {
    it('is no longer in flight, and its unit stays spent', () => {
      const inFlight = {
        lost: { count: 1, since: now - 31_000, until: now },
        kept: { count: 1, since: now - 30_999, until: now + 1 },
      }
      const record = expireRecord({ inFlight, windows: [gateWindow()] })
      expect(record).toMatchObject({ inFlight: { kept: inFlight.kept }, lostUnits: 1 })
      expect(record.windows).toEqual([gateWindow({ remaining: 9 })])
    })

    it('spends one unit, three spend three', () => {
      const inFlight = {
        a: { count: 1, since: now - 9_000, until: now - 1 },
        b: { count: 2, since: now - 9_000, until: now - 1 },
      }
      expect(expireRecord({ inFlight, windows: [gateWindow()] }).windows).toEqual([gateWindow({ remaining: 7 })])
      expect(expireRecord({ inFlight })).toMatchObject({ localUsage: [{ at: now, count: 3 }], lostUnits: 3 })
    })

    it('spends its unit at the time of its expiry, however late that is noticed', () => {
      const inFlight = { a: { count: 1, since: now - 9_000, until: now - 5_000 } }
      expect(expireRecord({ inFlight }).localUsage).toEqual([{ at: now - 5_000, count: 1 }])
      const ended = gateWindow({ resetAt: now - 4_999 })
      expect(expireRecord({ inFlight, windows: [ended] })).toMatchObject({
        localUsage: [],
        windows: [{ ...ended, remaining: 9 }],
      })
    })
  })
})

describe('requests in flight', () => {
  const a = { count: 1, since: 5, until: 20 }
  const b = { count: 3, since: 2, until: 10 }
  const both = { ...emptyRecord, inFlight: { a, b } }

  it('adds a request as a new batch, and leaves the others as they are', () => {
    expect(addInFlight({ ...emptyRecord, inFlight: { b } }, { batch: 'a', holdFor: 15 }, 5)).toEqual(both)
  })

  it('adds a request to a batch, which left with the first of them, and counts as lost when the last of them does', () => {
    const add = (holdFor: number) => addInFlight(both, { batch: 'a', holdFor }, 8).inFlight
    expect(add(17)).toEqual({ a: { count: 2, since: 5, until: 25 }, b })
    expect(add(7)).toEqual({ a: { count: 2, since: 5, until: 20 }, b })
  })

  it('removes requests, the batch with the last of them, and nothing if they are not in flight', () => {
    expect(removeInFlight(both, 'b').inFlight).toEqual({ a, b: { count: 2, since: 2, until: 10 } })
    expect(removeInFlight(both, 'a').inFlight).toEqual({ b })
    expect(removeInFlight(both, 'b', 3).inFlight).toEqual({ a })
    expect(removeInFlight(both, 'unknown')).toBe(both)
  })

  it('counts the requests in flight', () => {
    expect(countInFlight(emptyRecord)).toBe(0)
    expect(countInFlight(both)).toBe(4)
  })

  it('knows when the first batch counts as lost', () => {
    expect(nextLossAt(both)).toBe(10)
    expect(nextLossAt(emptyRecord)).toBe(Number.POSITIVE_INFINITY)
  })

  it('knows when the first of the requests left', () => {
    expect(inFlightSince(both)).toBe(2)
    expect(inFlightSince(emptyRecord)).toBe(Number.POSITIVE_INFINITY)
  })

  it('names the page that has sent a batch, where that is known', () => {
    const { inFlight } = addInFlight(both, { batch: 'c', holdFor: 4, owner: 'page' }, 6)
    expect(inFlight).toEqual({ a, b, c: { count: 1, since: 6, until: 10, owner: 'page' } })
  })
})

describe('local usage', () => {
  const pace = { limit: 60, per: 60_000 }

  describe('a unit', () => {
    const add = (localUsage: readonly UsageSlice[], at = now, per = pace.per) =>
      addLocalUsage(localUsage, 1, at, { ...pace, per })

    it('is counted at the end of its slice of time', () => {
      expect(add([])).toEqual([{ at: now, count: 1 }])
      expect(add([], now + 1)).toEqual([{ at: now + 100, count: 1 }])
      expect(add([], now + 100)).toEqual([{ at: now + 100, count: 1 }])
      expect(add([], now + 1, 1_000)).toEqual([{ at: now + 2, count: 1 }])
    })

    it('is added to its slice, or to a later one', () => {
      const earlier = { at: now - 100, count: 5 }
      expect(add([earlier])).toEqual([earlier, { at: now, count: 1 }])
      expect(add([earlier, { at: now, count: 1 }])).toEqual([earlier, { at: now, count: 2 }])
      expect(add([earlier, { at: now + 700, count: 1 }])).toEqual([earlier, { at: now + 700, count: 2 }])
    })

    it('removes slices that are older than the window of the pace', () => {
      const [outdated, recent] = [
        { at: now - 60_000, count: 9 },
        { at: now - 59_900, count: 1 },
      ]
      expect(add([outdated, recent])).toEqual([recent, { at: now, count: 1 }])
    })
  })

  it('counts the units of all slices', () => {
    expect(countUnits([])).toBe(0)
    const slices = [
      { at: now - 1, count: 2 },
      { at: now, count: 3 },
    ]
    expect(countUnits(slices)).toBe(5)
  })

  it('the pace opens when enough of the earliest units have left its window, and never for no units', () => {
    const usage = [
      { at: now - 60_000, count: 9 },
      { at: now - 20_000, count: 2 },
      { at: now - 10_000, count: 1 },
    ]
    expect(paceOpensAt(usage, 4, pace, now)).toBe(now)
    expect(paceOpensAt(usage, 3, pace, now)).toBe(now + 40_000)
    expect(paceOpensAt(usage, 1, pace, now)).toBe(now + 50_000)
    expect(paceOpensAt(usage, 0, pace, now)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('spendUnits', () => {
  const spendFrom = (fields: Partial<GateRecord>, count = 1) =>
    spendUnits({ ...emptyRecord, ...fields }, count, now, paceOf('free'))

  it('takes the unit from every window while one of them is live', () => {
    const windows = [
      gateWindow(),
      gateWindow({ limit: 1_000, remaining: 0 }),
      gateWindow({ limit: 300, resetAt: now - 1 }),
    ]
    expect(spendFrom({ windows })).toEqual({
      ...emptyRecord,
      lostUnits: 1,
      windows: [
        gateWindow({ remaining: 9 }),
        gateWindow({ limit: 1_000, remaining: 0 }),
        gateWindow({ limit: 300, resetAt: now - 1, remaining: 9 }),
      ],
    })
  })

  it('counts the unit as local usage where no window is live', () => {
    const windows = [gateWindow({ resetAt: now })]
    expect(spendFrom({ windows })).toEqual({
      ...emptyRecord,
      lostUnits: 1,
      windows,
      localUsage: [{ at: now, count: 1 }],
    })
  })

  it('takes several units at once', () => {
    const windows = [gateWindow({ remaining: 5 }), gateWindow({ limit: 1_000, remaining: 1 })]
    expect(spendFrom({ windows }, 3).windows).toEqual([
      gateWindow({ remaining: 2 }),
      gateWindow({ limit: 1_000, remaining: 0 }),
    ])
    expect(spendFrom({}, 3).localUsage).toEqual([{ at: now, count: 3 }])
  })

  it('counts the units, for the responses that do not report them', () => {
    expect(spendFrom({ lostUnits: 4 }, 3).lostUnits).toBe(7)
    expect(spendFrom({ lostUnits: 4, windows: [gateWindow()] }).lostUnits).toBe(5)
  })
})

import { describe, expect, it } from 'vitest'
import {
  emptyRecord,
  type GateRecord,
  mergeRecords,
  type QuotaWindow,
  readRecord,
} from '../../src/rate-limit/GateRecord.ts'

const now = 1_000_000_000_000
const quota = (fields: Partial<QuotaWindow> = {}): QuotaWindow => ({
  limit: 60,
  remaining: 10,
  reset: now + 30_000,
  resetAt: now + 30_000,
  ...fields,
})
const full: GateRecord = {
  updatedAt: now,
  coolUntil: now + 5,
  limitedAt: now - 5,
  strikes: 3,
  windows: [quota(), quota({ limit: 1_000 })],
  step: 4,
  unannounced: [{ at: now - 10, count: 2 }],
  leases: { a: { sentAt: now - 20, until: now + 20 } },
  skew: { least: -7, most: 9 },
}

describe('a record out of a store', () => {
  it('is read as it was written', () => {
    expect(readRecord(full)).toEqual(full)
    expect(readRecord(JSON.parse(JSON.stringify(full)))).toEqual(full)
    const leases = { a: { sentAt: now - 20, until: now + 20, missed: 2 } }
    expect(readRecord({ ...full, leases })).toEqual({ ...full, leases })
  })

  it.for([undefined, null, 0, 5, '', 'record', true, [], [full], {}, Symbol('s'), () => full])(
    '%s is an empty one',
    (stored) => {
      expect(readRecord(stored)).toEqual(emptyRecord)
    },
  )

  it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, -0, '5', {}, [5], 5n, true])(
    'no number may be %s',
    (junk) => {
      const hostile = {
        updatedAt: junk,
        coolUntil: junk,
        limitedAt: junk,
        strikes: junk,
        windows: [{ limit: junk, remaining: junk, reset: junk, resetAt: junk }],
        step: junk,
        unannounced: [{ at: junk, count: junk }],
        leases: { a: { sentAt: junk, until: junk, missed: junk } },
      }
      expect(readRecord(hostile)).toEqual({
        ...emptyRecord,
        windows: [{ limit: 0, remaining: 0, reset: 0, resetAt: 0 }],
        unannounced: [{ at: 0, count: 0 }],
        leases: { a: { sentAt: 0, until: 0 } },
      })
    },
  )

  it.each([undefined, null, 'ab', 5, { length: 1, 0: quota() }])('no list may be %s', (junk) => {
    expect(readRecord({ windows: junk, unannounced: junk })).toEqual(emptyRecord)
  })

  it.each([undefined, null, 'ab', 5])('no leases may be %s', (junk) => {
    expect(readRecord({ leases: junk })).toEqual(emptyRecord)
  })

  it('what stands in a list or among the leases may be anything', () => {
    expect(readRecord({ windows: [null, 'x'], unannounced: [7], leases: { a: null } })).toEqual({
      ...emptyRecord,
      windows: [
        { limit: 0, remaining: 0, reset: 0, resetAt: 0 },
        { limit: 0, remaining: 0, reset: 0, resetAt: 0 },
      ],
      unannounced: [{ at: 0, count: 0 }],
      leases: { a: { sentAt: 0, until: 0 } },
    })
  })

  it('unknown fields are dropped', () => {
    expect(readRecord({ ...full, more: 1, windows: full.windows.map((window) => ({ ...window, more: 1 })) })).toEqual(
      full,
    )
  })

  it('at least one request may be under way', () => {
    expect(readRecord({ step: 0.5 }).step).toBe(1)
    expect(readRecord({ step: 2 }).step).toBe(2)
  })

  it.each([
    { least: 1, most: 0 },
    { least: Number.NaN, most: 1 },
    { least: 1, most: Number.NaN },
    { least: Number.NEGATIVE_INFINITY, most: 1 },
    { least: 1, most: Number.POSITIVE_INFINITY },
    { least: '1', most: 2 },
    { least: 1, most: '2' },
    { least: 1 },
    { most: 1 },
    null,
    'skew',
  ])('the skew %j is none', (skew) => {
    expect(readRecord({ skew }).skew).toEqual(emptyRecord.skew)
  })

  it('a clock may be known exactly', () => {
    expect(readRecord({ skew: { least: 5, most: 5 } }).skew).toEqual({ least: 5, most: 5 })
  })
})

describe('two records become one', () => {
  const other: GateRecord = {
    updatedAt: now + 50,
    coolUntil: now + 1,
    limitedAt: now - 9,
    strikes: 1,
    windows: [],
    step: 2,
    unannounced: [],
    leases: {},
    skew: { least: 0, most: 1 },
  }
  const merge = (one: Partial<GateRecord>, two: Partial<GateRecord>) =>
    mergeRecords({ ...emptyRecord, updatedAt: now, ...one }, { ...emptyRecord, updatedAt: now, ...two })

  it('of the wait, the strikes and the steps the most careful counts', () => {
    const careful = { coolUntil: now + 5, limitedAt: now - 5, strikes: 3, step: 2 }
    expect(mergeRecords(full, other)).toMatchObject(careful)
    expect(mergeRecords(other, full)).toMatchObject(careful)
  })

  it('of the time and the skew the newer counts; of two that are as new, the first', () => {
    const newer = { updatedAt: now + 50, skew: { least: 0, most: 1 } }
    expect(mergeRecords(full, other)).toMatchObject(newer)
    expect(mergeRecords(other, full)).toMatchObject(newer)
    expect(merge({ skew: full.skew }, { skew: other.skew }).skew).toEqual(full.skew)
  })

  it('of one window the smaller remainder and the earlier end count', () => {
    const [much, little] = [quota({ remaining: 8, resetAt: now + 1 }), quota({ remaining: 3, resetAt: now + 2 })]
    const both = [quota({ remaining: 3, resetAt: now + 1 })]
    expect(merge({ windows: [much] }, { windows: [little] }).windows).toEqual(both)
    expect(merge({ windows: [little] }, { windows: [much] }).windows).toEqual(both)
  })

  it('of two windows of one limit the later counts', () => {
    const next = quota({ reset: now + 90_000, remaining: 59 })
    expect(merge({ windows: [quota()] }, { windows: [next] }).windows).toEqual([next])
    expect(merge({ windows: [next] }, { windows: [quota()] }).windows).toEqual([next])
  })

  it('windows that only one of them knows stay', () => {
    const [hourly, daily] = [quota({ limit: 300 }), quota({ limit: 1_000 })]
    const four = quota({ remaining: 4 })
    expect(merge({ windows: [quota(), daily] }, { windows: [hourly, four] }).windows).toEqual([four, daily, hourly])
  })

  it('what was announced before the last cool-down is over', () => {
    const [old, fresh] = [quota({ limit: 1_000 }), quota()]
    const after = merge({ limitedAt: now - 9, windows: [old] }, { limitedAt: now - 5, windows: [fresh] })
    expect(after.windows).toEqual([{ ...old, resetAt: now - 5 }, fresh])
    expect(merge({ limitedAt: now - 5, windows: [fresh] }, { limitedAt: now - 9, windows: [old] }).windows).toEqual([
      fresh,
      { ...old, resetAt: now - 5 },
    ])
  })

  it('of the units spent, those count where more were', () => {
    const [few, many] = [
      [
        { at: now - 2, count: 1 },
        { at: now - 1, count: 2 },
      ],
      [{ at: now - 9, count: 4 }],
    ]
    expect(merge({ unannounced: few }, { unannounced: many }).unannounced).toEqual(many)
    expect(merge({ unannounced: many }, { unannounced: few }).unannounced).toEqual(many)
    const same = [{ at: now - 5, count: 3 }]
    expect(merge({ unannounced: same }, { unannounced: few }).unannounced).toEqual(same)
  })

  it('requests of both are under way, but for those that have run out', () => {
    const lease = (until: number) => ({ sentAt: now - 9, until })
    const after = merge(
      { leases: { a: lease(now + 60), over: lease(now + 50) } },
      { updatedAt: now + 50, leases: { b: lease(now + 51) } },
    )
    expect(after.leases).toEqual({ a: lease(now + 60), b: lease(now + 51) })
  })
})

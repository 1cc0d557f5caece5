import { describe, expect, it } from 'vitest'
import {
  emptyRecord,
  type GateRecord,
  mergeRecords,
  type GateWindow,
  readRecord,
} from '../../src/rate-limit/GateRecord.ts'
import { day } from '../../src/rate-limit/plan.ts'

const now = 1_000_000_000_000
const quota = (fields: Partial<GateWindow> = {}): GateWindow => ({
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

  describe('that is not ours in one place counts for its cool-down alone', () => {
    const { updatedAt, coolUntil } = full
    const cooling = { ...emptyRecord, updatedAt, coolUntil }
    const [window, spent, lease] = [quota(), { at: now - 10, count: 2 }, { sentAt: now - 20, until: now + 20 }]

    it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '5', {}, [5], 5n, true])(
      'where a number is %s',
      (junk) => {
        const spoilt: object[] = [
          { limitedAt: junk },
          { strikes: junk },
          { step: junk },
          ...Object.keys(window).map((field) => ({ windows: [quota(), { ...window, [field]: junk }] })),
          ...Object.keys(spent).map((field) => ({ unannounced: [spent, { ...spent, [field]: junk }] })),
          ...['sentAt', 'until', 'missed'].map((field) => ({ leases: { a: lease, b: { ...lease, [field]: junk } } })),
        ]
        for (const fields of spoilt) expect(readRecord({ ...full, ...fields })).toEqual(cooling)
      },
    )

    it.each([undefined, null, 'ab', 5, { length: 1, 0: quota() }, [null], [7]])('where a list is %j', (junk) => {
      expect(readRecord({ ...full, windows: junk })).toEqual(cooling)
      expect(readRecord({ ...full, unannounced: junk })).toEqual(cooling)
    })

    it.each([undefined, null, 'ab', 5, { a: null }, [7]])('where the leases are %j', (junk) => {
      expect(readRecord({ ...full, leases: junk })).toEqual(cooling)
    })

    it.each([
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
    ])('where the skew is %j', (skew) => {
      expect(readRecord({ ...full, skew })).toEqual(cooling)
    })

    it.each([0, 0.5])('where %d requests may be under way', (step) => {
      expect(readRecord({ ...full, step })).toEqual(cooling)
    })

    it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '5', {}, 5n])(
      'unless that is %s, or when it was written',
      (junk) => {
        expect(readRecord({ ...full, coolUntil: junk })).toEqual(emptyRecord)
        expect(readRecord({ ...full, updatedAt: junk })).toEqual(emptyRecord)
      },
    )
  })

  it('may hold more than is known here', () => {
    expect(readRecord({ ...full, more: 1 })).toMatchObject(full)
  })

  describe('keeps nothing waiting for longer than a day after it was written', () => {
    const latest = now + day + 1_000
    const soon = { sentAt: now, until: now + 1 }

    it('what ends just then is believed', () => {
      const record: GateRecord = {
        ...full,
        coolUntil: latest,
        windows: [quota({ resetAt: latest })],
        unannounced: [{ at: latest, count: 1 }],
        leases: { a: { sentAt: now, until: latest } },
      }
      expect(readRecord(record)).toEqual(record)
    })

    it.each<[string, Partial<GateRecord>, Partial<GateRecord>]>([
      ['a cool-down', { coolUntil: latest + 1 }, { coolUntil: latest }],
      ['the beginning of one', { limitedAt: latest + 1 }, { limitedAt: latest }],
      [
        'a window',
        { windows: [quota(), quota({ limit: 1, resetAt: latest + 1 })] },
        { windows: [quota(), quota({ limit: 1, resetAt: latest })] },
      ],
      [
        'units spent',
        {
          unannounced: [
            { at: now, count: 1 },
            { at: latest + 1, count: 2 },
          ],
        },
        {
          unannounced: [
            { at: now, count: 1 },
            { at: latest, count: 2 },
          ],
        },
      ],
      [
        'a request under way',
        { leases: { a: soon, b: { sentAt: now, until: latest + 1 } } },
        { leases: { a: soon, b: { sentAt: now, until: latest } } },
      ],
    ])('%s', (_, wrong, repaired) => {
      expect(readRecord({ ...full, ...wrong })).toEqual({ ...full, ...repaired })
    })
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

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
  cooldownUntil: now + 5,
  cooldownStartedAt: now - 5,
  consecutive429s: 3,
  windows: [quota(), quota({ limit: 1_000 })],
  maxInFlight: 4,
  localUsage: [{ at: now - 10, count: 2 }],
  inFlight: { a: { sentAt: now - 20, until: now + 20 } },
  skew: { min: -7, max: 9 },
}

describe('a record out of a store', () => {
  it('is read as it was written', () => {
    expect(readRecord(full)).toEqual(full)
    expect(readRecord(JSON.parse(JSON.stringify(full)))).toEqual(full)
    const inFlight = { a: { sentAt: now - 20, until: now + 20, unreportedUnits: 2 } }
    expect(readRecord({ ...full, inFlight })).toEqual({ ...full, inFlight })
  })

  it.for([undefined, null, 0, 5, '', 'record', true, [], [full], {}, Symbol('s'), () => full])(
    '%s is an empty one',
    (stored) => {
      expect(readRecord(stored)).toEqual(emptyRecord)
    },
  )

  describe('that is not ours in one place counts for its cool-down alone', () => {
    const { updatedAt, cooldownUntil } = full
    const cooling = { ...emptyRecord, updatedAt, cooldownUntil }
    const [window, spent, held] = [quota(), { at: now - 10, count: 2 }, { sentAt: now - 20, until: now + 20 }]

    it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '5', {}, [5], 5n, true])(
      'where a number is %s',
      (junk) => {
        const spoilt: object[] = [
          { cooldownStartedAt: junk },
          { consecutive429s: junk },
          { maxInFlight: junk },
          ...Object.keys(window).map((field) => ({ windows: [quota(), { ...window, [field]: junk }] })),
          ...Object.keys(spent).map((field) => ({ localUsage: [spent, { ...spent, [field]: junk }] })),
          ...['sentAt', 'until', 'unreportedUnits'].map((field) => ({
            inFlight: { a: held, b: { ...held, [field]: junk } },
          })),
        ]
        for (const fields of spoilt) expect(readRecord({ ...full, ...fields })).toEqual(cooling)
      },
    )

    it.each([undefined, null, 'ab', 5, { length: 1, 0: quota() }, [null], [7]])('where a list is %j', (junk) => {
      expect(readRecord({ ...full, windows: junk })).toEqual(cooling)
      expect(readRecord({ ...full, localUsage: junk })).toEqual(cooling)
    })

    it.each([undefined, null, 'ab', 5, { a: null }, [7]])('where the inFlight are %j', (junk) => {
      expect(readRecord({ ...full, inFlight: junk })).toEqual(cooling)
    })

    it.each([
      { min: Number.NaN, max: 1 },
      { min: 1, max: Number.NaN },
      { min: Number.NEGATIVE_INFINITY, max: 1 },
      { min: 1, max: Number.POSITIVE_INFINITY },
      { min: '1', max: 2 },
      { min: 1, max: '2' },
      { min: 1 },
      { max: 1 },
      null,
      'skew',
    ])('where the skew is %j', (skew) => {
      expect(readRecord({ ...full, skew })).toEqual(cooling)
    })

    it.each([0, 0.5])('where %d requests may be under way', (maxInFlight) => {
      expect(readRecord({ ...full, maxInFlight })).toEqual(cooling)
    })

    it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '5', {}, 5n])(
      'unless that is %s, or when it was written',
      (junk) => {
        expect(readRecord({ ...full, cooldownUntil: junk })).toEqual(emptyRecord)
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
        cooldownUntil: latest,
        windows: [quota({ resetAt: latest })],
        localUsage: [{ at: latest, count: 1 }],
        inFlight: { a: { sentAt: now, until: latest } },
      }
      expect(readRecord(record)).toEqual(record)
    })

    it.each<[string, Partial<GateRecord>, Partial<GateRecord>]>([
      ['a cool-down', { cooldownUntil: latest + 1 }, { cooldownUntil: latest }],
      ['the beginning of one', { cooldownStartedAt: latest + 1 }, { cooldownStartedAt: latest }],
      [
        'a window',
        { windows: [quota(), quota({ limit: 1, resetAt: latest + 1 })] },
        { windows: [quota(), quota({ limit: 1, resetAt: latest })] },
      ],
      [
        'units spent',
        {
          localUsage: [
            { at: now, count: 1 },
            { at: latest + 1, count: 2 },
          ],
        },
        {
          localUsage: [
            { at: now, count: 1 },
            { at: latest, count: 2 },
          ],
        },
      ],
      [
        'a request under way',
        { inFlight: { a: soon, b: { sentAt: now, until: latest + 1 } } },
        { inFlight: { a: soon, b: { sentAt: now, until: latest } } },
      ],
    ])('%s', (_, wrong, repaired) => {
      expect(readRecord({ ...full, ...wrong })).toEqual({ ...full, ...repaired })
    })
  })
})

describe('two records become one', () => {
  const other: GateRecord = {
    updatedAt: now + 50,
    cooldownUntil: now + 1,
    cooldownStartedAt: now - 9,
    consecutive429s: 1,
    windows: [],
    maxInFlight: 2,
    localUsage: [],
    inFlight: {},
    skew: { min: 0, max: 1 },
  }
  const merge = (one: Partial<GateRecord>, two: Partial<GateRecord>) =>
    mergeRecords({ ...emptyRecord, updatedAt: now, ...one }, { ...emptyRecord, updatedAt: now, ...two })

  it('of the wait, the consecutive429s and the steps the most careful counts', () => {
    const careful = { cooldownUntil: now + 5, cooldownStartedAt: now - 5, consecutive429s: 3, maxInFlight: 2 }
    expect(mergeRecords(full, other)).toMatchObject(careful)
    expect(mergeRecords(other, full)).toMatchObject(careful)
  })

  it('of the time and the skew the newer counts; of two that are as new, the first', () => {
    const newer = { updatedAt: now + 50, skew: { min: 0, max: 1 } }
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
    const after = merge(
      { cooldownStartedAt: now - 9, windows: [old] },
      { cooldownStartedAt: now - 5, windows: [fresh] },
    )
    expect(after.windows).toEqual([{ ...old, resetAt: now - 5 }, fresh])
    expect(
      merge({ cooldownStartedAt: now - 5, windows: [fresh] }, { cooldownStartedAt: now - 9, windows: [old] }).windows,
    ).toEqual([fresh, { ...old, resetAt: now - 5 }])
  })

  it('of the units spent, those count where more were', () => {
    const [few, many] = [
      [
        { at: now - 2, count: 1 },
        { at: now - 1, count: 2 },
      ],
      [{ at: now - 9, count: 4 }],
    ]
    expect(merge({ localUsage: few }, { localUsage: many }).localUsage).toEqual(many)
    expect(merge({ localUsage: many }, { localUsage: few }).localUsage).toEqual(many)
    const same = [{ at: now - 5, count: 3 }]
    expect(merge({ localUsage: same }, { localUsage: few }).localUsage).toEqual(same)
  })

  it('requests of both are under way, but for those that have run out', () => {
    const held = (until: number) => ({ sentAt: now - 9, until })
    const after = merge(
      { inFlight: { a: held(now + 60), over: held(now + 50) } },
      { updatedAt: now + 50, inFlight: { b: held(now + 51) } },
    )
    expect(after.inFlight).toEqual({ a: held(now + 60), b: held(now + 51) })
  })
})

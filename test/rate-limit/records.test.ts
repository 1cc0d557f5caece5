import { describe, expect, it, test } from 'vitest'
import {
  type Failures,
  type GateRecord,
  type GateWindow,
  emptyRecord,
  noFailures,
} from '../../src/rate-limit/GateRecord.ts'
import { day } from '../../src/rate-limit/plan.ts'
import { isOutdated, mergeRecords, readRecord } from '../../src/rate-limit/records.ts'

const now = 1_000_000_000_000
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: now + 30_000,
  resetAt: now + 30_000,
  span: 30_000,
  ...fields,
})
const older: GateRecord = {
  updatedAt: now,
  cooldownUntil: now + 5,
  cooldownStartedAt: now - 5,
  cooldownOwner: 'one',
  clearedAt: 0,
  consecutiveRefusals: 3,
  failures: { ...noFailures, count: 2 },
  windows: [gateWindow(), gateWindow({ limit: 1_000 })],
  maxInFlight: 4,
  localUsage: [{ at: now - 10, count: 2 }],
  inFlight: { a: { count: 1, since: now - 5, until: now + 20 } },
  lostUnits: 7,
  waiting: {},
  skew: { min: -7, max: 9 },
}
const newer: GateRecord = {
  updatedAt: now + 50,
  cooldownUntil: now + 1,
  cooldownStartedAt: now - 9,
  cooldownOwner: 'other',
  clearedAt: 0,
  consecutiveRefusals: 1,
  failures: noFailures,
  windows: [],
  maxInFlight: 2,
  localUsage: [],
  inFlight: {},
  lostUnits: 7,
  waiting: {},
  skew: { min: 0, max: 1 },
}
const merge = (one: Partial<GateRecord>, other: Partial<GateRecord>) =>
  mergeRecords({ ...emptyRecord, updatedAt: now, ...one }, { ...emptyRecord, updatedAt: now, ...other })

it('takes the stricter cool-down, counts and maxInFlight', () => {
  const stricter = {
    cooldownUntil: now + 5,
    cooldownStartedAt: now - 5,
    cooldownOwner: 'one',
    clearedAt: 0,
    consecutiveRefusals: 3,
    failures: { count: 2 },
    maxInFlight: 2,
  }
  expect(mergeRecords(older, newer)).toMatchObject(stricter)
  expect(mergeRecords(newer, older)).toMatchObject(stricter)
})

describe('a reset', () => {
  const reset = { ...emptyRecord, clearedAt: now - 2, updatedAt: now }

  it('that one record has missed forgets what that record knows, but not its requests in flight', () => {
    const { updatedAt, inFlight, lostUnits, skew } = older
    const merged = { ...emptyRecord, clearedAt: now - 2, updatedAt, inFlight, lostUnits, skew }
    expect(mergeRecords(older, reset)).toEqual(merged)
    expect(mergeRecords(reset, older)).toEqual({ ...merged, skew: emptyRecord.skew })
  })

  it('keeps a cool-down that started later', () => {
    const later = { ...older, cooldownStartedAt: now - 1 }
    expect(mergeRecords(later, reset)).toMatchObject({ cooldownUntil: now + 5, clearedAt: now - 2 })
    expect(mergeRecords(reset, later)).toMatchObject({ cooldownUntil: now + 5, clearedAt: now - 2 })
  })
})

it('takes the time and the skew of the newer record, and of the first one if both have the same time', () => {
  const expected = { updatedAt: now + 50, skew: { min: 0, max: 1 } }
  expect(mergeRecords(older, newer)).toMatchObject(expected)
  expect(mergeRecords(newer, older)).toMatchObject(expected)
  expect(merge({ skew: older.skew }, { skew: newer.skew }).skew).toEqual(older.skew)
})

it('takes the smaller remaining and the earlier end of the same window', () => {
  const one = gateWindow({ remaining: 8, resetAt: now + 1 })
  const other = gateWindow({ remaining: 3, resetAt: now + 2 })
  const merged = [gateWindow({ remaining: 3, resetAt: now + 1 })]
  expect(merge({ windows: [one] }, { windows: [other] }).windows).toEqual(merged)
  expect(merge({ windows: [other] }, { windows: [one] }).windows).toEqual(merged)
})

it('takes the later of two windows of one limit', () => {
  const next = gateWindow({ reset: now + 90_000, remaining: 59 })
  expect(merge({ windows: [gateWindow()] }, { windows: [next] }).windows).toEqual([next])
  expect(merge({ windows: [next] }, { windows: [gateWindow()] }).windows).toEqual([next])
})

it('keeps windows that only one record has', () => {
  const [hourly, daily] = [gateWindow({ limit: 300 }), gateWindow({ limit: 1_000 })]
  const four = gateWindow({ remaining: 4 })
  expect(merge({ windows: [gateWindow(), daily] }, { windows: [hourly, four] }).windows).toEqual([four, daily, hourly])
})

it('ends windows that were announced before the last cool-down', () => {
  const [outdated, current] = [gateWindow({ limit: 1_000 }), gateWindow()]
  const before = { cooldownStartedAt: now - 9, windows: [outdated] }
  const after = { cooldownStartedAt: now - 5, windows: [current] }
  expect(merge(before, after).windows).toEqual([{ ...outdated, resetAt: now - 5 }, current])
  expect(merge(after, before).windows).toEqual([current, { ...outdated, resetAt: now - 5 }])
})

it('takes the local usage with more units', () => {
  const three = [
    { at: now - 2, count: 1 },
    { at: now - 1, count: 2 },
  ]
  const four = [{ at: now - 9, count: 4 }]
  expect(merge({ localUsage: three }, { localUsage: four }).localUsage).toEqual(four)
  expect(merge({ localUsage: four }, { localUsage: three }).localUsage).toEqual(four)
  const sameCount = [{ at: now - 5, count: 3 }]
  expect(merge({ localUsage: sameCount }, { localUsage: three }).localUsage).toEqual(sameCount)
})

it('keeps the requests in flight of both records, except expired ones', () => {
  const request = (until: number) => ({ count: 1, since: now - 5, until })
  const merged = merge(
    { inFlight: { a: request(now + 60), expired: request(now + 50) } },
    { updatedAt: now + 50, inFlight: { b: request(now + 51) } },
  )
  expect(merged.inFlight).toEqual({ a: request(now + 60), b: request(now + 51) })
})

it('of a batch that both records know, keeps the larger count', () => {
  const batch = (count: number) => ({ count, since: now - 5, until: now + 60 })
  const both = (one: number, other: number) =>
    merge({ inFlight: { a: batch(one) } }, { inFlight: { a: batch(other) } }).inFlight
  expect([both(3, 1), both(1, 3)]).toEqual([{ a: batch(3) }, { a: batch(3) }])
})

it('takes the larger count of lost units, and what the newer record knows of each page that waits', () => {
  const page = (served: number) => ({ user: true, background: false, from: now, served })
  const one = { lostUnits: 5, waiting: { a: page(1), b: page(1) } }
  const other = { updatedAt: now + 1, lostUnits: 3, waiting: { b: page(2), c: page(2) } }
  const merged = { lostUnits: 5, waiting: { a: page(1), b: page(2), c: page(2) } }
  expect(merge(one, other)).toMatchObject(merged)
  expect(merge(other, one)).toMatchObject(merged)
})

describe('failures', () => {
  const mergeFailures = (one: Partial<Failures>, other: Partial<Failures>) => {
    const [first, second] = [{ failures: { ...noFailures, ...one } }, { failures: { ...noFailures, ...other } }]
    const merged = merge(first, second).failures
    expect(merge(second, first).failures).toEqual(merged)
    return merged
  }

  it('are those of the record that knows the later success', () => {
    const merged = mergeFailures({ succeededAt: now - 50, count: 2 }, { succeededAt: now - 9, count: 1 })
    expect(merged).toMatchObject({ succeededAt: now - 9, count: 1 })
    expect(mergeFailures({ succeededAt: now - 9, count: 2 }, { succeededAt: now - 9 }).count).toBe(2)
  })

  it('keep the pause that ends last, unless there was a success since it began', () => {
    const pause = { count: 3, pauses: 2, pausedAt: now - 20, pauseUntil: now + 4_000 }
    const shorter = { count: 5, pauses: 1, pausedAt: now - 10, pauseUntil: now + 900 }
    expect(mergeFailures(pause, shorter)).toMatchObject({ pauses: 2, pauseUntil: now + 4_000 })
    expect(mergeFailures(pause, { succeededAt: now - 30 })).toMatchObject({ ...pause, succeededAt: now - 30 })
    expect(mergeFailures(pause, { succeededAt: now - 19 })).toMatchObject({ pauseUntil: 0, count: 0 })
    expect(mergeFailures(pause, { ...shorter, succeededAt: now - 19 })).toMatchObject({ ...shorter })
  })

  it('keep the slower pace of a gateway', () => {
    const paceOf = (gap: number) => ({ gateway: { ...noFailures.gateway, gap } })
    expect(mergeFailures(paceOf(2_000), paceOf(1_000))).toMatchObject(paceOf(2_000))
  })

  it('keep the latest hold of each address, and of too many those that end last', () => {
    const held = (retryAt: number, failedAt = now) => ({ failedAt, retryAt, status: 503 })
    expect(mergeFailures({ addresses: { a: held(5) } }, { addresses: { a: held(9), b: held(1) } }).addresses).toEqual({
      a: held(9),
      b: held(1),
    })
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [String(from + index), held(from + index)]))
    expect(mergeFailures({ addresses: many(0, 16) }, { addresses: many(8, 16) }).addresses).toEqual(many(8, 16))
    // One that is known to both for different times keeps the later one.
    const both = mergeFailures(
      { addresses: { ...many(1, 15), x: held(0) } },
      { addresses: { ...many(31, 15), x: held(99) } },
    )
    expect(both.addresses).toEqual({ ...many(31, 15), x: held(99) })
  })
})

describe('readRecord', () => {
  const storedWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
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
    cooldownOwner: 'one',
    clearedAt: 0,
    consecutiveRefusals: 3,
    failures: {
      ...noFailures,
      count: 2,
      addresses: { orders: { failedAt: now, retryAt: now + 5, status: 503 } },
    },
    windows: [storedWindow(), storedWindow({ limit: 1_000 })],
    maxInFlight: 4,
    localUsage: [{ at: now - 10, count: 2 }],
    inFlight: { a: { count: 1, since: now - 5, until: now + 20 } },
    lostUnits: 7,
    waiting: { page: { user: true, background: false, from: now + 5, served: 3 } },
    skew: { min: -7, max: 9 },
  }

  it('reads a record as it was written', () => {
    expect(readRecord(full)).toEqual(full)
    expect(readRecord(JSON.parse(JSON.stringify(full)))).toEqual(full)
    const inFlight = {
      a: { count: 1_000, since: now - 5, until: now + 20, owner: 'page' },
      b: { count: 2, since: now - 5, until: now + 9 },
    }
    expect(readRecord({ ...full, inFlight })).toEqual({ ...full, inFlight })
  })

  it.for([undefined, null, 0, 5, '', 'record', true, [], [full], {}, Symbol('s'), () => full])(
    'reads %s as an empty record',
    (stored) => {
      expect(readRecord(stored)).toEqual(emptyRecord)
    },
  )

  it('accepts a record with additional fields', () => {
    expect(readRecord({ ...full, more: 1 })).toMatchObject(full)
  })

  describe('keeps only the cool-down of a record', () => {
    const { updatedAt, cooldownUntil } = full
    const onlyCooldown = { ...emptyRecord, updatedAt, cooldownUntil }
    const slice = { at: now - 10, count: 2 }
    const { addresses: _addresses, gateway, ...failureNumbers } = noFailures
    const address = { failedAt: now, retryAt: now + 5, status: 503 }
    const request = { count: 1, since: now - 5, until: now + 20 }

    it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '5', {}, [5], 5n, true])(
      'in which a number is %s',
      (invalid) => {
        const invalidFields: object[] = [
          { cooldownStartedAt: invalid },
          { consecutiveRefusals: invalid },
          ...Object.keys(failureNumbers).map((field) => ({ failures: { ...full.failures, [field]: invalid } })),
          ...Object.keys(address).map((field) => ({
            failures: { ...full.failures, addresses: { a: { ...address, [field]: invalid } } },
          })),
          ...Object.keys(gateway).map((field) => ({
            failures: { ...full.failures, gateway: { ...gateway, [field]: invalid } },
          })),
          { maxInFlight: invalid },
          ...Object.keys(storedWindow()).map((field) => ({
            windows: [storedWindow(), { ...storedWindow(), [field]: invalid }],
          })),
          ...(invalid === undefined
            ? []
            : [{ windows: [storedWindow({ ...({ contradictions: invalid } as object) })] }]),
          ...Object.keys(slice).map((field) => ({ localUsage: [slice, { ...slice, [field]: invalid }] })),
          { lostUnits: invalid },
          ...['user', 'background', 'from', 'served'].map((field) => ({
            waiting: { page: { ...full.waiting['page'], [field]: field in { user: 1, background: 1 } ? 5 : invalid } },
          })),
          ...['count', 'since', 'until'].map((field) => ({
            inFlight: { a: request, b: { ...request, [field]: invalid } },
          })),
        ]
        for (const fields of invalidFields) expect(readRecord({ ...full, ...fields })).toEqual(onlyCooldown)
      },
    )

    it.each([undefined, null, 'ab', 5, { length: 1, 0: storedWindow() }, [null], [7]])(
      'in which a list is %j',
      (invalid) => {
        expect(readRecord({ ...full, windows: invalid })).toEqual(onlyCooldown)
        expect(readRecord({ ...full, localUsage: invalid })).toEqual(onlyCooldown)
      },
    )

    it.each([
      ['windows', { windows: Array.from({ length: 1_001 }, (_, limit) => storedWindow({ limit })) }],
      ['slices of usage', { localUsage: Array.from({ length: 1_001 }, () => slice) }],
      [
        'batches in flight',
        { inFlight: Object.fromEntries(Array.from({ length: 513 }, (_, id) => [id, full.inFlight['a']])) },
      ],
    ])('with too many %s', (_, fields) => {
      expect(readRecord({ ...full, ...fields })).toEqual(onlyCooldown)
    })

    it('in which too many pages wait', () => {
      const pages = (length: number) =>
        Object.fromEntries(Array.from({ length }, (_, index) => [`page-${index}`, full.waiting['page']]))
      expect(readRecord({ ...full, waiting: pages(34) })).toEqual(onlyCooldown)
      expect(readRecord({ ...full, waiting: pages(33) })).toEqual({ ...full, waiting: pages(33) })
    })

    it.each([undefined, null, 'ab', 5, { a: null }, [7]])('in which inFlight or waiting is %j', (invalid) => {
      expect(readRecord({ ...full, inFlight: invalid })).toEqual(onlyCooldown)
      expect(readRecord({ ...full, waiting: invalid })).toEqual(onlyCooldown)
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
    ])('in which the skew is %j', (skew) => {
      expect(readRecord({ ...full, skew })).toEqual(onlyCooldown)
    })

    it.each([0, 0.5])('in which maxInFlight is %d', (maxInFlight) => {
      expect(readRecord({ ...full, maxInFlight })).toEqual(onlyCooldown)
    })

    it.for([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '5', {}, 5n])(
      'but nothing of one in which cooldownUntil or updatedAt is %s',
      (invalid) => {
        expect(readRecord({ ...full, cooldownUntil: invalid })).toEqual(emptyRecord)
        expect(readRecord({ ...full, updatedAt: invalid })).toEqual(emptyRecord)
      },
    )
  })

  describe('limits all times to a day after the record was written', () => {
    const latest = now + day + 1_000
    const valid = { count: 1, since: now - 5, until: now + 1 }

    it('and keeps times up to that limit', () => {
      const record: GateRecord = {
        ...full,
        cooldownUntil: latest,
        windows: [storedWindow({ resetAt: latest })],
        localUsage: [{ at: latest, count: 1 }],
        inFlight: { a: { count: 1, since: now - 5, until: latest } },
      }
      expect(readRecord(record)).toEqual(record)
    })

    it.each<[string, Partial<GateRecord>, Partial<GateRecord>]>([
      ['cooldownUntil', { cooldownUntil: latest + 1 }, { cooldownUntil: latest }],
      ['cooldownStartedAt', { cooldownStartedAt: latest + 1 }, { cooldownStartedAt: latest }],
      [
        'the end of a window',
        { windows: [storedWindow(), storedWindow({ limit: 1, resetAt: latest + 1 })] },
        { windows: [storedWindow(), storedWindow({ limit: 1, resetAt: latest })] },
      ],
      [
        'the time of local usage',
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
        'the expiry of a request in flight',
        { inFlight: { a: valid, b: { count: 1, since: latest + 1, until: latest + 1 } } },
        { inFlight: { a: valid, b: { count: 1, since: latest, until: latest } } },
      ],
    ])('%s', (_, invalid, repaired) => {
      expect(readRecord({ ...full, ...invalid })).toEqual({ ...full, ...repaired })
    })
  })
})

describe('isOutdated', () => {
  test.each([
    ['written more than two days before the newest', { updatedAt: now - 2 * day - 1 }, true],
    ['written two days before the newest', { updatedAt: now - 2 * day }, false],
    ['the newest', { updatedAt: now }, false],
    ['a text', 'updatedAt', true],
    ['null', null, true],
    ['undefined', undefined, true],
    ['without a time', {}, true],
    ['with an invalid time', { updatedAt: `${now}` }, true],
  ])('%s: %j is outdated: %j', (_, record, expected) => {
    expect(isOutdated(record, { updatedAt: now })).toBe(expected)
  })

  test('nothing is outdated if the newest record has no time', () => {
    expect(isOutdated({ updatedAt: 1 }, 'invalid')).toBe(false)
  })
})

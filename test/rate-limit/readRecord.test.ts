import { describe, expect, it } from 'vitest'
import { emptyRecord, type GateRecord, type GateWindow, noFailures } from '../../src/rate-limit/GateRecord.ts'
import { day } from '../../src/rate-limit/plan.ts'
import { readRecord } from '../../src/rate-limit/records.ts'

const now = 1_000_000_000_000
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
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
  clearedAt: 0,
  consecutiveRefusals: 3,
  failures: {
    ...noFailures,
    count: 2,
    addresses: { orders: { failedAt: now, retryAt: now + 5, status: 503 } },
  },
  windows: [gateWindow(), gateWindow({ limit: 1_000 })],
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
        ...Object.keys(gateWindow()).map((field) => ({
          windows: [gateWindow(), { ...gateWindow(), [field]: invalid }],
        })),
        ...(invalid === undefined ? [] : [{ windows: [gateWindow({ ...({ contradictions: invalid } as object) })] }]),
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

  it.each([undefined, null, 'ab', 5, { length: 1, 0: gateWindow() }, [null], [7]])(
    'in which a list is %j',
    (invalid) => {
      expect(readRecord({ ...full, windows: invalid })).toEqual(onlyCooldown)
      expect(readRecord({ ...full, localUsage: invalid })).toEqual(onlyCooldown)
    },
  )

  it.each([
    ['windows', { windows: Array.from({ length: 1_001 }, (_, limit) => gateWindow({ limit })) }],
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
      windows: [gateWindow({ resetAt: latest })],
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
      { windows: [gateWindow(), gateWindow({ limit: 1, resetAt: latest + 1 })] },
      { windows: [gateWindow(), gateWindow({ limit: 1, resetAt: latest })] },
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

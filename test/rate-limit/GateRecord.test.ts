import { describe, expect, test } from 'vitest'
import {
  emptyRecord,
  joinRecords,
  readRecord,
  rebaseAfterClockRollback,
  shiftTimes,
  unitsOf,
} from '../../src/rate-limit/GateRecord.ts'
import { day, minute } from '../../src/rate-limit/plan.ts'
import { recentUsage } from '../../src/rate-limit/windows.ts'
import { now, pace, recordWith, windowWith } from './gate.setup.ts'

const page = { inFlight: 2, since: now, expiresAt: now + 31_000, waitsUntil: 0, hasUserRequest: false }
const full = recordWith({
  cooldownUntil: now + 20_000,
  windows: [windowWith(5)],
  localUsage: [{ at: now, count: 3 }],
  pages: { a: page },
})

test('a record stays small: with one item in each list it has at most 24 values', () => {
  const fields = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 1
      : Object.values(value).reduce<number>((sum, field) => sum + fields(field), 0)
  expect(fields(full)).toBeLessThanOrEqual(24)
})

describe('what a store holds', () => {
  test('is read as it was written', () => {
    expect(readRecord(JSON.parse(JSON.stringify(full)))).toEqual(full)
  })

  test.each([
    ['a field too many', { ...full, clearedAt: 0 }],
    ['a field too few', { ...full, pages: undefined }],
    ['a text for a number', { ...full, concurrency: '1' }],
    ['a negative number', { ...full, windows: [windowWith(-1)] }],
    ['1,000 items in a list', { ...full, localUsage: Array.from({ length: 1_000 }, () => ({ at: now, count: 1 })) }],
  ])('counts as empty but for its cool-down: %s', (_, stored) => {
    expect(readRecord(stored)).toEqual({ ...emptyRecord, updatedAt: now, cooldownUntil: now + 20_000 })
  })

  test.each([undefined, null, 7, 'text', [], { updatedAt: now, cooldownUntil: 'soon' }])('is empty: %j', (stored) => {
    expect(readRecord(stored)).toBe(emptyRecord)
  })

  test('holds nobody up for more than a day', () => {
    const stored = { ...full, cooldownUntil: now + 40 * day }
    expect(readRecord(stored).cooldownUntil).toBeLessThanOrEqual(now + day + 1_000)
  })
})

test('G21: two records joined have the recent units of both, and of two counts of one time the larger', () => {
  const stored = recordWith({
    localUsage: [
      { at: now - 5 * minute, count: 55 },
      { at: now - 1_000, count: 2 },
    ],
  })
  const known = recordWith({
    localUsage: [
      { at: now - 1_000, count: 3 },
      { at: now, count: 40 },
    ],
  })
  const { localUsage } = joinRecords(stored, known, 'a')
  expect(unitsOf(recentUsage({ ...stored, localUsage }, now, pace))).toBe(43)
})

describe('G2: a clock that was set back', () => {
  test('moves every time back, and forgets the skew', () => {
    const record = rebaseAfterClockRollback({ ...full, skew: { min: 0, max: 1 } }, now - 60_000)
    expect(record).toMatchObject({ cooldownUntil: now - 40_000, windows: [{ resetAt: now }], skew: emptyRecord.skew })
  })

  test('by a second at most changes nothing: the clocks of two tabs may differ by that', () => {
    expect(rebaseAfterClockRollback(full, now - 1_000)).toBe(full)
  })
})

describe('G21: two records joined', () => {
  const stored = recordWith({ cooldownUntil: now + 5_000, windows: [windowWith(9)], updatedAt: now + 1 })

  test('keep the later cool-down, and the windows of the record that has it', () => {
    const joined = joinRecords(stored, full, 'a')
    expect(joined.cooldownUntil).toBe(now + 20_000)
    expect(joined.windows).toEqual(full.windows)
  })

  test('keep the smaller `remaining` of a window in both, and the larger `unreportedUnits`', () => {
    const same = { ...stored, cooldownUntil: full.cooldownUntil, unreportedUnits: 4 }
    expect(joinRecords(same, full, 'a')).toMatchObject({ windows: [{ remaining: 5 }], unreportedUnits: 4 })
  })

  test('keep what the page knows of itself, and what the store knows of all other pages', () => {
    const others = { a: { ...page, inFlight: 9 }, b: { ...page, inFlight: 1 } }
    const known = { ...full, pages: { a: page, c: { ...page, inFlight: 7 } } }
    expect(joinRecords({ ...stored, pages: others }, known, 'a').pages).toEqual({ a: page, b: others.b })
  })

  test('are the one that was reset more often', () => {
    const reset = recordWith({ resets: 1 })
    expect(joinRecords(stored, reset, 'a')).toBe(reset)
  })
})

test('`shiftTimes` translates a record for a machine whose clock is an hour ahead, and back', () => {
  const shifted = shiftTimes(full, 3_600_000)
  expect(shifted).toMatchObject({ cooldownUntil: now + 3_620_000 })
  expect(shiftTimes(shifted, -3_600_000)).toEqual(full)
  expect(shiftTimes('no record', 5)).toBe('no record')
})

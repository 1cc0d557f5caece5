import { describe, expect, it } from 'vitest'
import type { UsageSlice } from '../../src/rate-limit/GateRecord.ts'
import { addLocalUsage, countUnits, paceOpensAt } from '../../src/rate-limit/windows.ts'

const now = 1_000_000_000_000
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

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createUserShares, type UserShares } from '../../src/server/userShares.ts'
import { runs } from '../rate-limit/runs.ts'

const start = 1_000_000
const minute = { limit: 60, resetAt: start + 60_000 }

/** Takes units as long as there are any for the user. Returns how many. */
function takeAll(shares: UserShares, user: string, left: number, now = start): number {
  shares.touch(user, now)
  let taken = 0
  for (; shares.unitsOf(user, left - taken, now) > 0; taken += 1) shares.use(user, now)
  return taken
}

function begin(hasNewcomers = true): UserShares {
  const shares = createUserShares(hasNewcomers)
  shares.beginWindow(minute, start)
  return shares
}

describe('the share of a user', () => {
  test('is nine tenths for one alone, who sees so many from the start', () => {
    const shares = begin()
    expect(shares.unitsOf('ann', 60, start)).toBe(54)
    expect(takeAll(shares, 'ann', 60)).toBe(54)
  })

  test('is everything where nobody else can come', () => {
    expect(takeAll(begin(false), 'ann', 60)).toBe(60)
  })

  test.each([
    [1, 1],
    [2, 1],
    [5, 4],
    [10, 9],
    [1_000, 900],
  ])('of %i units is %i', (left, share) => {
    expect(takeAll(begin(), 'ann', left)).toBe(share)
  })

  test('leaves newcomers units that somebody greedy has not got', () => {
    const shares = begin()
    expect(takeAll(shares, 'greedy', 60)).toBe(54)
    expect(takeAll(shares, 'ann', 6)).toBe(5)
    expect(takeAll(shares, 'bob', 1)).toBe(1)
  })

  test('is equal for those who come together, and stays while they use it', () => {
    const shares = begin()
    for (const user of ['ann', 'bob', 'eve']) shares.touch(user, start)
    const unitsOf = (user: string, left: number) => shares.unitsOf(user, left, start)
    expect(['ann', 'bob', 'eve'].map((user) => unitsOf(user, 60))).toEqual([19, 19, 19])
    for (let unit = 0; unit < 19; unit += 1) shares.use('ann', start)
    expect(['ann', 'bob', 'eve'].map((user) => unitsOf(user, 41))).toEqual([0, 19, 19])
    for (let unit = 0; unit < 19; unit += 1) shares.use('bob', start)
    expect(['ann', 'bob', 'eve'].map((user) => unitsOf(user, 22))).toEqual([0, 0, 19])
  })

  test('is at least one unit for each who has none, while units are left', () => {
    const shares = begin()
    for (let user = 0; user < 100; user += 1) shares.touch(String(user), start)
    for (let user = 0; user < 60; user += 1) {
      expect(shares.unitsOf(String(user), 60 - user, start)).toBe(1)
      shares.use(String(user), start)
      expect(shares.unitsOf(String(user), 59 - user, start)).toBe(0)
    }
  })

  test('grows when others are gone, and shrinks when they come', () => {
    const shares = begin()
    shares.touch('bob', start)
    shares.touch('ann', start)
    expect(shares.unitsOf('ann', 60, start)).toBe(28)
    // A steady use of bob's half needs 25 units, rounded up, in the rest of the window.
    expect(shares.unitsOf('ann', 60, start + 9_999)).toBe(30)
    shares.touch('ann', start + 9_999)
    expect(shares.unitsOf('ann', 60, start + 10_000)).toBe(54)
    shares.touch('bob', start + 10_000)
    expect(shares.unitsOf('ann', 60, start + 10_000)).toBe(31)
  })

  test('counts what a user took before a break', () => {
    const shares = begin()
    takeAll(shares, 'ann', 60)
    expect(takeAll(shares, 'ann', 6, start + 13_000)).toBe(0)
    // By then newcomers have lost three units that were kept for them.
    expect(shares.unitsOf('ann', 6, start + 40_000)).toBe(3)
  })

  test('grows where nobody comes, at the times that are told, until a sixtieth is left', () => {
    const shares = begin()
    takeAll(shares, 'ann', 60)
    const times: number[] = []
    let left = 6
    for (let now = start; now < minute.resetAt; now = shares.nextAt('ann', left, now) ?? Infinity) {
      expect(shares.unitsOf('ann', left, now - 1)).toBe(0)
      const units = takeAll(shares, 'ann', left, now)
      expect(units).toBe(times.length === 0 ? 0 : 1)
      left -= units
      times.push(now)
    }
    expect(left).toBe(1)
    expect(times.length).toBe(6)
  })

  test('is whole again in the next window, also where its reset comes before the old one was over', () => {
    for (const [window, now] of [
      [{ limit: undefined, resetAt: undefined }, minute.resetAt],
      [{ limit: 60, resetAt: minute.resetAt + 60_000 }, minute.resetAt - 500],
      [{ limit: 300, resetAt: minute.resetAt }, start],
    ] as const) {
      const shares = begin()
      takeAll(shares, 'ann', 60)
      shares.beginWindow(window, now)
      expect(shares.unitsOf('ann', 60, now)).toBe(54)
    }
  })

  test('is the rest of the same window, whatever second its reset is announced for', () => {
    const shares = begin()
    takeAll(shares, 'ann', 60)
    shares.beginWindow({ limit: 60, resetAt: minute.resetAt + 1_000 }, start)
    shares.beginWindow({ limit: undefined, resetAt: undefined }, start)
    shares.beginWindow({ limit: 60, resetAt: minute.resetAt - 1_000 }, start)
    expect(shares.unitsOf('ann', 6, start)).toBe(0)
  })

  test('counts what was sent before the window was known', () => {
    const shares = createUserShares(true)
    shares.beginWindow({ limit: undefined, resetAt: undefined }, start)
    shares.use('ann', start)
    shares.beginWindow(minute, start)
    expect(shares.unitsOf('ann', 59, start)).toBe(53)
  })

  test('survives a clock that is set back', () => {
    const shares = begin()
    takeAll(shares, 'ann', 60)
    expect(shares.unitsOf('ann', 6, start - 3_600_000)).toBe(0)
  })
})

test('10,000 users who are gone are remembered, and no more', () => {
  const shares = begin()
  for (let index = 0; index < 20_000; index += 1) shares.use(String(index), start)
  const later = start + 10_000
  expect(shares.unitsOf('9999', 1_001, later)).toBe(911)
  expect(shares.unitsOf('10000', 1_001, later)).toBe(910)
})

test('10,000 active users count, and no more', () => {
  const shares = begin()
  for (let index = 0; index < 20_000; index += 1) shares.touch(String(index), start)
  expect(shares.unitsOf('19999', 30_001, start)).toBe(3)
})

test('users who are gone are forgotten after a minute where no window is known', () => {
  const shares = createUserShares(true)
  for (let unit = 0; unit < 10; unit += 1) shares.use('ann', start)
  shares.touch('bob', start + 59_000)
  shares.beginWindow(minute, start + 59_000)
  expect(shares.unitsOf('ann', 50, start + 59_000)).toBe(18)
  const later = createUserShares(true)
  for (let unit = 0; unit < 10; unit += 1) later.use('ann', start)
  later.touch('bob', start + 60_000)
  later.beginWindow({ ...minute, resetAt: minute.resetAt + 60_000 }, start + 60_000)
  expect(later.unitsOf('ann', 50, start + 60_000)).toBe(23)
})

describe('spare units', () => {
  const usersOf = (count: number) => Array.from({ length: count }, (_, index) => String(index))
  function beginWith(count: number): UserShares {
    const shares = begin()
    for (const user of usersOf(count)) shares.touch(user, start)
    return shares
  }

  test('go to whoever comes first, one to each, and leave a part for newcomers', () => {
    const shares = beginWith(31)
    let left = 60
    for (const user of usersOf(31)) {
      expect(shares.unitsOf(user, left, start)).toBe(1)
      shares.use(user, start)
      left -= 1
    }
    for (const user of usersOf(28)) {
      expect(shares.spareFor(user, left, start)).toBeGreaterThan(0)
      shares.use(user, start)
      left -= 1
      expect(shares.spareFor(user, left, start)).toBe(0)
    }
    expect(left).toBe(1)
    expect(shares.spareFor('30', left, start)).toBe(0)
  })

  test('are kept for those to whom they were promised, until they have had them or are gone', () => {
    const shares = beginWith(31)
    for (const user of usersOf(31)) shares.promiseSpare(user, 60, start)
    expect(usersOf(31).filter((user) => shares.unitsOf(user, 60, start) === 2)).toHaveLength(28)
    expect(shares.spareFor('30', 60, start)).toBe(0)
    shares.use('0', start)
    shares.use('0', start)
    expect(shares.unitsOf('0', 58, start)).toBe(0)
    expect(shares.spareFor('30', 58, start)).toBe(0)
    for (const user of usersOf(31).slice(1)) shares.touch(user, start + 9_000)
    for (const user of usersOf(31).slice(2)) shares.touch(user, start + 18_000)
    // User 1 is gone, and another one is promised that unit.
    shares.promiseSpare('30', 58, start + 19_000)
    expect(shares.unitsOf('30', 58, start + 19_000)).toBe(2)
  })
})

describe('a unit that a user was told of', () => {
  const others = Array.from({ length: 20 }, (_, index) => String(index))

  function beginWithAnn(): UserShares {
    const shares = begin()
    for (let unit = 0; unit < 10; unit += 1) shares.use('ann', start)
    shares.keep('ann', 1)
    for (const user of others) shares.touch(user, start)
    return shares
  }

  test('is kept, whoever comes', () => {
    const shares = beginWithAnn()
    expect(shares.unitsOf('ann', 50, start)).toBe(1)
    expect(shares.unitsOf('0', 22, start)).toBe(1)
    shares.use('ann', start)
    expect(shares.unitsOf('ann', 49, start)).toBe(0)
  })

  test('is missing to the others, other than to one who has had nothing', () => {
    const shares = beginWithAnn()
    for (const user of others) expect(takeAll(shares, user, 1)).toBe(1)
    expect(shares.unitsOf('0', 21, start)).toBe(0)
    shares.touch('new', start)
    expect(shares.unitsOf('new', 1, start)).toBe(1)
  })

  test('is kept no longer than the user is active, or the window lasts', () => {
    const shares = beginWithAnn()
    for (const user of others) shares.touch(user, start + 9_000)
    expect(shares.unitsOf('ann', 50, start + 9_999)).toBe(1)
    expect(shares.unitsOf('ann', 50, start + 10_000)).toBe(0)
    const next = beginWithAnn()
    next.beginWindow({ limit: 60, resetAt: start + 120_000 }, start + 5_000)
    expect(next.count(60, start + 5_000)).toMatchObject({ within: 21, usedWithin: 0, kept: 0 })
  })

  test('counts as used for the other processes of a fleet', () => {
    expect(beginWithAnn().count(50, start)).toMatchObject({ within: 20, beyond: 1, usedBeyond: 11, kept: 1 })
    const ofAnn = { id: 'a', within: 0, usedWithin: 0, beyond: 1, usedBeyond: 11, promised: 0 }
    const levelBeside = (kept: number) => {
      const known = [{ ...ofAnn, kept }]
      const shares = createUserShares(true, () => false, { readOthers: () => known })
      shares.beginWindow(minute, start)
      for (const user of others) shares.touch(user, start)
      return shares.unitsOf('0', 41, start)
    }
    expect([levelBeside(0), levelBeside(1)]).toEqual([2, 1])
  })
})

/** The same by search: the highest level that the units left suffice for. */
function unitsBySearch(used: readonly number[], user: number, left: number): number {
  const missing = (level: number) => used.reduce((sum, other) => sum + Math.max(0, level - other), level / 9)
  let low = 0
  let high = left + Math.max(...used)
  for (let step = 0; step < 60; step += 1) {
    const level = (low + high) / 2
    if (missing(level) > left) high = level
    else low = level
  }
  const units = Math.min(left, Math.max(0, low - (used[user] ?? 0)))
  return Math.max(Math.floor(units + 1e-6), used[user] === 0 ? 1 : 0)
}

test('with any number of users, the units left bring those who have used least to one level', () => {
  const uses = fc.array(fc.oneof(fc.nat(3), fc.nat(60)), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(uses, fc.integer({ min: 1, max: 100 }), (used, left) => {
      const shares = begin()
      for (const [user, units] of used.entries()) {
        shares.touch(String(user), start)
        for (let unit = 0; unit < units; unit += 1) shares.use(String(user), start)
      }
      for (const user of used.keys()) {
        expect(shares.unitsOf(String(user), left, start)).toBe(unitsBySearch(used, user, left))
      }
    }),
    { ...runs, numRuns: Math.min(runs.numRuns, 500) },
  )
})

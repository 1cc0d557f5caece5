import { beforeEach, expect, it } from 'vitest'
import { createHeldUnits, type HeldUnits } from '../../../src/rate-limit/fleet/heldUnits.ts'

let now: number
let held: HeldUnits

const allotment = (count: number, batch = 'a') => ({ batch, count, until: 1_000 })

beforeEach(() => {
  now = 0
  held = createHeldUnits(() => now)
  held.commit(held.propose(allotment(10)))
})

it('units can be used until their time is over, and are then given back', () => {
  held.use(4)
  expect([held.available(), held.unused]).toEqual([6, 6])
  now = 1_000
  expect([held.available(), held.unused]).toEqual([0, 6])
})

it('before an update has decided, they can be used as before', () => {
  held.begin(undefined)
  expect(held.available()).toBe(10)
})

it('while an update is under way, only those can be used that are held before and after it', () => {
  held.use(2)
  held.begin(held.propose(allotment(5)))
  expect(held.available()).toBe(5)
  held.use(3)
  expect(held.available()).toBe(2)
  // Another process was faster, so the update decides again.
  held.begin(held.propose(allotment(20)))
  expect(held.available()).toBe(5)
})

it('what was used during an update counts in the new allotment', () => {
  held.use(2)
  const proposed = held.propose(allotment(8))
  held.begin(proposed)
  held.use(3)
  held.commit(proposed)
  expect([held.available(), held.unused]).toEqual([5, 5])
})

it('none can be used while they move to another batch', () => {
  const proposed = held.propose(allotment(8, 'b'))
  held.begin(proposed)
  expect(held.available()).toBe(0)
  held.commit(proposed)
  expect([held.available(), held.batch]).toEqual([8, 'b'])
})

it('they are low where an eighth is left, as long as no update takes others', () => {
  held.use(8)
  expect(held.isLow).toBe(false)
  held.use(1)
  expect(held.isLow).toBe(true)
  const proposed = held.propose(allotment(0))
  held.begin(proposed)
  expect(held.isLow).toBe(false)
  held.commit(proposed)
  // The store has none to give: it is not asked again and again.
  expect(held.isLow).toBe(false)
})

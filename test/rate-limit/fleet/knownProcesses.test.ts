import { beforeEach, expect, it } from 'vitest'
import { createKnownProcesses, type KnownProcesses } from '../../../src/rate-limit/fleet/createFleetStore.ts'

let now: number
let processes: KnownProcesses

beforeEach(() => {
  now = 1_000_000
  processes = createKnownProcesses(() => now)
  processes.learn(4, 4)
})

const seen = () => [processes.count, processes.areComplete, processes.since]

it('are as many as the store says', () => {
  expect(seen()).toEqual([4, true, undefined])
  processes.learn(5, 5)
  expect(seen()).toEqual([5, true, undefined])
})

it('are those of before a failure until all of them are back, whatever the store has forgotten', () => {
  processes.fail()
  expect(seen()).toEqual([4, false, 1_000_000])
  now += 5_000
  processes.learn(1, 1)
  processes.learn(3, 3)
  expect(seen()).toEqual([4, false, 1_000_000])
  processes.learn(4, 4)
  expect(seen()).toEqual([4, true, undefined])
})

it('have to be back since the last failure of several', () => {
  processes.fail()
  now += 2_000
  processes.fail()
  expect(seen()).toEqual([4, false, 1_002_000])
})

it('are gone if they are not back half a minute after the store', () => {
  processes.fail()
  now += 60_000
  processes.learn(4, 1)
  now += 30_999
  processes.learn(3, 2)
  expect(processes.areComplete).toBe(false)
  now += 1
  processes.learn(2, 2)
  expect(seen()).toEqual([2, true, undefined])
})

import { expect, test } from 'vitest'
import { createRedisClock } from '../../src/server/redis/redisClock.ts'

const hour = 3_600_000

function setup() {
  const machine = { now: 1_000_000, monotonic: 5_000 }
  const clock = createRedisClock(
    () => machine.now,
    () => machine.monotonic,
  )
  return {
    machine,
    clock,
    /** Redis names a time in the middle of a round trip. */
    learn: (time: number, roundTrip = 0) => clock.learn(time - roundTrip / 2, machine.monotonic - roundTrip),
  }
}

test("is the machine's clock until Redis has named a time", () => {
  const { machine, clock, learn } = setup()
  expect(clock.now()).toBe(1_000_000)
  learn(1_000_000 + hour)
  expect(clock.now()).toBe(1_000_000 + hour)
  machine.monotonic += 500
  expect(clock.now()).toBe(1_000_500 + hour)
})

test('does not move when the clock of the machine is set', () => {
  const { machine, clock, learn } = setup()
  learn(2_000_000)
  machine.now += hour
  expect(clock.now()).toBe(2_000_000)
})

test('does not move while the responses of Redis agree with it, however long they take', () => {
  const { machine, clock, learn } = setup()
  learn(2_000_000, 2)
  for (const roundTrip of [300, 0, 80, 1]) {
    machine.monotonic += 1_000
    const before = clock.now()
    learn(before, roundTrip)
    expect(clock.now()).toBe(before)
  }
})

test('moves as far as a response contradicts it', () => {
  const { clock, learn } = setup()
  learn(2_000_000, 100)
  learn(2_000_040, 20)
  expect(clock.now()).toBe(2_000_030)
  learn(1_000_000)
  expect(clock.now()).toBe(1_000_001)
})

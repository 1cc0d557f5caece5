import { expect, it } from 'vitest'
import { createWakeTimer } from '../../src/base/Clock.ts'
import { createVirtualClock } from '../rate-limit/virtualClock.ts'

function setup() {
  const clock = createVirtualClock(1_000)
  const wakes: number[] = []
  const timer = createWakeTimer(clock, () => wakes.push(clock.now()))
  return { clock, wakes, timer }
}

it('fires at its time, or 1 ms from now if its time has passed', async () => {
  const { clock, wakes, timer } = setup()
  timer.set(1_500)
  await clock.run()
  timer.set(1_200)
  await clock.run()
  expect(wakes).toEqual([1_500, 1_501])
})

it('fires only for the time that was set last', async () => {
  const { clock, wakes, timer } = setup()
  timer.set(1_500)
  timer.set(1_200)
  await clock.run()
  expect(wakes).toEqual([1_200])
})

it('does not fire when it is canceled, or set to Infinity', async () => {
  const { clock, wakes, timer } = setup()
  timer.set(1_500)
  timer.cancel()
  timer.set(1_500)
  timer.set(Number.POSITIVE_INFINITY)
  await clock.run()
  expect([wakes, clock.now()]).toEqual([[], 1_000])
})

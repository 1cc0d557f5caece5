import { expect, test } from 'vitest'
import { sleep } from '../../src/client/sleep.ts'
import type { Clock } from '../../src/rate-limit/Clock.ts'

/** A clock with one timer. `ring` fires the timer and moves the time by any amount. */
function createManualClock() {
  let now = 1_000_000
  const timers: number[] = []
  let wakeUp = () => {}
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    wakeAfter: (ms, wake) => {
      timers.push(ms)
      wakeUp = wake
      return () => {}
    },
  }
  const ring = async (elapsed: number) => {
    now += elapsed
    wakeUp()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { clock, timers, ring }
}

function start(ms: number) {
  const { clock, timers, ring } = createManualClock()
  const pause = { isOver: false, timers, ring }
  void sleep(ms, clock, new AbortController().signal).then(() => {
    pause.isOver = true
  })
  return pause
}

test('a timer that fires early is set again for the rest', async () => {
  const pause = start(500)
  await pause.ring(200)
  expect(pause).toMatchObject({ isOver: false, timers: [500, 300] })
  await pause.ring(300)
  expect(pause.isOver).toBe(true)
})

test('a clock that is set back by an hour does not extend the pause', async () => {
  const pause = start(500)
  await pause.ring(-3_600_000)
  expect(pause).toMatchObject({ isOver: true, timers: [500] })
})

test('a clock that is set forward ends the pause when the timer fires', async () => {
  const pause = start(500)
  await pause.ring(3_600_000)
  expect(pause.isOver).toBe(true)
})

test('a pause of 0 ms sets no timer', async () => {
  expect(start(0).timers).toEqual([])
})

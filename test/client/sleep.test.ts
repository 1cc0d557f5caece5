import { expect, test } from 'vitest'
import { sleep } from '../../src/client/sleep.ts'
import type { Clock } from '../../src/rate-limit/Clock.ts'

/** A clock by hand: `ring` lets its timer end, by when it may show anything. */
function createClock() {
  let now = 1_000_000
  const asked: number[] = []
  let wakeUp = () => {}
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    wakeAfter: (ms, wake) => {
      asked.push(ms)
      wakeUp = wake
      return () => {}
    },
  }
  const ring = async (shown: number) => {
    now += shown
    wakeUp()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { clock, asked, ring }
}

function start(ms: number) {
  const { clock, asked, ring } = createClock()
  const pause = { isOver: false, asked, ring }
  void sleep(ms, clock, new AbortController().signal).then(() => {
    pause.isOver = true
  })
  return pause
}

test('a timer that rings early is set again for the rest', async () => {
  const pause = start(500)
  await pause.ring(200)
  expect(pause).toMatchObject({ isOver: false, asked: [500, 300] })
  await pause.ring(300)
  expect(pause.isOver).toBe(true)
})

test('a clock that is set back by an hour does not make the pause an hour longer', async () => {
  const pause = start(500)
  await pause.ring(-3_600_000)
  expect(pause).toMatchObject({ isOver: true, asked: [500] })
})

test('a clock that is set forward ends the pause when the timer rings', async () => {
  const pause = start(500)
  await pause.ring(3_600_000)
  expect(pause.isOver).toBe(true)
})

test('no pause needs no timer', async () => {
  expect(start(0).asked).toEqual([])
})

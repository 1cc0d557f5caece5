import { expect, test } from 'vitest'
import { CallController, followSignal, sleep, untilAborted } from '../../src/base/abort.ts'
import type { Clock } from '../../src/base/Clock.ts'

/** A clock with one timer. `ring` lets `elapsed` ms pass, shifts the clock by `shift` ms, and fires the timer. */
function createManualClock() {
  let now = 1_000_000
  let monotonic = 0
  const timers: number[] = []
  let wakeUp = () => {}
  const clock: Clock = {
    now: () => now,
    monotonic: () => monotonic,
    wakeAfter: (ms, wake) => {
      timers.push(ms)
      wakeUp = wake
      return () => {}
    },
  }
  const ring = async (elapsed: number, shift = 0) => {
    monotonic += elapsed
    now += elapsed + shift
    wakeUp()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { clock, timers, ring }
}

function startPause(ms: number) {
  const { clock, timers, ring } = createManualClock()
  const pause = { isOver: false, timers, ring }
  void sleep(ms, clock, new AbortController().signal).then(() => {
    pause.isOver = true
  })
  return pause
}

test('a timer that fires early is set again for the rest', async () => {
  const pause = startPause(500)
  await pause.ring(200)
  expect(pause).toMatchObject({ isOver: false, timers: [500, 300] })
  await pause.ring(300)
  expect(pause.isOver).toBe(true)
})

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s by an hour does not change the length of a pause', async (_, shift) => {
  const pause = startPause(500)
  await pause.ring(200, shift)
  expect(pause).toMatchObject({ isOver: false, timers: [500, 300] })
  await pause.ring(300)
  expect(pause.isOver).toBe(true)
})

test('a pause of 0 ms sets no timer', async () => {
  expect(startPause(0).timers).toEqual([])
})

test('the signal of a call aborts once, with the first reason, for the listeners that are left', () => {
  const controller = new CallController()
  const calls: string[] = []
  const removed = () => void calls.push('removed')
  controller.addEventListener('abort', removed)
  controller.addEventListener('abort', () => void calls.push(String(controller.reason)))
  controller.removeEventListener('abort', removed)
  expect(controller).toMatchObject({ aborted: false, reason: undefined })
  controller.abort('first')
  controller.abort('second')
  expect(controller).toMatchObject({ aborted: true, reason: 'first' })
  expect(calls).toEqual(['first'])
})

const endless = () => new Promise<never>(() => {})

test('waiting for work rejects at once with the reason of the abort', async () => {
  const controller = new CallController()
  const before = untilAborted(controller, endless)
  controller.abort('left')
  const outcomes = await Promise.allSettled([before, untilAborted(controller, endless)])
  expect(outcomes).toMatchObject([{ reason: 'left' }, { reason: 'left' }])
})

test('a result that is no promise is returned as it is', () => {
  expect(untilAborted(new CallController(), () => 'result')).toBe('result')
})

test('a controller aborts with the signal that it follows, until it stops', () => {
  const [stopped, follower, late] = [new CallController(), new CallController(), new CallController()]
  const outer = new AbortController()
  const stop = followSignal(outer.signal, stopped)
  followSignal(outer.signal, follower)
  stop()
  outer.abort('left')
  followSignal(outer.signal, late)
  expect([stopped.reason, follower.reason, late.reason]).toEqual([undefined, 'left', 'left'])
})

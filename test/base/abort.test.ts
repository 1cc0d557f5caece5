import { expect, test } from 'vitest'
import { CallController, followSignal, sleep, untilAborted } from '../../src/base/abort.ts'
import type { Clock } from '../../src/base/Clock.ts'

/** A clock with one timer. `fireTimer` lets `elapsed` ms pass, moves the clock by `shift` ms, and fires it. */
function createManualClock() {
  let now = 1_000_000
  let monotonic = 0
  const delays: number[] = []
  let wakeUp = () => {}
  const clock: Clock = {
    now: () => now,
    monotonic: () => monotonic,
    wakeAfter: (ms, wake) => {
      delays.push(ms)
      wakeUp = wake
      return () => {}
    },
  }
  const fireTimer = async (elapsed: number, shift = 0) => {
    monotonic += elapsed
    now += elapsed + shift
    wakeUp()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { clock, delays, fireTimer }
}

function startSleep(ms: number) {
  const { clock, ...timer } = createManualClock()
  const sleeping = { ...timer, hasEnded: false }
  void sleep(ms, clock, new AbortController().signal).then(() => {
    sleeping.hasEnded = true
  })
  return sleeping
}

test('`sleep` sets a timer that fires early again, for the rest', async () => {
  const sleeping = startSleep(500)
  await sleeping.fireTimer(200)
  expect(sleeping).toMatchObject({ hasEnded: false, delays: [500, 300] })
  await sleeping.fireTimer(300)
  expect(sleeping.hasEnded).toBe(true)
})

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s by an hour does not change how long `sleep` takes', async (_, shift) => {
  const sleeping = startSleep(500)
  await sleeping.fireTimer(200, shift)
  expect(sleeping).toMatchObject({ hasEnded: false, delays: [500, 300] })
  await sleeping.fireTimer(300)
  expect(sleeping.hasEnded).toBe(true)
})

test('`sleep` of 0 ms sets no timer', async () => {
  expect(startSleep(0).delays).toEqual([])
})

test('a CallController aborts once, with the first reason, and calls no listener that was removed', () => {
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

test('`untilAborted` rejects with the reason of an abort that comes during the work, or came before it', async () => {
  const controller = new CallController()
  const before = untilAborted(controller, endless)
  controller.abort('left')
  const outcomes = await Promise.allSettled([before, untilAborted(controller, endless)])
  expect(outcomes).toMatchObject([{ reason: 'left' }, { reason: 'left' }])
})

test('`untilAborted` returns a result that is no promise as it is', () => {
  expect(untilAborted(new CallController(), () => 'result')).toBe('result')
})

test('a controller aborts with a signal that it follows, even with one that has aborted, unless it has stopped', () => {
  const [stopped, follower, late] = [new CallController(), new CallController(), new CallController()]
  const outer = new AbortController()
  const stop = followSignal(outer.signal, stopped)
  followSignal(outer.signal, follower)
  stop()
  outer.abort('left')
  followSignal(outer.signal, late)
  expect([stopped.reason, follower.reason, late.reason]).toEqual([undefined, 'left', 'left'])
})

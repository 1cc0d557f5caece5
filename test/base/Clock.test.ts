import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maxTimerDelay, systemClock } from '../../src/base/Clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('`now` is the time of the system', () => {
  expect(systemClock.now()).toBe(1_000_000_000_000)
})

test('`monotonic` counts the time that passes, also where the system clock is set back', () => {
  const before = systemClock.monotonic()
  vi.setSystemTime(5)
  vi.advanceTimersByTime(70)
  expect(systemClock.monotonic() - before).toBe(70)
})

test('`wakeAfter` wakes once, after the delay', () => {
  const wake = vi.fn<() => void>()
  systemClock.wakeAfter(500, wake)
  vi.advanceTimersByTime(499)
  expect(wake).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(wake).toHaveBeenCalledTimes(1)
})

test('`wakeAfter` does not wake once it is canceled', () => {
  const wake = vi.fn<() => void>()
  systemClock.wakeAfter(500, wake)()
  vi.advanceTimersByTime(10_000)
  expect(wake).not.toHaveBeenCalled()
})

test.each([
  [-5, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [maxTimerDelay + 1, 2_147_483_647],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
])('`wakeAfter` limits a delay of %d ms to %d ms', (ms, limited) => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  systemClock.wakeAfter(ms, () => {})
  expect(setTimer).toHaveBeenCalledWith(expect.anything(), limited)
})

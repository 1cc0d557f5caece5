import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { maxTimerDelay, systemClock } from '../../src/base/Clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('returns the time of the system', () => {
  expect(systemClock.now()).toBe(1_000_000_000_000)
})

it('has a monotonic time that nobody can set', () => {
  const before = systemClock.monotonic()
  vi.setSystemTime(5)
  vi.advanceTimersByTime(70)
  expect(systemClock.monotonic() - before).toBe(70)
})

it('wakes once, after the delay', () => {
  const wake = vi.fn<() => void>()
  systemClock.wakeAfter(500, wake)
  vi.advanceTimersByTime(499)
  expect(wake).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(wake).toHaveBeenCalledTimes(1)
})

it('does not wake after it is canceled', () => {
  const wake = vi.fn<() => void>()
  systemClock.wakeAfter(500, wake)()
  vi.advanceTimersByTime(10_000)
  expect(wake).not.toHaveBeenCalled()
})

it.each([
  [-5, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [maxTimerDelay + 1, 2_147_483_647],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
])('limits a delay of %d ms to %d ms', (ms, limited) => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  systemClock.wakeAfter(ms, () => {})
  expect(setTimer).toHaveBeenCalledWith(expect.anything(), limited)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withResponseTimeout } from '../../src/server/redis/responseTimeout.ts'
import { watch } from '../client/client.setup.ts'

let now: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  now = 0
  vi.stubGlobal('performance', { now: () => now })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const never = () => watch(withResponseTimeout(new Promise(() => {})))

test('a response in time is passed on, and no timer stays', async () => {
  expect(await withResponseTimeout(Promise.resolve(7))).toBe(7)
  await expect(withResponseTimeout(Promise.reject(new Error('READONLY')))).rejects.toThrow('READONLY')
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('without one it rejects after 250 ms', async () => {
  const outcome = never()
  await vi.advanceTimersByTimeAsync(249)
  expect(outcome.now.state).toBe('pending')
  await vi.advanceTimersByTimeAsync(2)
  expect(outcome.now).toMatchObject({ state: 'rejected', error: { message: 'Redis has not responded in time.' } })
})

test('time in which the process was held up counts as 50 ms, but for three quarters of a second at most', async () => {
  const heldUp = never()
  now = 999
  for (let timer = 0; timer < 5; timer += 1) await vi.advanceTimersToNextTimerAsync()
  expect(heldUp.now.state).toBe('pending')
  await vi.advanceTimersToNextTimerAsync()
  expect(heldUp.now.state).toBe('rejected')

  now = 0
  const stuck = never()
  now = 1_000
  await vi.advanceTimersToNextTimerAsync()
  expect(stuck.now.state).toBe('pending')
  await vi.advanceTimersToNextTimerAsync()
  expect(stuck.now.state).toBe('rejected')
})

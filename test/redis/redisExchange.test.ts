import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createPatience,
  type Patience,
  createRedisClock,
  createRedisExchange,
  withResponseTimeout,
} from '../../src/server/redis/redisExchange.ts'
import { hasRedis, startRedis } from './startRedis.ts'
import { watch } from '../client/client.setup.ts'

test.runIf(hasRedis)('after a failure a process knows whether the others have used Redis again', async () => {
  const server = await startRedis()
  onTestFinished(server.kill)
  const connect = () => {
    const client = new Redis(server.url, { retryStrategy: () => 20 }).on('error', () => {})
    onTestFinished(() => client.disconnect())
    return createRedisExchange(client, () => {})
  }
  const [one, other] = [connect(), connect()]
  const known = () => {
    const { count, areComplete } = one.processesOf('key')
    return { count, areComplete }
  }
  await other.exchange('key', '')
  await one.exchange('key', '')
  expect(known()).toEqual({ count: 2, areComplete: true })
  await server.kill()
  await expect(Promise.any([one.exchange('key', ''), other.exchange('key', '')])).rejects.toThrow('All promises')
  expect(known()).toEqual({ count: 2, areComplete: false })
  await server.restart()
  await expect.poll(() => one.exchange('key', '').then(() => 'back')).toBe('back')
  expect(known()).toEqual({ count: 2, areComplete: false })
  await expect.poll(() => other.exchange('key', '').then(() => 'back')).toBe('back')
  await one.exchange('key', '')
  expect(known()).toEqual({ count: 2, areComplete: true })
})

test.runIf(hasRedis)('what a process has given up does not tell the others that it is back', async () => {
  const server = await startRedis()
  onTestFinished(server.kill)
  const connect = () => {
    const client = new Redis(server.url).on('error', () => {})
    onTestFinished(() => client.disconnect())
    return createRedisExchange(client, () => {})
  }
  const [one, other] = [connect(), connect()]
  const isComplete = () => other.processesOf('key').areComplete
  for (const { exchange } of [one, other, one, other]) await exchange('key', '')
  expect(isComplete()).toBe(true)
  server.pause()
  await expect(other.exchange('key', '')).rejects.toThrow('in time')
  // Redis gets it later, and runs it after the other process has lost Redis.
  await expect(one.exchange('key', '')).rejects.toThrow('in time')
  server.resume()
  await other.exchange('key', '')
  await other.exchange('key', '')
  expect(isComplete()).toBe(false)
  await one.exchange('key', '')
  await expect.poll(() => other.exchange('key', '').then(isComplete)).toBe(true)
})

describe('the clock of Redis', () => {
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
})

describe('the wait for a response', () => {
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

  test('without one it rejects after 240 ms, for the call to leave within 250', async () => {
    const outcome = never()
    await vi.advanceTimersByTimeAsync(239)
    expect(outcome.now.state).toBe('pending')
    await vi.advanceTimersByTimeAsync(2)
    expect(outcome.now).toMatchObject({ state: 'rejected', error: { message: 'Redis has not responded in time.' } })
  })

  test('slow responses share the time, and quick ones need none of it', async () => {
    const patience = createPatience()
    for (const ms of [150, 90, 90, 90]) {
      const response = new Promise((resolve) => void setTimeout(resolve, ms))
      const done = withResponseTimeout(response, patience)
      await vi.advanceTimersByTimeAsync(ms)
      await done
    }
    const outcome = watch(withResponseTimeout(new Promise(() => {}), patience))
    await vi.advanceTimersByTimeAsync(95)
    expect(outcome.now.state).toBe('pending')
    await vi.advanceTimersByTimeAsync(3)
    expect(outcome.now.state).toBe('rejected')
  })

  test('an update that has waited for a slow one shares its time', async () => {
    const respondAfter = async (ms: number, patience: Patience) => {
      const done = withResponseTimeout(new Promise((resolve) => void setTimeout(resolve, ms)), patience)
      await vi.advanceTimersByTimeAsync(ms)
      await done
    }
    const slow = createPatience()
    await respondAfter(200, slow)
    const waited = createPatience(slow)
    expect([slow.whole, waited.whole]).toEqual([240, 48])
    // It has waited for a quick response alone, and so has the next one.
    await respondAfter(20, waited)
    expect(createPatience(waited).whole).toBe(240)
    now += 100
    expect(createPatience(slow).whole).toBe(240)
  })

  test('time in which the process was held up counts as 48 ms, but for three quarters of a second at most', async () => {
    const heldUp = never()
    now = 989
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
})

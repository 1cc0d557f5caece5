import { beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { type RateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { type EnterRequest, MaxWaitExceeded } from '../../src/rate-limit/pendingRequest.ts'
import { arePermitted, headersWith, type RateLimiterSetup, setup, start } from './rateLimiter.setup.ts'

let test: RateLimiterSetup

beforeEach(() => {
  test = setup()
})

/** Requests that have all left after four seconds without a response. Any further one waits for one of theirs. */
function enterSixteen(limiter: RateLimiter, fields: Partial<EnterRequest> = {}): void {
  for (let count = 0; count < 16; count += 1) test.enter(limiter, `hangs ${count}`, fields)
}

describe('the queue', () => {
  it('lets one request leave first, and the others when its response says how many are left', async () => {
    const limiter = test.createLimiter()
    const requests = ['a', 'b', 'c', 'd'].map((id) => test.enter(limiter, id))
    await test.flushPromises()
    expect(arePermitted(requests)).toEqual([true, false, false, false])
    expect(requests[0]?.permit?.sentAt).toBe(start)
    await requests[0]?.permit?.release({ rateLimitHeaders: headersWith(2), status: 200 })
    expect(arePermitted(requests)).toEqual([true, true, true, false])
  })

  it('decides on many requests in one update of the store, and records many responses in one', async () => {
    const limiter = await test.createLimiterWith(9)
    test.updates = 0
    const requests = ['a', 'b', 'c'].map((id) => test.enter(limiter, id))
    await test.flushPromises()
    expect([arePermitted(requests), test.updates]).toEqual([[true, true, true], 1])
    await Promise.all(
      requests.map(async ({ permit }) => permit?.release({ rateLimitHeaders: headersWith(6), status: 200 })),
    )
    expect(test.updates).toBe(2)
    expect((await test.readStored()).inFlight).toEqual({})
  })

  it('records requests that leave within a second together, so that the record stays small', async () => {
    const limiter = await test.createLimiterWith(50)
    for (let count = 0; count < 40; count += 1) {
      test.enter(limiter, `a${count}`)
      await test.clock.run(start + 100 * (count + 1))
    }
    const { inFlight } = await test.readStored()
    expect(Object.values(inFlight).map(({ count }) => count)).toEqual([10, 10, 10, 10])
  })

  it('counts lost units for the response of a request that was in flight when they were lost', async () => {
    const limiter = await test.createLimiterWith(9)
    const [lost, answered] = [test.enter(limiter, 'lost'), test.enter(limiter, 'answered')]
    await test.flushPromises()
    await lost.permit?.release({ status: undefined })
    await answered.permit?.release({ rateLimitHeaders: headersWith(7), status: 200 })
    expect(limiter.getSnapshot().remaining).toBe(6)
    const later = test.enter(limiter, 'later')
    await test.flushPromises()
    await later.permit?.release({ rateLimitHeaders: headersWith(6), status: 200 })
    expect(limiter.getSnapshot().remaining).toBe(6)
  })

  it('needs no further update when others change the record during one', async () => {
    const limiter = await test.createLimiterWith(9)
    test.updates = 0
    test.duringNextUpdate(() => test.writeStored({ consecutiveRefusals: 1 }))
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    expect([request.permit?.sentAt, test.updates]).toEqual([start, 1])
  })

  it('lets user requests leave before background requests, prioritized ones included', async () => {
    const limiter = test.createLimiter()
    const [first, second, third] = ['first', 'second', 'third'].map((id) =>
      test.enter(limiter, id, { priority: 'background' }),
    )
    const user = test.enter(limiter, 'user')
    await test.flushPromises()
    expect(arePermitted([user, ...(first ? [first] : [])])).toEqual([true, false])
    limiter.prioritize('third')
    limiter.prioritize('unknown')
    await user.permit?.release({ rateLimitHeaders: headersWith(1), status: 200 })
    expect([second?.permit, third?.permit?.sentAt]).toEqual([undefined, start])
  })

  it('rejects a request that would wait past its deadline, with the time to retry', async () => {
    const limiter = await test.createLimiterWith(0)
    const tooLate = test.enter(limiter, 'too late', { deadline: start + 30_499 })
    const inTime = test.enter(limiter, 'in time', { deadline: start + 30_500 })
    await test.flushPromises()
    expect(tooLate.error).toBeInstanceOf(MaxWaitExceeded)
    expect(tooLate.error).toMatchObject({ retryAt: start + 30_500 })
    expect([inTime.permit, inTime.error]).toEqual([undefined, undefined])
  })

  it('lets requests without any time to wait do so for the first response of all, for five seconds at most', async () => {
    const limiter = test.createLimiter()
    const requests = ['a', 'b', 'c'].map((id) => test.enter(limiter, id, { deadline: start }))
    await test.clock.run(start + 800)
    expect(requests.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    await requests[0]?.permit?.release({ rateLimitHeaders: headersWith(1), status: 200 })
    expect(arePermitted(requests)).toEqual([true, true, false])
    expect(requests[2]?.error).toBeInstanceOf(MaxWaitExceeded)
  })

  it('rejects them after five seconds without a response', async () => {
    const limiter = test.createLimiter()
    enterSixteen(limiter)
    const last = test.enter(limiter, 'last', { deadline: start })
    await test.clock.run(start + 4_999)
    expect(last.error).toBeUndefined()
    await test.clock.run(start + 5_000)
    expect(last.error).toBeInstanceOf(MaxWaitExceeded)
  })

  it('calls onWait once with the end of the wait, and again only if the wait gets longer', async () => {
    const limiter = await test.createLimiterWith(0)
    const request = test.enter(limiter, 'a')
    const { signal } = new AbortController()
    void limiter.enter({
      id: 'without onWait',
      callId: 'call',
      operation: 'listCategories',
      address: 'categories',
      isRetry: false,
      priority: 'user',
      order: 0,
      deadline: start + 65_000,
      holdFor: 1,
      signal,
    })
    await test.flushPromises()
    expect(request.waits).toEqual([start + 30_500])
    test.enter(limiter, 'b')
    await test.flushPromises()
    expect(request.waits).toEqual([start + 30_500])
    await test.writeStored({ cooldownUntil: start + 40_000 })
    test.enter(limiter, 'c')
    await test.flushPromises()
    expect(request.waits).toEqual([start + 30_500, start + 40_000])
  })

  it('calls onWait as soon as another tab has met a cool-down', async () => {
    const limiter = await test.createLimiterWith(0)
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    await test.writeStored({ cooldownUntil: start + 40_000 })
    await test.flushPromises()
    expect(request.waits).toEqual([start + 30_500, start + 40_000])
  })

  it('does not call onWait for a request that waits only for responses', async () => {
    const limiter = test.createLimiter()
    test.enter(limiter, 'a')
    const request = test.enter(limiter, 'b')
    await test.flushPromises()
    expect(request.waits).toEqual([])
  })
})

describe('the timer', () => {
  it('lets one probe leave when the gate opens', async () => {
    const limiter = await test.createLimiterWith(0)
    const requests = [test.enter(limiter, 'a'), test.enter(limiter, 'b')]
    await test.clock.run(start + 30_499)
    expect(arePermitted(requests)).toEqual([false, false])
    await test.clock.run(start + 30_500)
    expect(arePermitted(requests)).toEqual([true, false])
    expect(requests[0]?.permit?.sentAt).toBe(start + 30_500)
  })

  it('rejects a request at its deadline if it still waits for a response', async () => {
    const limiter = test.createLimiter()
    enterSixteen(limiter)
    const request = test.enter(limiter, 'last', { deadline: start + 9_000 })
    await test.clock.run(start + 8_999)
    expect(request.error).toBeUndefined()
    await test.clock.run(start + 9_000)
    expect(request.error).toMatchObject({ retryAt: start + 10_000, reason: 'rate-limit' })
  })

  it('lets the next request leave when the first of those in flight expires', async () => {
    const limiter = test.createLimiter()
    enterSixteen(limiter, { holdFor: 10_000 })
    const request = test.enter(limiter, 'last')
    await test.clock.run(start + 9_999)
    expect(request.permit).toBeUndefined()
    await test.clock.run(start + 10_000)
    expect(request.permit?.sentAt).toBe(start + 10_000)
  })

  it('updates the store only when that may change something', async () => {
    const limiter = await test.createLimiterWith(0)
    test.enter(limiter, 'a')
    await test.flushPromises()
    test.updates = 0
    await test.clock.run(start + 30_499)
    expect(test.updates).toBe(0)
  })

  it('is never set to more than a timer can wait', async () => {
    const delays: number[] = []
    const { clock } = test
    const limiter = test.createLimiter({
      clock: {
        ...clock,
        wakeAfter: (ms, wake) => {
          delays.push(ms)
          return clock.wakeAfter(ms, wake)
        },
      },
    })
    await test.writeStored({ cooldownUntil: start + 8e7 })
    test.enter(limiter, 'a', { deadline: Number.POSITIVE_INFINITY })
    await test.flushPromises()
    expect(delays.at(-1)).toBe(8e7)
    await test.writeStored({ cooldownUntil: start + 3e9 })
    await test.flushPromises()
    expect(delays.every((ms) => ms > 0 && ms <= 2 ** 31 - 1)).toBe(true)
  })
})

describe('a machine that is too busy for its timers', () => {
  const lateBy = (ms: number) => {
    const { clock } = test
    return { clock: { ...clock, wakeAfter: (time: number, wake: () => void) => clock.wakeAfter(time + ms, wake) } }
  }

  it('sends no request whose deadline has passed, although the gate has opened before', async () => {
    const limiter = await test.createLimiterWith(0, lateBy(20_000))
    const late = test.enter(limiter, 'late', { deadline: start + 40_000 })
    const inTime = test.enter(limiter, 'in time', { deadline: start + 51_000 })
    await test.clock.run(start + 50_500)
    expect(late.permit).toBeUndefined()
    expect(late.error).toMatchObject({ retryAt: start + 51_500, reason: 'rate-limit' })
    expect(inTime.permit?.sentAt).toBe(start + 50_500)
  })

  it('sends none after a slow update of the store, and its unit goes to the next one', async () => {
    const limiter = await test.createLimiterWith(0)
    const late = test.enter(limiter, 'late', { deadline: start + 31_000 })
    const inTime = test.enter(limiter, 'in time', { deadline: start + 40_000 })
    await test.clock.run(start + 30_499)
    test.duringNextUpdate(() => new Promise<void>((resolve) => void test.clock.wakeAfter(1_000, resolve)))
    await test.clock.run(start + 31_500)
    expect([late.permit, inTime.permit?.sentAt]).toEqual([undefined, start + 31_500])
    expect(late.error).toBeInstanceOf(MaxWaitExceeded)
    expect(Object.values((await test.readStored()).inFlight).map(({ count }) => count)).toEqual([1])
  })

  it('lets one without any time to wait have the time that the store takes', async () => {
    const limiter = await test.createLimiterWith(9)
    test.duringNextUpdate(() => new Promise<void>((resolve) => void test.clock.wakeAfter(2_000, resolve)))
    const request = test.enter(limiter, 'a', { deadline: start })
    await test.clock.run(start + 2_000)
    expect(request.permit?.sentAt).toBe(start + 2_000)
  })
})

describe('a clock that is set while a request waits', () => {
  const createLimiterWithClock = async (fields: { deadline?: number } = {}) => {
    let ahead = 0
    const { clock } = test
    const limiter = await test.createLimiterWith(0, { clock: { ...clock, now: () => clock.now() + ahead } })
    const request = test.enter(limiter, 'a', fields)
    await test.flushPromises()
    return { request, set: (ms: number) => void (ahead += ms) }
  }
  const hour = 3_600_000

  it('back by an hour does not make a wait of 30 s an hour', async () => {
    const { request, set } = await createLimiterWithClock()
    await test.clock.run(start + 10_000)
    set(-hour)
    await test.clock.run(start + 61_500)
    expect(request.permit?.sentAt).toBeLessThanOrEqual(start - hour + 61_000)
  })

  it('back by an hour does not move the deadline', async () => {
    const limiter = test.createLimiter()
    let ahead = 0
    const { clock } = test
    const other = test.createLimiter({ clock: { ...clock, now: () => clock.now() + ahead } })
    enterSixteen(limiter, { holdFor: 10 * hour })
    await clock.run(start + 4_000)
    const request = test.enter(other, 'a', { deadline: start + 65_000 })
    await test.flushPromises()
    ahead = -hour
    await clock.run(start + 64_999)
    expect(request.error).toBeUndefined()
    await clock.run(start + 65_000)
    expect(request.error).toBeInstanceOf(MaxWaitExceeded)
  })

  it('forward by an hour does not reject at once', async () => {
    const { request, set } = await createLimiterWithClock()
    await test.clock.run(start + 10_000)
    set(hour)
    await test.clock.run(start + 30_500)
    expect([request.error, request.permit?.sentAt]).toEqual([undefined, start + hour + 30_500])
  })
})

describe('an abort', () => {
  it('before entering does not update the store', async () => {
    const limiter = test.createLimiter()
    const request = test.enter(limiter, 'a', { signal: AbortSignal.abort('aborted') })
    await test.flushPromises()
    expect([request.error, test.updates]).toEqual(['aborted', 0])
  })

  it('while waiting removes the request at once, and the next one moves up', async () => {
    const limiter = test.createLimiter()
    const [first, second, third] = [test.enter(limiter, 'a'), test.enter(limiter, 'b'), test.enter(limiter, 'c')]
    await test.flushPromises()
    second.abort('aborted')
    await test.flushPromises()
    expect(second.error).toBe('aborted')
    await first.permit?.release({ rateLimitHeaders: headersWith(1), status: 200 })
    expect([second.permit, third.permit?.sentAt]).toEqual([undefined, start])
  })

  it('while the store admits the request gives its unit to the next one', async () => {
    const limiter = await test.createLimiterWith(1)
    const [first, second] = [test.enter(limiter, 'a'), test.enter(limiter, 'b')]
    test.duringNextUpdate(() => first.abort('aborted'))
    await test.flushPromises()
    expect([first.error, first.permit, second.permit?.sentAt]).toEqual(['aborted', undefined, start])
    expect(Object.keys((await test.readStored()).inFlight)).toEqual(['b'])
  })

  it('while the store rejects the request wins, and the others go on', async () => {
    const limiter = await test.createLimiterWith(0)
    const request = test.enter(limiter, 'a', { deadline: start + 1 })
    test.duringNextUpdate(() => request.abort('aborted'))
    const other = test.enter(limiter, 'b')
    await test.clock.run(start + 30_500)
    expect([request.error, other.permit?.sentAt]).toEqual(['aborted', start + 30_500])
  })

  it('of the only queued request cancels the timer', async () => {
    const limiter = await test.createLimiterWith(0)
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    request.abort()
    await test.clock.run()
    expect(test.clock.now()).toBe(start)
  })

  it('after the permit was issued changes nothing', async () => {
    const limiter = test.createLimiter()
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    request.abort('too late')
    await test.flushPromises()
    expect([request.error, request.permit?.sentAt]).toEqual([undefined, start])
    expect(Object.keys((await test.readStored()).inFlight)).toEqual(['a'])
  })

  it('is no longer listened to once the request is permitted or rejected', async () => {
    const limiter = await test.createLimiterWith(1)
    const removed: string[] = []
    const spiedSignal = () => {
      const { signal } = new AbortController()
      vi.spyOn(signal, 'removeEventListener').mockImplementation((type) => removed.push(type))
      return signal
    }
    test.enter(limiter, 'permitted', { signal: spiedSignal() })
    await test.flushPromises()
    expect(removed).toEqual(['abort'])
    await test.writeStored({ cooldownUntil: start + 20_000 })
    test.enter(limiter, 'rejected', { signal: spiedSignal(), deadline: start + 1 })
    await test.flushPromises()
    expect(removed).toEqual(['abort', 'abort'])
  })
})

describe('an admission by a slow store', () => {
  const delayNextUpdate = (ms: number, action: () => unknown = () => {}) =>
    test.duringNextUpdate(async () => {
      await action()
      await new Promise<void>((resolve) => void test.clock.wakeAfter(ms, resolve))
    })

  it('is valid for a second', async () => {
    const limiter = test.createLimiter()
    delayNextUpdate(1_000)
    const request = test.enter(limiter, 'a')
    await test.clock.run(start + 1_000)
    expect([request.permit?.sentAt, test.updates]).toEqual([start, 1])
  })

  it('is valid later too if nothing has changed, and the request leaves then', async () => {
    const limiter = test.createLimiter()
    delayNextUpdate(1_001)
    const request = test.enter(limiter, 'a')
    await test.clock.run(start + 1_001)
    expect([request.permit?.sentAt, test.updates]).toEqual([start + 1_001, 1])
  })

  it('is withdrawn in a cool-down that has started since', async () => {
    const limiter = test.createLimiter()
    delayNextUpdate(1_500, () => test.writeStored({ cooldownUntil: start + 10_000 }))
    const request = test.enter(limiter, 'a')
    await test.clock.run(start + 1_500)
    expect([request.permit, request.waits]).toEqual([undefined, [start + 10_000]])
    expect((await test.readStored()).inFlight).toEqual({})
    await test.clock.run(start + 10_000)
    expect(request.permit?.sentAt).toBe(start + 10_000)
  })

  it('is withdrawn if this page receives a refusal before the store responds', async () => {
    const limiter = await test.createLimiterWith(9)
    const sent = test.enter(limiter, 'sent')
    await test.flushPromises()
    delayNextUpdate(900)
    const waiting = test.enter(limiter, 'waiting')
    await test.clock.run(start + 100)
    void sent.permit?.release({ rateLimitHeaders: { retryIn: 20_000 }, status: 429 })
    await test.clock.run(start + 900)
    expect(waiting.permit).toBeUndefined()
    await test.flushPromises()
    expect((await test.readStored()).inFlight).toEqual({})
    await test.clock.run(start + 30_000)
    expect(waiting.permit?.sentAt).toBe((await test.readStored()).cooldownUntil)
  })

  it('is valid at the very end of such a cool-down', async () => {
    const limiter = test.createLimiter()
    delayNextUpdate(1_500, () => test.writeStored({ cooldownUntil: start + 1_500 }))
    const request = test.enter(limiter, 'a')
    await test.clock.run(start + 1_500)
    expect([request.permit?.sentAt, test.updates]).toEqual([start + 1_500, 1])
  })

  it('is withdrawn if the request is no longer in flight in the record', async () => {
    const limiter = test.createLimiter()
    delayNextUpdate(1_500)
    const expired = test.enter(limiter, 'expired', { holdFor: 1_500 })
    await test.clock.run(start + 1_500)
    expect([expired.permit?.sentAt, test.updates]).toEqual([start + 1_500, 2])
    await expired.permit?.release({ rateLimitHeaders: headersWith(9), status: 200 })
    test.updates = 0
    delayNextUpdate(1_500, () => test.writeStored({ inFlight: {} }))
    const removed = test.enter(limiter, 'removed')
    await test.clock.run(start + 3_000)
    expect([removed.permit?.sentAt, test.updates]).toEqual([start + 3_000, 2])
  })
})

it('retryAt is the end of the cool-down, or now', async () => {
  const limiter = test.createLimiter()
  expect(limiter.retryAt('categories')).toBe(start)
  limiter.subscribe(() => {})
  await test.flushPromises()
  await test.writeStored({ cooldownUntil: start + 5_000 })
  expect(limiter.retryAt('categories')).toBe(start + 5_000)
})

describe('a reset', () => {
  it('forgets everything but the requests in flight, and lets a queued request leave', async () => {
    const limiter = await test.createLimiterWith(1)
    test.enter(limiter, 'in flight')
    await test.flushPromises()
    await test.writeStored({ cooldownUntil: start + 50_000, consecutiveRefusals: 5 })
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    expect(request.permit).toBeUndefined()
    await limiter.reset()
    expect(await test.readStored()).toEqual({
      ...emptyRecord,
      updatedAt: start,
      clearedAt: start,
      inFlight: { 'in flight': { count: 1, since: start, until: start + 31_000 } },
      waiting: { first: { user: true, background: false, from: start, served: 0 } },
    })
    expect(limiter.getSnapshot().status).toBe('unknown')
    await test.clock.run(start + 1_000)
    expect(request.permit?.sentAt).toBe(start + 1_000)
  })

  it('during a stall of the store is not undone when the store is back', async () => {
    const memory = createMemoryStore()
    let delay = 0
    const store: RateLimitStore = {
      update: async (name, change) => {
        if (delay > 0) await new Promise<void>((resolve) => void test.clock.wakeAfter(delay, resolve))
        await memory.update(name, change)
      },
      subscribe: memory.subscribe,
    }
    const limiter = test.createLimiter({ store })
    const first = test.enter(limiter, 'a')
    await test.clock.run(start + 10)
    await first.permit?.release({ rateLimitHeaders: { retryIn: 50_000 }, status: 429 })
    delay = 5_000
    await test.clock.run(start + 20)
    void limiter.reset()
    await test.clock.run(start + 10_000)
    delay = 0
    const second = test.enter(limiter, 'b')
    await test.clock.run(start + 10_100)
    expect([second.error, second.permit?.sentAt]).toEqual([undefined, start + 10_000])
  })

  it('happens once', async () => {
    const limiter = test.createLimiter()
    await limiter.reset()
    await test.writeStored({ cooldownUntil: start + 5_000 })
    limiter.subscribe(() => {})
    await test.flushPromises()
    expect((await test.readStored()).cooldownUntil).toBe(start + 5_000)
  })
})

it('two limiters with one store wake each other', async () => {
  const [one, other] = [test.createLimiter(), test.createLimiter()]
  const first = test.enter(one, 'a')
  const second = test.enter(other, 'b')
  await test.flushPromises()
  expect(arePermitted([first, second])).toEqual([true, false])
  await first.permit?.release({ rateLimitHeaders: headersWith(1), status: 200 })
  await test.flushPromises()
  expect(second.permit?.sentAt).toBe(start)
})

describe('the connection to the store', () => {
  it('is open while a request waits or is in flight', async () => {
    const limiter = test.createLimiter()
    expect([test.listeners, test.updates]).toEqual([0, 0])
    const [first, second] = [test.enter(limiter, 'a'), test.enter(limiter, 'b')]
    await test.flushPromises()
    expect(test.listeners).toBe(1)
    second.abort()
    await test.flushPromises()
    expect(test.listeners).toBe(1)
    await first.permit?.release()
    expect(test.listeners).toBe(0)
    const later = test.enter(limiter, 'c')
    await test.flushPromises()
    expect(test.listeners).toBe(1)
    await later.permit?.release()
    expect(test.listeners).toBe(0)
  })

  it('is open while somebody is subscribed', async () => {
    const limiter = test.createLimiter()
    const unsubscribes = [limiter.subscribe(() => {}), limiter.subscribe(() => {})]
    await test.flushPromises()
    unsubscribes[0]?.()
    expect(test.listeners).toBe(1)
    unsubscribes[1]?.()
    expect(test.listeners).toBe(0)
  })

  it('closes once, however often a subscription is ended', async () => {
    const limiter = test.createLimiter()
    const unsubscribe = limiter.subscribe(() => {})
    await test.flushPromises()
    unsubscribe()
    unsubscribe()
    expect(test.listeners).toBe(0)
  })

  it('closes after the update in which the last subscription ends', async () => {
    const limiter = test.createLimiter()
    limiter.subscribe(() => {})()
    await test.flushPromises()
    expect([test.updates, test.listeners]).toEqual([1, 0])
  })

  it('cancels the timer when it closes', async () => {
    const limiter = await test.createLimiterWith(0)
    const unsubscribe = limiter.subscribe(() => {})
    await test.flushPromises()
    unsubscribe()
    await test.clock.run()
    expect(test.clock.now()).toBe(start)
  })
})

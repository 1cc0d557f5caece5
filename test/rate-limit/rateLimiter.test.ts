import { afterEach, describe, expect, test, vi } from 'vitest'
import { MaxWaitExceeded, type Permit, type CallWait } from '../../src/rate-limit/pendingRequest.ts'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import type { RateLimitStore, StoreStatus } from '../../src/rate-limit/RateLimitStore.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { minute } from '../../src/rate-limit/plan.ts'
import { headersOf, now, release, setupLimiter } from './gate.setup.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Returns an object that gets the permit or the error of a request, as soon as there is one. */
function watchPermit(entered: Promise<Permit>) {
  const watched: { permit?: Permit; error?: unknown } = {}
  entered.then(
    (permit) => (watched.permit = permit),
    (error: unknown) => (watched.error = error),
  )
  return watched
}

describe('what a call is told', () => {
  test('G10: a call that would wait past its deadline is rejected at once, with the time at which it could leave', async () => {
    const { create, request, run } = setupLimiter()
    const limiter = create()
    const first = watchPermit(limiter.enter(request()))
    await run(10)
    await release(first.permit, 200, 0)
    const late = watchPermit(limiter.enter(request({ deadline: now + 5_000 })))
    await run(10)
    expect(late.error).toBeInstanceOf(MaxWaitExceeded)
    expect(late.error).toMatchObject({ reason: 'rate-limit', retryAt: limiter.getSnapshot().resetAt })
  })

  test('G26: a call that waits is told a time and a reason, and is told again only when these change', async () => {
    const { create, request, run } = setupLimiter()
    const limiter = create()
    const first = watchPermit(limiter.enter(request()))
    await run(10)
    await release(first.permit, 200, 0)
    const told: CallWait[] = []
    watchPermit(limiter.enter(request({ onWait: (wait) => told.push(wait) })))
    await run(30_000)
    expect(told).toEqual([{ until: limiter.getSnapshot().resetAt, reason: 'rate-limit', isEarliest: false }])
  })

  test('the badge (`getSnapshot`) and the panel (`inspect`) show the same time and reason', async () => {
    const { create, request, run, clock } = setupLimiter()
    const limiter = create()
    const first = watchPermit(limiter.enter(request()))
    await run(10)
    await first.permit?.release({ status: 429, rateLimitHeaders: { retryIn: 30_000 } })
    watchPermit(limiter.enter(request()))
    await run(10)
    const { retryAt } = limiter.getSnapshot()
    expect(limiter.getSnapshot()).toMatchObject({ status: 'cooling-down', waitReason: 'rate-limit' })
    expect(limiter.inspect().waiting).toMatchObject([{ reason: 'cooling-down', retryAt }])
    expect(retryAt).toBeGreaterThan(clock.now())
  })
})

describe('requests that hang', () => {
  test('hold no units after the response to a later request, whose announcement has counted them', async () => {
    const { create, request, run } = setupLimiter()
    const limiter = create()
    const permits = Array.from({ length: 4 }, () => watchPermit(limiter.enter(request())))
    // All four have left after two seconds, and five seconds later (`overtakingTime`) another one.
    await run(7_000)
    const later = watchPermit(limiter.enter(request()))
    await run(10)
    // Five requests have arrived, and four of them hang.
    await release(later.permit, 200, 55)
    const next = Array.from({ length: 55 }, () => watchPermit(limiter.enter(request())))
    await run(10)
    expect(next.filter(({ permit }) => permit)).toHaveLength(55)
    expect(permits.filter(({ permit }) => permit)).toHaveLength(4)
  })
})

/** Makes this realm a page with events and a `sessionStorage`. It stays alive, as in the back/forward cache. */
function stubPage() {
  const self = new EventTarget()
  const items = new Map<string, string>()
  vi.stubGlobal('self', self)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  })
  return { dispatch: (type: string) => self.dispatchEvent(new Event(type)), items }
}

describe('a page that unloads', () => {
  test('does not count a request that fails then for the breaker', async () => {
    const { dispatch } = stubPage()
    const { create, request, run } = setupLimiter()
    const limiter = create()
    for (let reloads = 0; reloads < 5; reloads += 1) {
      const { permit } = await watchNext(limiter.enter(request()), run)
      void permit?.release({ status: 0 })
      await run(20) // less than the 100 ms after which a failure counts
      dispatch('pagehide')
      await run(1_000)
      dispatch('pageshow')
    }
    expect(limiter.inspect().record.breaker).toMatchObject({ failures: 0, until: 0 })
    for (let calls = 0; calls < 2; calls += 1) {
      const { permit } = await watchNext(limiter.enter(request()), run)
      void permit?.release({ status: 0 })
      await run(200)
    }
    expect(limiter.inspect().record.breaker.until).toBeGreaterThan(0)
  })

  test('lets nothing leave until it comes back', async () => {
    const { dispatch } = stubPage()
    const { create, request, run } = setupLimiter()
    const limiter = create()
    await watchNext(limiter.enter(request()), run)
    const next = watchPermit(limiter.enter(request()))
    dispatch('pagehide')
    await run(5_000)
    expect(next.permit).toBeUndefined()
    dispatch('pageshow')
    await run(5_000)
    expect(next.permit).toBeDefined()
  })

  test('G24: holds no lock, does not listen to the store, and knows what it has missed when it comes back', async () => {
    const { dispatch } = stubPage()
    const locks = { request: vi.fn<() => void>() }
    vi.stubGlobal('navigator', { locks })
    const memory = createMemoryStore()
    let listeners = 0
    const store: RateLimitStore = {
      ...memory,
      subscribe: (name, listener) => {
        listeners += 1
        const remove = memory.subscribe(name, listener)
        return () => {
          listeners -= 1
          remove()
        }
      },
    }
    const { create, request, run } = setupLimiter({ store })
    const limiter = create()
    const changes = vi.fn<() => void>()
    limiter.subscribe(changes)
    await watchNext(limiter.enter(request()), run)
    expect(listeners).toBe(1)
    dispatch('pagehide')
    await run(10)
    expect(listeners).toBe(0)
    const other = create()
    const refused = await watchNext(other.enter(request()), run)
    await refused.permit?.release({ status: 429, rateLimitHeaders: { retryIn: 30_000 } })
    dispatch('pageshow')
    await run(10)
    expect(limiter.getSnapshot().status).toBe('cooling-down')
    expect(listeners).toBe(1)
    expect(locks.request).not.toHaveBeenCalled()
  })
})

/** Gives a request 10 ms to leave. */
async function watchNext(entered: Promise<Permit>, run: (ms: number) => Promise<void>) {
  const watched = watchPermit(entered)
  await run(10)
  return watched
}

test('G19: a name that may show the key never gets into sessionStorage', async () => {
  const { items } = stubPage()
  const { create, request, run } = setupLimiter()
  const { permit } = await watchNext(create({ name: 'https://api.test secret' }).enter(request()), run)
  expect(permit).toBeDefined()
  expect([...items].flat().join()).not.toContain('secret')
})

test('G2: a reset ends a cool-down', async () => {
  const { create, request, run } = setupLimiter()
  const limiter = create()
  const [first, second] = [await watchNext(limiter.enter(request()), run), watchPermit(limiter.enter(request()))]
  await first.permit?.release({ status: 429, rateLimitHeaders: { retryIn: 600_000 } })
  await run(10)
  expect(second.error).toBeInstanceOf(MaxWaitExceeded)
  await limiter.reset()
  const next = await watchNext(limiter.enter(request()), run)
  expect(next.permit).toBeDefined()
  await next.permit?.release({ status: 200, rateLimitHeaders: headersOf(40) })
  expect(limiter.getSnapshot()).toMatchObject({ status: 'ok', remaining: 40 })
})

test('G6: a reset keeps `unreportedUnits`: the response to a request from before it does not know of those spent since', async () => {
  const { create, request, run } = setupLimiter()
  const limiter = create()
  const first = await watchNext(limiter.enter(request()), run)
  await first.permit?.release({ status: 200, rateLimitHeaders: headersOf(50) })
  const lost = [await watchNext(limiter.enter(request()), run), await watchNext(limiter.enter(request()), run)]
  await lost[0]?.permit?.release({ status: undefined })
  const late = await watchNext(limiter.enter(request()), run)
  await limiter.reset()
  await lost[1]?.permit?.release({ status: undefined })
  await late.permit?.release({ status: 200, rateLimitHeaders: headersOf(40) })
  expect(limiter.getSnapshot().remaining).toBe(39)
})

test('G28: the call of a person that is let through after ten minutes may be one that has waited all the time', async () => {
  const { create, request, run } = setupLimiter()
  const limiter = create()
  const first = await watchNext(limiter.enter(request()), run)
  await first.permit?.release({
    status: 200,
    rateLimitHeaders: { ...headersOf(0, now + 8 * 60 * minute), limit: 1_000 },
  })
  const waits = watchPermit(limiter.enter(request({ deadline: Infinity })))
  await run(11 * minute)
  expect(waits.permit).toBeDefined()
})

test('G27: setting the clock forward ends no cool-down that the page has heard of', async () => {
  let ahead = 0
  const { clock, create, request, run } = setupLimiter()
  const limiter = create({ clock: { ...clock, now: () => clock.now() + ahead } })
  const { permit } = await watchNext(limiter.enter(request()), run)
  await permit?.release({ status: 429, rateLimitHeaders: { retryIn: 30_000 } })
  ahead = 3_600_000
  const waits = watchPermit(limiter.enter(request({ deadline: clock.now() + 65_000 })))
  await run(29_000)
  expect(waits.permit).toBeUndefined()
  await run(2_000)
  expect(waits.permit).toBeDefined()
})

test('G27: a page keeps a cool-down from after a reset if the store loses it and another page writes first', async () => {
  const { clock, create, request, run, store } = setupLimiter()
  const limiter = create()
  limiter.subscribe(() => {})
  await limiter.reset()
  const { permit } = await watchNext(limiter.enter(request()), run)
  await permit?.release({ status: 429, rateLimitHeaders: { retryIn: 60_000 } })
  await store.update('key', () => undefined)
  await watchNext(create().enter(request()), run)
  const waits = watchPermit(limiter.enter(request({ deadline: clock.now() + 65_000 })))
  await run(50_000)
  expect(waits.permit).toBeUndefined()
})

test('G27: a machine that slept through a cool-down of hours opens minutes after it wakes, not hours', async () => {
  let slept = 0
  const { clock, create, request, run } = setupLimiter()
  const limiter = create({ clock: { ...clock, now: () => clock.now() + slept } })
  const { permit } = await watchNext(limiter.enter(request()), run)
  await permit?.release({ status: 429, rateLimitHeaders: { retryIn: 8 * 60 * minute } })
  await run(minute)
  slept = 16 * 60 * minute
  const waits = watchPermit(limiter.enter(request({ deadline: Infinity })))
  await run(6 * minute)
  expect(waits.permit).toBeDefined()
})

describe('several pages', () => {
  test('G24: a page counts as waiting for ten minutes at most after it has noted that, in case it is gone', async () => {
    const { create, request, run } = setupLimiter()
    const limiter = create()
    const { permit } = await watchNext(limiter.enter(request()), run)
    await permit?.release({ status: 200, rateLimitHeaders: { ...headersOf(0, now + 8 * 60 * minute), limit: 1_000 } })
    watchPermit(limiter.enter(request({ deadline: Infinity })))
    await run(10)
    const { record, owner = '' } = limiter.inspect()
    expect(record.pages[owner]?.waitsUntil).toBeLessThan(now + 11 * minute)
  })

  test('G28: when the trial of one page shows that the plan has changed, the calls of the other page leave, too', async () => {
    const { create, request, run } = setupLimiter()
    const [one, other] = [create(), create()]
    one.subscribe(() => {})
    other.subscribe(() => {})
    const { permit } = await watchNext(one.enter(request()), run)
    await permit?.release({ status: 200, rateLimitHeaders: { ...headersOf(0, now + 8 * 60 * minute), limit: 1_000 } })
    const waits = watchPermit(other.enter(request({ priority: 'background', deadline: Infinity })))
    await run(10 * minute)
    const trial = await watchNext(one.enter(request({ deadline: now + 11 * minute })), run)
    await trial.permit?.release({ status: 200, rateLimitHeaders: { ...headersOf(299, now + 11 * minute), limit: 300 } })
    await run(1_000)
    expect(waits.permit).toBeDefined()
    expect(other.getSnapshot().status).toBe('ok')
  })

  test('G6: an announcement without a reset replaces a window that has ended, on the other page, too', async () => {
    const { create, request, run } = setupLimiter()
    const [one, other] = [create(), create()]
    other.subscribe(() => {})
    const { permit } = await watchNext(one.enter(request()), run)
    await permit?.release({ status: 200, rateLimitHeaders: { limit: 60, remaining: 0 } })
    await run(minute)
    const probe = watchPermit(one.enter(request({ deadline: now + 2 * minute })))
    // One call that could wait for another window, and one that could not.
    const deadlines = [now + 3 * minute, now + 1.5 * minute]
    const waits = deadlines.map((deadline) => watchPermit(other.enter(request({ deadline }))))
    await run(1_000)
    await probe.permit?.release({ status: 200, rateLimitHeaders: { limit: 60, remaining: 59 } })
    await run(1_000)
    expect(waits.map((call) => call.permit !== undefined)).toEqual([true, true])
  })
})

test('G28: a trial shows that the plan has changed even if the monotonic clock counts fractions of a millisecond', async () => {
  let fraction = 0.5
  const { clock, create, request, run } = setupLimiter()
  const limiter = create({ clock: { ...clock, monotonic: () => clock.monotonic() + fraction } })
  const { permit } = await watchNext(limiter.enter(request()), run)
  await permit?.release({ status: 200, rateLimitHeaders: { ...headersOf(0, now + 8 * 60 * minute), limit: 1_000 } })
  await run(10 * minute)
  const trial = await watchNext(limiter.enter(request({ deadline: now + 11 * minute })), run)
  fraction = 0.9
  await trial.permit?.release({ status: 200, rateLimitHeaders: { ...headersOf(299, now + 11 * minute), limit: 300 } })
  expect(limiter.getSnapshot()).toMatchObject({ status: 'ok', remaining: 299 })
})

test('G9: a call that is aborted after its admission, while the slow store still updates, holds no unit', async () => {
  const { clock, create, request, run, store } = setupLimiter()
  const slow: RateLimitStore = {
    ...store,
    update: async (name, change) => {
      await store.update(name, change)
      await new Promise<void>((resolve) => clock.wakeAfter(100, resolve))
    },
  }
  const limiter = create({ store: slow })
  const controller = new AbortController()
  const aborted = watchPermit(limiter.enter(request({ signal: controller.signal })))
  await run(50)
  controller.abort()
  await run(1_000)
  expect(aborted.permit).toBeUndefined()
  expect(limiter.inspect().record.pages).toEqual({})
})

describe('G21: a store that fails', () => {
  function setupFailing(fails: () => boolean) {
    const statuses: StoreStatus[] = []
    let tries = 0
    const memory = createMemoryStore()
    const store: RateLimitStore = {
      ...memory,
      update: async (name, change) => {
        tries += 1
        if (fails()) throw new Error('The store is broken.')
        return memory.update(name, change)
      },
    }
    const onStoreStatus = (status: StoreStatus) => void statuses.push(status)
    return { ...setupLimiter({ store, onStoreStatus }), memory, statuses, tries: () => tries }
  }

  test('is tried again, and joined with what was kept in memory', async () => {
    let isBroken = true
    const { create, request, run, clock, memory, statuses } = setupFailing(() => isBroken)
    const limiter = create()
    limiter.subscribe(() => {})
    const { permit } = await watchNext(limiter.enter(request()), run)
    await permit?.release({ status: 429, rateLimitHeaders: { retryIn: 60_000 } })
    const { cooldownUntil } = limiter.inspect().record
    expect(cooldownUntil).toBeGreaterThan(now + 60_000)
    expect(statuses).toEqual(['failed'])
    // Meanwhile another page has stored a shorter cool-down.
    await memory.update('key', () => ({ ...emptyRecord, updatedAt: clock.now(), cooldownUntil: now + 9_000 }))
    isBroken = false
    await run(2_000)
    expect(statuses).toEqual(['failed', 'recovered'])
    let stored: unknown
    await memory.update('key', (value) => (stored = value))
    expect(stored).toMatchObject({ cooldownUntil })
  })

  test('is tried again after pauses that grow to a minute, and no more once nobody subscribes', async () => {
    const { create, run, tries } = setupFailing(() => true)
    const stop = create().subscribe(() => {})
    // The first try, and the next ones after pauses of 1, 2, 4, 8, 16 and 32 s.
    await run(64_000)
    expect(tries()).toBeGreaterThanOrEqual(6)
    expect(tries()).toBeLessThanOrEqual(7)
    await run(10 * 60_000)
    expect(tries()).toBeLessThanOrEqual(18)
    stop()
    const before = tries()
    await run(10 * 60_000)
    expect(tries()).toBe(before)
  })
})

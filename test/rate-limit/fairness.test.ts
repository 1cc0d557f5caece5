import { describe, expect, it } from 'vitest'
import type { Priority } from '../../src/rate-limit/gate.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRateLimiter, type RateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { createServiceModel, travel, type Visibility, visibleHeaders } from './serviceModel.ts'
import { createSharedStore } from './sharedStore.ts'
import { createVirtualClock, flushMicrotasks } from './virtualClock.ts'

const start = Date.UTC(2026, 0, 1)
const allVisible = { limits: true, retryAfter: true, date: true }

/** Several tabs that share one key of 60 requests a minute, in a browser with a quick store. */
function setup(visible: Visibility = allVisible) {
  const clock = createVirtualClock(start, flushMicrotasks)
  const service = createServiceModel({ plan: [{ limit: 60, per: 60_000 }] })
  const store = createSharedStore(clock, [{ changeDelay: 2, resolveDelay: 1, notifyDelay: 4 }])
  let order = 0

  function openTab() {
    const tab = { isAlive: true }
    const limiter = createRateLimiter({
      name: 'key',
      store: store.forTab({ isAlive: () => tab.isAlive, isBroken: () => false }),
      pace: paceOf('free'),
      clock: { ...clock, wakeAfter: (ms, wake) => clock.wakeAfter(ms, () => tab.isAlive && wake()) },
      random: () => 0.5,
    })
    return { limiter, close: () => (tab.isAlive = false) }
  }

  /** Resolves with how long the call has waited for its response, in ms; `undefined` if it was rejected. */
  async function call(limiter: RateLimiter, priority: Priority, maxWait = 65_000): Promise<number | undefined> {
    order += 1
    const calledAt = clock.now()
    const { signal } = new AbortController()
    const request = { order, priority, deadline: calledAt + maxWait, holdFor: 31_000, signal }
    const id = String(order)
    const permit = await limiter
      .enter({ ...request, id, callId: id, operation: 'listCategories', address: 'categories', isRetry: false })
      .catch(() => undefined)
    if (!permit) return undefined
    return new Promise((resolve) => {
      travel(
        service,
        clock,
        { requestDelay: 20, responseDelay: 30 },
        {
          onEnd: (arrival) => {
            const rateLimitHeaders = arrival && readRateLimitHeaders(visibleHeaders(arrival, visible), clock.now())
            void permit.release({ rateLimitHeaders, status: arrival?.status })
            resolve(clock.now() - calledAt)
          },
        },
      )
    })
  }

  return { clock, service, store, openTab, call }
}

const minute = 60_000

/** Three tabs with 200 calls each, and a person who calls in a fourth one every ten seconds. */
async function playBulk(priority: Priority, visible?: Visibility) {
  const { clock, service, openTab, call } = setup(visible)
  const answered = [0, 0, 0]
  for (const tab of answered.keys()) {
    const { limiter } = openTab()
    for (let count = 0; count < 200; count += 1) {
      void call(limiter, priority, Number.POSITIVE_INFINITY).then(() => {
        answered[tab] = (answered[tab] ?? 0) + 1
      })
    }
  }
  const { limiter } = openTab()
  /** How long after the next window each call was answered, at most, in ms. */
  const delays: number[] = []
  for (let count = 0; count < 18; count += 1) {
    await clock.run(start + 5_000 + count * 10_000)
    const untilNextWindow = minute - (clock.now() % minute)
    void call(limiter, 'user').then((ms = Number.POSITIVE_INFINITY) => delays.push(ms - untilNextWindow))
  }
  await clock.run(start + 4 * minute - 1_000)
  return { delays, answered, refused: service.arrivals.filter(({ status }) => status === 429).length }
}

describe('a person who calls every ten seconds beside three tabs with hundreds of calls', () => {
  it.each<[string, Priority, Visibility | undefined]>([
    ['background calls', 'background', undefined],
    ['calls of users', 'user', undefined],
    ['calls of users, without readable headers', 'user', { limits: false, retryAfter: false, date: false }],
  ])('is answered at the start of the next window at the latest: %s', async (_, priority, visible) => {
    const { delays, answered, refused } = await playBulk(priority, visible)
    expect(delays).toHaveLength(18)
    expect(Math.max(...delays)).toBeLessThan(2_000)
    expect(refused).toBe(0)
    // The other tabs get equal shares.
    const total = answered.reduce((sum, count) => sum + count)
    expect(total).toBeGreaterThan(200)
    for (const count of answered) expect(Math.abs(count - total / 3)).toBeLessThan(total / 20)
  })
})

describe('two tabs whose calls wait for the next window', () => {
  async function setupTwo(priority: Priority) {
    const { clock, openTab, call, store } = setup()
    const [one, other] = [openTab(), openTab()]
    const calls = (limiter: RateLimiter, count: number) =>
      Array.from({ length: count }, () => call(limiter, priority, Number.POSITIVE_INFINITY))
    void calls(one.limiter, 70)
    void calls(other.limiter, 70)
    await clock.run(start + 30_000)
    return { clock, one, other, call, store }
  }

  it('are held up by one that is gone for no longer than a second', async () => {
    const { clock, one, other, call } = await setupTwo('user')
    one.close()
    const answered = call(other.limiter, 'user')
    await clock.run(start + 3 * minute)
    // The next window opens half a second to a second late, and the gone tab has a second for its turn.
    expect(await answered).toBeLessThan(32_500)
  })

  it('write nothing while they wait for a time', async () => {
    const { clock, store } = await setupTwo('user')
    const { length } = store.written
    await clock.run(start + 59_000)
    expect(store.written).toHaveLength(length)
  })
})

it('a tab whose calls need not wait writes nothing more than their admissions and responses', async () => {
  const { clock, openTab, call, store } = setup()
  const { limiter } = openTab()
  for (let count = 0; count < 20; count += 1) {
    void call(limiter, 'user')
    await clock.run(start + 1_000 * (count + 1))
  }
  expect(store.written).toHaveLength(40)
})

it('tabs that all wait do not answer each other’s changes for ever, however many they are', async () => {
  const { clock, openTab, call, store } = setup()
  const tabs = Array.from({ length: 40 }, openTab)
  const waits = tabs.map(({ limiter }) => call(limiter, 'user', 300_000))
  await clock.run(start + 300)
  const before = store.written.length
  await clock.run(start + 50_000)
  expect(store.written.length).toBeLessThan(400)
  expect(await Promise.all(waits)).not.toContain(undefined)
  expect(before).toBeLessThan(400)
})

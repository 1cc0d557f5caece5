import { beforeEach, describe, expect, it } from 'vitest'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { headersWith, type RateLimiterSetup, setup, start } from './rateLimiter.setup.ts'

let test: RateLimiterSetup

beforeEach(() => {
  test = setup()
})

describe('the snapshot', () => {
  it('is the same object until the state changes', async () => {
    const limiter = test.createLimiter()
    const unknown = limiter.getSnapshot()
    expect(unknown.status).toBe('unknown')
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    expect(limiter.getSnapshot()).toBe(unknown)
    await request.permit?.release({ rateLimitHeaders: headersWith(30), status: 200 })
    expect(limiter.getSnapshot()).toMatchObject({ status: 'ok', remaining: 30, limit: 60 })
  })

  it('shows a record that was stored before the subscription', async () => {
    await test.writeStored({ cooldownUntil: start + 5_000 })
    const limiter = test.createLimiter()
    limiter.subscribe(() => {})
    await test.flushPromises()
    expect(limiter.getSnapshot()).toMatchObject({ status: 'cooling-down', retryAt: start + 5_000 })
  })
})

describe('while the store is stalled', () => {
  it.each([
    ['before', async () => new Promise<void>(() => {})],
    ['after', async (change: () => void) => (change(), new Promise<void>(() => {}))],
  ])('%s it makes the change, the snapshot and the subscribers show a refusal at once', async (_, stall) => {
    let isStalled = false
    const { update, subscribe } = createMemoryStore()
    const store: RateLimitStore = {
      update: (name, change) => (isStalled ? stall(() => void update(name, change)) : update(name, change)),
      subscribe,
    }
    const limiter = test.createLimiter({ store })
    const statuses: string[] = []
    limiter.subscribe(() => statuses.push(limiter.getSnapshot().status))
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    isStalled = true
    void request.permit?.release({ rateLimitHeaders: { retryIn: 5_000 }, status: 429 })
    await test.flushPromises()
    expect(limiter.getSnapshot()).toMatchObject({ status: 'cooling-down', retryAt: start + 5_500 })
    expect(statuses).toEqual(['cooling-down'])
  })
})

describe('a subscriber', () => {
  it('is called when the state changes, and only then, until it unsubscribes', async () => {
    const limiter = test.createLimiter()
    let calls = 0
    const unsubscribe = limiter.subscribe(() => (calls += 1))
    await test.flushPromises()
    expect(calls).toBe(0)
    await test.writeStored({ cooldownUntil: start + 5_000 })
    expect([calls, limiter.getSnapshot().status]).toEqual([1, 'cooling-down'])
    await test.writeStored({ cooldownUntil: start + 5_000, consecutiveRefusals: 1 })
    expect(calls).toBe(1)
    unsubscribe()
    await test.writeStored({ cooldownUntil: start + 9_000 })
    expect(calls).toBe(1)
  })

  it('is called when the state changes by time', async () => {
    const limiter = await test.createLimiterWith(0)
    const statuses: string[] = []
    limiter.subscribe(() => statuses.push(limiter.getSnapshot().status))
    expect(limiter.getSnapshot().status).toBe('exhausted')
    await test.clock.run(start + 30_499)
    expect(statuses).toEqual([])
    await test.clock.run()
    expect([statuses, test.clock.now()]).toEqual([['unknown'], start + 30_500])
  })

  it('that subscribed twice is called twice, and unsubscribed one at a time', async () => {
    const limiter = test.createLimiter()
    let calls = 0
    const listener = () => void (calls += 1)
    const unsubscribe = limiter.subscribe(listener)
    limiter.subscribe(listener)
    await test.writeStored({ cooldownUntil: start + 5_000 })
    await test.flushPromises()
    expect(calls).toBe(2)
    unsubscribe()
    await test.writeStored({ cooldownUntil: start + 6_000 })
    expect(calls).toBe(3)
  })

  it('may unsubscribe while it is called, and the next one is still called', async () => {
    const limiter = test.createLimiter()
    let calls = 0
    const unsubscribe = limiter.subscribe(() => {
      calls += 1
      unsubscribe()
    })
    limiter.subscribe(() => (calls += 1))
    await test.flushPromises()
    await test.writeStored({ cooldownUntil: start + 5_000 })
    expect(calls).toBe(2)
  })
})

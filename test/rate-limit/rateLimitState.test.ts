import { beforeEach, describe, expect, it } from 'vitest'
import { type GateRecord, type GateWindow, emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import {
  type RateLimitState,
  isSameState,
  nextStateChange,
  rateLimitState,
} from '../../src/rate-limit/rateLimitState.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { type RateLimiterSetup, headersWith, setup, start } from './rateLimiter.setup.ts'

const now = 1_000_000_000_000
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 30,
  reset: now + 30_000,
  resetAt: now + 30_000,
  ...fields,
})
const record = (fields: Partial<GateRecord>): GateRecord => ({ ...emptyRecord, updatedAt: now, ...fields })

describe('rateLimitState', () => {
  const stateOf = (fields: Partial<GateRecord>) => rateLimitState(record(fields), now, paceOf('free'))
  const stateWith = (remaining: number, fields: Partial<GateRecord> = {}) =>
    stateOf({ windows: [gateWindow({ remaining })], ...fields })
  const inFlight = { a: { count: 1, since: now, until: now + 1 }, b: { count: 1, since: now, until: now + 1 } }
  const nothingKnown = {
    limit: undefined,
    remaining: undefined,
    resetAt: undefined,
    retryAt: undefined,
    waitReason: undefined,
  }

  it('is unknown before the first response', () => {
    expect(stateOf({})).toEqual({ status: 'unknown', ...nothingKnown })
  })

  it('shows the remaining requests without those in flight, and the end of the window', () => {
    const known = { status: 'ok', limit: 60, resetAt: now + 30_000, retryAt: undefined, waitReason: undefined }
    expect(stateWith(30)).toEqual({ ...known, remaining: 30 })
    expect(stateWith(30, { inFlight })).toEqual({ ...known, remaining: 28 })
  })

  it('counts an expired request as spent', () => {
    expect(stateWith(30, { inFlight: { a: { count: 1, since: now - 1, until: now } } }).remaining).toBe(29)
  })

  it('is low with a fifth or less', () => {
    expect(stateWith(13).status).toBe('ok')
    expect(stateWith(12).status).toBe('low')
    expect(stateWith(13, { inFlight }).status).toBe('low')
  })

  it('is exhausted until the reset with nothing left', () => {
    expect(stateWith(0)).toMatchObject({ status: 'exhausted', remaining: 0, retryAt: now + 30_000 })
  })

  it('is low, not exhausted, if all remaining requests are in flight', () => {
    expect(stateWith(1, { inFlight })).toMatchObject({
      status: 'low',
      remaining: 0,
      retryAt: undefined,
      waitReason: undefined,
    })
  })

  it('shows the window with the fewest requests left', () => {
    const windows = [gateWindow(), gateWindow({ limit: 1_000, remaining: 3 }), gateWindow({ limit: 300, remaining: 9 })]
    expect(stateOf({ windows })).toMatchObject({ limit: 1_000, remaining: 3, status: 'low' })
  })

  it('is ok in a window without a limit until it is exhausted', () => {
    expect(stateOf({ windows: [gateWindow({ limit: 0, remaining: 1 })] })).toMatchObject({
      status: 'ok',
      limit: undefined,
    })
    expect(stateOf({ windows: [gateWindow({ limit: 0, remaining: 0 })] }).status).toBe('exhausted')
  })

  it('shows only the limit of a window that has ended', () => {
    expect(stateOf({ windows: [gateWindow({ resetAt: now })] })).toEqual({
      ...nothingKnown,
      status: 'unknown',
      limit: 60,
    })
  })

  it('is cooling down whatever the window says', () => {
    expect(stateOf({ cooldownUntil: now + 1 })).toEqual({
      ...nothingKnown,
      status: 'cooling-down',
      retryAt: now + 1,
      waitReason: 'rate-limit',
    })
    expect(stateWith(0, { cooldownUntil: now + 1 })).toMatchObject({ status: 'cooling-down', remaining: 0, limit: 60 })
    expect(stateOf({ cooldownUntil: now }).status).toBe('unknown')
  })
})

describe('isSameState', () => {
  const state: RateLimitState = {
    status: 'ok',
    limit: 60,
    remaining: 5,
    resetAt: 7,
    retryAt: undefined,
    waitReason: undefined,
  }

  it('is true for equal states', () => {
    expect(isSameState(state, { ...state })).toBe(true)
  })

  it.each<Partial<RateLimitState>>([
    { status: 'low' },
    { limit: 61 },
    { remaining: 6 },
    { resetAt: 8 },
    { retryAt: 9 },
  ])('is false for a different %j', (other) => {
    expect(isSameState(state, { ...state, ...other })).toBe(false)
  })
})

describe('nextStateChange', () => {
  it('is the end of the cool-down or of a window, whichever comes first', () => {
    const windows = [gateWindow({ resetAt: now + 20 }), gateWindow({ resetAt: now + 10 }), gateWindow({ resetAt: now })]
    expect(nextStateChange(record({ windows }), now)).toBe(now + 10)
    expect(nextStateChange(record({ windows, cooldownUntil: now + 5 }), now)).toBe(now + 5)
  })

  it('is infinite if neither is ahead', () => {
    expect(nextStateChange(record({ cooldownUntil: now }), now)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the observable state', () => {
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
})

import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { Permit, EnterRequest } from '../../src/rate-limit/pendingRequest.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../../src/rate-limit/rateLimiter.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { readRecord } from '../../src/rate-limit/records.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createVirtualClock, flushMicrotasks, type VirtualClock } from './virtualClock.ts'

export const start = Date.UTC(2026, 0, 1)
const name = 'key'

/** A request that was entered, and what became of it. */
export interface EnteredRequest {
  permit?: Permit
  error?: unknown
  /** The times that `onWait` was called with. */
  readonly waits: number[]
  readonly abort: (reason?: unknown) => void
}

export interface RateLimiterSetup {
  readonly clock: VirtualClock
  readonly createLimiter: (options?: Partial<RateLimiterOptions>) => RateLimiter
  /** Creates a limiter that knows how many requests are left in the window. */
  readonly createLimiterWith: (remaining: number, options?: Partial<RateLimiterOptions>) => Promise<RateLimiter>
  readonly enter: (limiter: RateLimiter, id: string, fields?: Partial<EnterRequest>) => EnteredRequest
  /** Runs everything that needs no time to pass. */
  readonly flushPromises: () => Promise<void>
  /** Runs `action` in the next update of the store, after its decision and before its response. */
  readonly duringNextUpdate: (action: () => unknown) => void
  readonly readStored: () => Promise<GateRecord>
  /** Changes the stored record as another tab would. */
  readonly writeStored: (fields: Partial<GateRecord>) => Promise<void>
  /** How many updates the store has received; may be set back to 0. */
  updates: number
  /** How many listeners the store has. */
  readonly listeners: number
}

/** A virtual clock, a store that counts its updates, and limiters that use them. */
export function setup(): RateLimiterSetup {
  const clock = createVirtualClock(start, flushMicrotasks)
  const memory = createMemoryStore()
  let updates = 0
  let listeners = 0
  let orders = 0
  let nextAction: (() => unknown) | undefined

  const store: RateLimitStore = {
    update: async (key, change) => {
      updates += 1
      await memory.update(key, change)
      const action = nextAction
      nextAction = undefined
      await action?.()
    },
    subscribe: (key, listener) => {
      listeners += 1
      const unsubscribe = memory.subscribe(key, listener)
      return () => {
        listeners -= 1
        unsubscribe()
      }
    },
  }

  const createLimiter = (options: Partial<RateLimiterOptions> = {}) =>
    createRateLimiter({ name, store, pace: paceOf('free'), clock, random: () => 0, ...options })
  const flushPromises = () => clock.run(clock.now())

  function enter(limiter: RateLimiter, id: string, fields: Partial<EnterRequest> = {}): EnteredRequest {
    const controller = new AbortController()
    const entered: EnteredRequest = { waits: [], abort: (reason) => controller.abort(reason) }
    const request: EnterRequest = {
      id,
      callId: `call ${id}`,
      operation: 'listCategories',
      address: 'categories',
      isRetry: false,
      priority: 'user',
      order: orders++,
      deadline: clock.now() + 65_000,
      holdFor: 31_000,
      signal: controller.signal,
      onWait: ({ until }) => entered.waits.push(until),
      ...fields,
    }
    limiter.enter(request).then(
      (permit) => {
        entered.permit = permit
      },
      (error: unknown) => {
        entered.error = error
      },
    )
    return entered
  }

  return {
    clock,
    createLimiter,
    createLimiterWith: async (remaining, options) => {
      const limiter = createLimiter(options)
      const first = enter(limiter, 'first')
      await flushPromises()
      await first.permit?.release({ rateLimitHeaders: headersWith(remaining), status: 200 })
      return limiter
    },
    enter,
    flushPromises,
    duringNextUpdate: (action) => {
      nextAction = action
    },
    readStored: async () => {
      let record = emptyRecord
      await memory.update(name, (stored) => {
        record = readRecord(stored)
        return stored
      })
      return record
    },
    writeStored: (fields) =>
      memory.update(name, (stored) => ({ ...readRecord(stored), updatedAt: clock.now(), ...fields })),
    get updates() {
      return updates
    },
    set updates(count) {
      updates = count
    },
    get listeners() {
      return listeners
    },
  }
}

/** Headers of a window of 60 requests that ends 30 s after the start. */
export const headersWith = (remaining: number): RateLimitHeaders => ({
  date: start,
  limit: 60,
  remaining,
  resetAt: start + 30_000,
})

/** Whether each of the requests has got its permit. */
export const arePermitted = (requests: readonly EnteredRequest[]): boolean[] =>
  requests.map(({ permit }) => permit !== undefined)

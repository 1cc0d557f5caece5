import { developmentWarning, isDevelopment } from '../base/development.ts'
import type { Clock } from '../base/Clock.ts'
import { createListeners, invokeCallback } from '../base/listeners.ts'
import { emptyRecord } from '../rate-limit/GateRecord.ts'
import { minute } from '../rate-limit/plan.ts'
import type { GateInspection, RateLimitState } from '../rate-limit/rateLimitState.ts'
import { createRateLimiter, type RateLimiter, type SharedGate } from '../rate-limit/rateLimiter.ts'
import type { Sharing } from '../rate-limit/requestQueue.ts'
import type { StoreStatus } from '../rate-limit/RateLimitStore.ts'
import { browserStore, hasBrowserStore } from '../rate-limit/stores/browserStore.ts'
import { memoryStore } from '../rate-limit/stores/memoryStore.ts'
import type { ApiKeySource } from './apiKey.ts'
import type { RespondedAttempt } from './Call.ts'
import type { ClientSettings, PetstoreClientOptions } from './PetstoreClientOptions.ts'
import type { PetstoreEvent } from './PetstoreEvent.ts'
import { hashOf } from '../base/ids.ts'

/** The quota of the API key that the client used last. Made for `useSyncExternalStore`. */
export interface ClientRateLimit {
  /** The same object until something changes. It is frozen. */
  readonly getSnapshot: () => RateLimitState
  /** Calls `listener` when the snapshot has changed. */
  readonly subscribe: (listener: () => void) => () => void
  /** How long a call may wait in total, in ms: the client's `retry.maxWait`. One that would wait longer is rejected. */
  readonly maxWait: number
  /**
   * Returns a copy of what the gate knows and why each call waits, as plain data for display and bug reports. Slow if
   * thousands wait, since it sorts them. Empty before the first call or subscriber.
   */
  readonly inspect: () => GateInspection
  /**
   * Forgets everything but the requests in flight, in all tabs. Ends cool-downs, too: use it once a limit is lifted.
   *
   * @throws AuthenticationError before the first call where the app gives no usable key
   */
  readonly reset: () => Promise<void>
}

export const unknownRateLimit: RateLimitState = Object.freeze({
  status: 'unknown',
  limit: undefined,
  remaining: undefined,
  resetAt: undefined,
  retryAt: undefined,
  waitReason: undefined,
})

export type CreateSharing = (gate: SharedGate, key: string | undefined) => Sharing

/** What a client gets from the code that creates it: `createPetstoreClient`, a provider or a handler. */
export interface Runtime {
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
  /** Called at the beginning of each call, which it may delay or reject. */
  readonly beforeCall?: () => Promise<void>
  /** Called with each successful response and its result. */
  readonly onResult?: ((attempt: RespondedAttempt, result: unknown) => void) | undefined
  /** Divides the quota of a key among the users of the client. */
  readonly createSharing?: CreateSharing
}

interface ClientRateLimitOptions
  extends Pick<ClientSettings, 'addresses' | 'retry' | 'timeout' | 'pace'>,
    Pick<PetstoreClientOptions, 'apiKey' | 'rateLimitStore' | 'scope'>,
    Runtime {
  readonly apiKeys: ApiKeySource
  readonly publish: (event: PetstoreEvent) => void
}

/** In ms. At the latest after this time, the request of a closed tab no longer counts as in flight. */
const maxExpiry = 2 * minute
/** A client with more limiters than this forgets that of the key that it has used least recently. */
const maxLimiters = 8

/** One limiter for each API key, and the state of the one that was used last. */
export function createClientRateLimit(
  options: ClientRateLimitOptions,
): ClientRateLimit & { readonly limiterFor: (key: string | undefined) => Promise<RateLimiter> } {
  const { apiKey, apiKeys, retry, clock } = options
  const limiters = new Map<string | undefined, Promise<RateLimiter>>()
  const listeners = createListeners()
  let current: RateLimiter | undefined
  let unsubscribe: (() => void) | undefined

  function followCurrent(): void {
    unsubscribe?.()
    unsubscribe = listeners.isEmpty ? undefined : current?.subscribe(listeners.call)
  }

  async function limiterFor(key: string | undefined): Promise<RateLimiter> {
    const created = limiters.get(key) ?? createLimiter(options, key)
    limiters.delete(key) // so that it becomes the latest
    limiters.set(key, created)
    if (limiters.size > maxLimiters) limiters.delete([...limiters.keys()][0])
    const limiter = await created
    if (limiter !== current) {
      current = limiter
      followCurrent()
      listeners.call()
    }
    return limiter
  }

  return {
    limiterFor,
    maxWait: retry.maxWait,
    getSnapshot: () => current?.getSnapshot() ?? unknownRateLimit,
    subscribe: (listener) => {
      const isFirst = listeners.isEmpty
      const remove = listeners.add(() => invokeCallback(listener))
      if (isFirst) followCurrent()
      // Shows a cool-down from before a reload at once, unless the key has to be read from the app first.
      if (!current && typeof apiKey !== 'function') void limiterFor(apiKey)
      return () => {
        remove()
        if (listeners.isEmpty) followCurrent()
      }
    },
    inspect: () =>
      structuredClone(current?.inspect() ?? { at: clock.now(), record: emptyRecord, owner: undefined, waiting: [] }),
    reset: async () => {
      const limiter = current ?? (await limiterFor(await apiKeys.read({ operation: 'reset', attempts: 0 })))
      await limiter.reset()
    },
  }
}

const storeFailed =
  'The rate-limit store failed. The rate limit is kept in memory, and shared with nobody until the store works.'

/** Outside of memory, the record's name is a hash: neither a stored name nor a message between tabs shows the key. */
async function createLimiter(options: ClientRateLimitOptions, key: string | undefined): Promise<RateLimiter> {
  const { addresses, timeout, rateLimitStore, scope, publish, clock, createSharing } = options
  // A client without a key calls a handler, which gives each person a quota of their own: the scope stands for the key.
  const identity = `${addresses.service}\n${key ?? scope ?? ''}`
  const onStoreStatus = (status: StoreStatus) => {
    if (isDevelopment && process.env.NODE_ENV !== 'production' && status === 'failed') developmentWarning(storeFailed)
    publish({ type: 'rate-limit-store', at: clock.now(), status })
  }
  const store = rateLimitStore ?? (hasBrowserStore() ? browserStore() : memoryStore())
  const safeName = store.inMemory ? identity : await hashOf(identity)
  return createRateLimiter({
    ...options,
    expiresAfter: Math.min(timeout + 1_000, maxExpiry),
    createSharing: createSharing && ((gate) => createSharing(gate, key)),
    onStoreStatus,
    readsAnyStatus: typeof location === 'undefined',
    name: safeName ?? identity,
    // Without a hash (insecure origins) the name would show the key, so it stays in memory.
    store: safeName ? store : memoryStore(),
  })
}

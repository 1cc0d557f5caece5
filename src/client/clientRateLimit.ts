import { createListeners } from '../rate-limit/listeners.ts'
import type { RateLimiter } from '../rate-limit/rateLimiter.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import type { ApiKey } from './apiKey.ts'
import { invokeCallback } from './invokeCallback.ts'
import { type RateLimitersOptions, rateLimitersByKey } from './rateLimiters.ts'

/** What a client knows of the quota of the key that it used last. Made for `useSyncExternalStore`. */
export interface ClientRateLimit {
  /** The same object until something changes. */
  readonly getSnapshot: () => RateLimitState
  /** Calls `listener` when the snapshot has changed, by a response, by time, or by another tab. */
  readonly subscribe: (listener: () => void) => () => void
  /** Forgets all that is known, cool-downs included, in all tabs. For when the service has lifted a limit. */
  readonly reset: () => Promise<void>
}

/** Before anything is known. */
export const unknownRateLimit: RateLimitState = {
  status: 'unknown',
  limit: undefined,
  remaining: undefined,
  resetAt: undefined,
  retryAt: undefined,
}

export function createClientRateLimit(
  options: RateLimitersOptions,
  apiKey: ApiKey | undefined,
): ClientRateLimit & { readonly limiterFor: (key: string | undefined) => Promise<RateLimiter> } {
  const byKey = rateLimitersByKey(options)
  const listeners = createListeners()
  let current: RateLimiter | undefined
  let unsubscribe: (() => void) | undefined

  const listen = () => {
    unsubscribe?.()
    unsubscribe = listeners.isEmpty ? undefined : current?.subscribe(listeners.call)
  }
  const limiterFor = async (key: string | undefined) => {
    const limiter = await byKey(key)
    if (limiter !== current) {
      current = limiter
      listen()
      listeners.call()
    }
    return limiter
  }
  /** A cool-down from before a reload shows at once, unless the key has to be asked for. */
  const begin = () => (current || typeof apiKey === 'function' ? undefined : limiterFor(apiKey))

  return {
    limiterFor,
    getSnapshot: () => current?.getSnapshot() ?? unknownRateLimit,
    subscribe: (listener) => {
      const isFirst = listeners.isEmpty
      const remove = listeners.add(() => invokeCallback(listener))
      if (isFirst) listen()
      void begin()
      return () => {
        remove()
        if (listeners.isEmpty) listen()
      }
    },
    reset: async () => {
      await begin()
      await current?.reset()
    },
  }
}

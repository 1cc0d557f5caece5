import { browserStore, hasBrowserStore } from '../rate-limit/stores/browserStore.ts'
import type { Clock } from '../rate-limit/Clock.ts'
import { memoryStore } from '../rate-limit/stores/memoryStore.ts'
import type { Pace } from '../rate-limit/plan.ts'
import { createRateLimiter, type RateLimiter } from '../rate-limit/rateLimiter.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'

export interface RateLimitersOptions {
  /** The service's base address. */
  readonly address: string
  readonly store: RateLimitStore | undefined
  readonly pace: Pace
  readonly clock: Clock
  readonly random: () => number
  readonly warn: (message: string) => void
}

/** How many keys a client remembers the limiters of. */
const maxLimiters = 8

/**
 * A limiter for each API key. Their records are named by a hash: neither a stored name nor a message between tabs tells
 * the key.
 */
export function rateLimitersByKey(options: RateLimitersOptions): (key: string | undefined) => Promise<RateLimiter> {
  const limiters = new Map<string | undefined, Promise<RateLimiter>>()
  return (key) => {
    const known = limiters.get(key)
    if (known) return known
    const [oldest] = limiters.keys()
    if (limiters.size >= maxLimiters) limiters.delete(oldest)
    const made = makeLimiter(options, key)
    limiters.set(key, made)
    return made
  }
}

async function makeLimiter(
  { address, store, ...options }: RateLimitersOptions,
  key: string | undefined,
): Promise<RateLimiter> {
  const identity = `${address}\n${key ?? ''}`
  const name = await hash(identity)
  // Without a hash (insecure origins) the name would give the key away: it stays in memory.
  if (name === undefined) return createRateLimiter({ ...options, name: identity, store: memoryStore() })
  return createRateLimiter({ ...options, name, store: store ?? (hasBrowserStore() ? browserStore() : memoryStore()) })
}

async function hash(text: string): Promise<string | undefined> {
  // Missing on insecure origins, whatever its type says.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (!subtle) return undefined
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import { uniqueCacheScope } from './cacheScopes.ts'
import { type ClientHandle, createOwnedClientHandle, type OwnedClientHandle } from './clientHandle.ts'
import { objectIds } from './objectIds.ts'

interface Registration {
  readonly handle: OwnedClientHandle
  /** Equal for clients that the same code created, as far as their options show. */
  readonly fingerprint: string
  /** Epoch ms. */
  readonly createdAt: number
}

/**
 * Handles by their `registryKey`: those whose provider has not mounted yet, and those that providers with equal plain
 * options share. They cannot live in component state alone: React discards it when a boundary outside the provider
 * suspends, and a new client per attempt would send requests in an endless loop.
 */
const registry = new Map<string, Registration>()

/** How long a handle whose provider does not mount stays registered, in ms. */
const maxUnmountedTime = 300_000

/** A provider keeps its client as long as this stays the same. Functions and the store may change with each render. */
export function configurationOf({ apiKey, fetch, onEvent, rateLimitStore, ...plain }: PetstoreClientOptions): string {
  const key = typeof apiKey === 'string' ? apiKey : ''
  const given = [typeof apiKey === 'function', fetch, onEvent, rateLimitStore].map(Boolean)
  return JSON.stringify([plain, key, given])
}

/**
 * The registered client for these options, or a new one.
 *
 * @param provider - identifies the provider, once it has mounted
 */
export function acquireClient(options: PetstoreClientOptions, provider?: object): ClientHandle {
  const configuration = configurationOf(options)
  // A server renders for many people, who must not share anything.
  if (typeof document === 'undefined') return createOwnedClientHandle({ configuration, options, unmountedLoads: 0 })

  const key = registryKey(configuration, options, provider)
  const existing = registry.get(key)?.handle
  if (existing && mayUse(existing, options)) {
    // Created by a render that React discarded; its callbacks may be stale.
    if (!existing.isRetained()) existing.update(options)
    return existing
  }
  return register(key, configuration, options)
}

/**
 * Two mounted providers with different stores do not share a client. A client that was never retained comes from a
 * render that React discarded, where an inline store was another one.
 */
function mayUse(handle: OwnedClientHandle, { rateLimitStore }: PetstoreClientOptions): boolean {
  return handle.rateLimitStore === rateLimitStore || !handle.wasRetained()
}

function register(key: string, configuration: string, options: PetstoreClientOptions): ClientHandle {
  removeExpired()
  const { baseUrl, apiKey, cacheScope } = options
  const fingerprint = fingerprintOf(configuration, options)
  const handle = createOwnedClientHandle({
    configuration,
    options: {
      ...options,
      cacheScope: uniqueCacheScope(cacheScope, baseUrl, typeof apiKey === 'string' ? apiKey : undefined),
    },
    unmountedLoads: countUnmountedLoads(fingerprint),
    onRetain: () => {
      // The functions now change with this provider's renders, so no other provider may find them.
      if (hasFunctions(options)) unregister()
      else registry.set(key, registration)
    },
    onClose: unregister,
  })
  const registration: Registration = { handle, fingerprint, createdAt: Date.now() }
  registry.set(key, registration)
  return handle

  function unregister(): void {
    if (registry.get(key) === registration) registry.delete(key)
  }
}

function removeExpired(): void {
  for (const [key, { handle, createdAt }] of registry) {
    if (!handle.isRetained() && Date.now() - createdAt > maxUnmountedTime) registry.delete(key)
  }
}

function countUnmountedLoads(fingerprint: string): number {
  return [...registry.values()].filter(
    (other) => other.fingerprint === fingerprint && other.handle.hasLoaded() && !other.handle.isRetained(),
  ).length
}

/** Equal functions, an equal scope or the same provider mean the same person; an equal fingerprint does not. */
function registryKey(configuration: string, options: PetstoreClientOptions, provider: object | undefined): string {
  if (options.cacheScope !== undefined || !hasFunctions(options)) return configuration
  // While a transition is pending, each attempt of a mounted provider brings other functions.
  const { apiKey, fetch, onEvent } = options
  return `${configuration}${objectIds(provider ? [provider] : [apiKey, fetch, onEvent]).join()}`
}

/** Compares functions by their source: inline functions are new in each render. */
function fingerprintOf(configuration: string, { apiKey, fetch, onEvent }: PetstoreClientOptions): string {
  return `${configuration}${String([apiKey, fetch, onEvent])}`
}

function hasFunctions({ apiKey, fetch, onEvent }: PetstoreClientOptions): boolean {
  return typeof apiKey === 'function' || fetch !== undefined || onEvent !== undefined
}

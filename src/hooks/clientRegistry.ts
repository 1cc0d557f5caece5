import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import { uniqueCacheScope } from './cacheScopes.ts'
import { type ClientHandle, createOwnedClientHandle, type OwnedClientHandle } from './clientHandle.ts'
import { oncePerObject } from './oncePerObject.ts'

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
  const given = [typeof apiKey === 'function', fetch, onEvent, rateLimitStore].map(Boolean)
  // JSON has no functions: an `apiKey` that is one becomes `null`.
  return JSON.stringify([plain, apiKey, given])
}

/**
 * The registered client for these options, or a new one.
 *
 * @param provider - identifies the provider, once it has mounted: the same object in each attempt of a transition
 */
export function acquireClient(options: PetstoreClientOptions, provider?: object): ClientHandle {
  // A server renders for many people, who must not share anything.
  if (typeof document === 'undefined') return createOwnedClientHandle({ options, unmountedLoads: 0 })

  const configuration = configurationOf(options)
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
  const functions = functionsOf(options)
  // Compares functions by their source: inline functions are new in each render.
  const fingerprint = `${configuration}${functions.join()}`
  const handle = createOwnedClientHandle({
    options: { ...options, cacheScope: uniqueCacheScope(options) },
    unmountedLoads: countUnmountedLoads(fingerprint),
    onRetain: () => {
      // The functions now change with this provider's renders, so no other provider may find them.
      if (functions.length > 0) unregister()
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

/** Forgets expired registrations, and counts the unmounted clients with this fingerprint that have loaded. */
function countUnmountedLoads(fingerprint: string): number {
  let count = 0
  for (const [key, other] of registry) {
    if (other.handle.isRetained()) continue
    if (Date.now() - other.createdAt > maxUnmountedTime) registry.delete(key)
    else if (other.fingerprint === fingerprint && other.handle.hasLoaded()) count += 1
  }
  return count
}

/** Equal functions, an equal scope or the same provider mean the same person; an equal fingerprint does not. */
function registryKey(configuration: string, options: PetstoreClientOptions, provider: object | undefined): string {
  const functions = functionsOf(options)
  if (options.cacheScope !== undefined || functions.length === 0) return configuration
  // While a transition is pending, each attempt of a mounted provider brings other functions.
  return `${configuration}${(provider ? [provider] : functions).map(objectId).join()}`
}

function functionsOf({ apiKey, fetch, onEvent }: PetstoreClientOptions): readonly ((...values: never) => unknown)[] {
  return [apiKey, fetch, onEvent].filter((option) => typeof option === 'function')
}

let lastId = 0
const objectId = oncePerObject<object, number>(() => (lastId += 1))

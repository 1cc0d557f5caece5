import { developmentWarning, isDevelopment } from '../base/development.ts'
import { generateScope } from '../client/cacheKey.ts'
import { systemClock } from '../base/Clock.ts'
import { createClientWith, operationMethods } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import { removeScopeEntries } from './queryActivity.ts'
import { createResponseSharing, sharingOf } from './responseSharing.ts'
import { oncePerObject } from './state.ts'

/** The client that a provider creates, with its life. */
export interface ProvidedOptions extends PetstoreClientOptions {
  /**
   * Whether tabs of one origin with equal addresses, key and `cacheScope` show each other's responses, so that together they
   * send the requests of one. Without a `cacheScope` or an `apiKey` that is a string, nobody knows whose the responses are,
   * and nothing is shared. Default `true`, and `false` with a `rateLimitStore` that is `inMemory`.
   */
  readonly shareResponses?: boolean | undefined
}

/**
 * A provider's client, and what the provider needs to manage it: nothing for the app's own, which only the app closes.
 *
 * The life of a client that a provider creates:
 *
 * | State | Begins when | Calls | Its data in the SWR cache |
 * | --- | --- | --- | --- |
 * | registered | a render asks for a client (`acquireClient`) | sent; delayed where Suspense seems to loop | kept |
 * | retained | a provider with it mounts (`retain`) | sent | kept, or put back |
 * | leaving | a provider unmounts or takes another client (`hold`) | wait until the next state is known | kept |
 * | closed | nobody retains it any more | rejected with an `AbortError` | removed, unless the app named its scope |
 *
 * A closed client is retained again where its provider comes back, as in StrictMode and in a hidden `<Activity>`.
 */
export interface ClientHandle {
  readonly client: PetstoreClient
  /** The store that the client keeps for its whole life: a new one would forget the cool-downs. */
  readonly rateLimitStore?: RateLimitStore | undefined
  /** Replaces the functions that the client calls: `apiKey`, `fetch` and `onEvent`. */
  readonly update?: (options: PetstoreClientOptions) => void
  /** Puts back the data that were removed when nobody retained the client. Safe to call in a render. */
  readonly restore?: () => void
  /** Keeps the client open until the returned function is called. A client that nobody retains is closed. */
  readonly retain?: () => () => void
  /** Holds calls back: a provider leaves, and is about to call what `retain` returned. */
  readonly hold?: () => void
}

/** A handle for a client that the provider creates. */
interface OwnedClientHandle extends Required<ClientHandle> {
  readonly isRetained: () => boolean
  /** Whether a provider with this client has ever mounted. */
  readonly wasRetained: () => boolean
  /** Whether any request has ended, successfully or not. */
  readonly hasLoaded: () => boolean
}

/** A provider keeps its client as long as this stays the same. Functions and the store may change with each render. */
export function configurationOf({ apiKey, fetch, onEvent, rateLimitStore, ...plain }: ProvidedOptions): string {
  const given = [typeof apiKey === 'function', fetch, onEvent, rateLimitStore].map(Boolean)
  // JSON has no functions: an `apiKey` that is one becomes `null`.
  return JSON.stringify([plain, apiKey, given])
}

/**
 * The registered client for these options, or a new one.
 *
 * @param provider - identifies the provider, once it has mounted: the same object in each attempt of a transition
 */
export function acquireClient(options: ProvidedOptions, provider?: object): ClientHandle {
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

function register(key: string, configuration: string, options: ProvidedOptions): ClientHandle {
  const functions = functionsOf(options)
  // Compares functions by their source: inline functions are new in each render.
  const fingerprint = `${configuration}${functions.join()}`
  const handle = createOwnedClientHandle({
    options: { ...options, cacheScope: uniqueCacheScope(options) },
    sharingId: sharingIdOf(options),
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

/** Equal for tabs of one address, key and scope. Without an explicit scope and a key, nobody knows whose the responses are. */
function sharingIdOf({
  baseUrl,
  quickstartBaseUrl,
  apiKey,
  cacheScope,
  rateLimitStore,
  shareResponses = !rateLimitStore?.inMemory,
}: ProvidedOptions): string | undefined {
  if (!shareResponses || (cacheScope === undefined && typeof apiKey !== 'string')) return undefined
  // All functions count as the same key: the scope tells whose it is.
  return JSON.stringify([baseUrl, quickstartBaseUrl, apiKey, typeof apiKey, cacheScope])
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
const objectId = /* @__PURE__ */ oncePerObject<object, number>(() => (lastId += 1))

interface OwnedClientHandleOptions {
  readonly options: PetstoreClientOptions
  /** Of tabs with the same one, each takes the responses of the others; `undefined` where nothing is shared. */
  readonly sharingId?: string | undefined
  /** For the guard against Suspense loops. */
  readonly unmountedLoads: number
  readonly onRetain?: () => void
  readonly onClose?: () => void
}

const gone = isDevelopment
  ? 'Nothing was sent: the PetstoreProvider of this client has a new address, key or scope, or is gone.'
  : 'The provider has changed or is gone.'

/** How long data that a render has put back stay if the provider does not mount, in ms. */
const restoredTime = 1_000

function createOwnedClientHandle({
  options,
  sharingId,
  unmountedLoads,
  onRetain,
  onClose,
}: OwnedClientHandleOptions): OwnedClientHandle {
  let latest = options
  let hasLoaded = false
  let retainCount = 0
  let wasRetained = false
  let putBack: (() => void) | undefined
  const latestKey = () => (typeof latest.apiKey === 'function' ? latest.apiKey() : (latest.apiKey ?? ''))
  /** While a provider leaves: resolves when it is known whether others retain the client. */
  let leaving: Promise<void> | undefined
  let endLeaving = () => {}
  const sharing = sharingId === undefined ? undefined : createResponseSharing(sharingId)
  const { client: unguarded, endDelay } = createSuspenseLoopGuard(
    createClientWith(
      { clock: systemClock, random: Math.random },
      {
        ...options,
        apiKey: typeof options.apiKey === 'function' ? latestKey : options.apiKey,
        fetch: async (request) => {
          await checkRetained()
          const send = latest.fetch ?? globalThis.fetch
          try {
            return await send(request)
          } finally {
            hasLoaded = true
          }
        },
        onEvent: (event) => latest.onEvent?.(event),
      },
      undefined,
      sharing?.onResult,
    ),
    unmountedLoads,
  )

  const call: PetstoreClient['call'] = async (operation, ...rest) => {
    await checkRetained()
    return unguarded.call(operation, ...rest)
  }
  const fetch: PetstoreClient['fetch'] = async (...request) => {
    await checkRetained()
    return unguarded.fetch(...request)
  }
  const client = { ...unguarded, ...operationMethods(call), call, fetch }
  if (sharing) sharingOf.set(client, sharing)

  /** @throws AbortError when no provider has the client any more */
  async function checkRetained(): Promise<void> {
    // Also lets StrictMode retain again, which runs the cleanup and the effect of a provider at once.
    await leaving
    if (wasRetained && retainCount === 0) throw new DOMException(gone, 'AbortError')
  }

  function hold(): void {
    leaving ??= new Promise((resolve) => {
      endLeaving = resolve
    })
  }

  function release(): void {
    retainCount -= 1
    endLeaving()
    leaving = undefined
    queueMicrotask(() => {
      if (retainCount === 0) client.close()
    })
    setTimeout(() => {
      if (retainCount > 0) return
      onClose?.()
      sharing?.leave()
      // Deferred, because SWR still stores that the requests were aborted.
      setTimeout(removeEntries)
    })
  }

  /** Nobody else reads a random scope. Kept here for a hidden `<Activity>`, whose provider comes back. */
  function removeEntries(): void {
    if (retainCount > 0 || putBack || options.cacheScope !== undefined) return
    putBack = removeScopeEntries(client)
  }

  function restore(): void {
    if (!putBack) return
    putBack()
    putBack = undefined
    setTimeout(removeEntries, restoredTime)
  }

  return {
    client,
    rateLimitStore: options.rateLimitStore,
    hasLoaded: () => hasLoaded,
    isRetained: () => retainCount > 0,
    wasRetained: () => wasRetained,
    update: (newer) => {
      latest = newer
    },
    restore,
    retain: () => {
      retainCount += 1
      wasRetained = true
      endDelay?.()
      restore()
      onRetain?.()
      sharing?.open(client)
      return release
    },
    hold,
  }
}

/** More unmounted loads with one fingerprint than this suggest a Suspense loop. */
const maxUnmountedLoads = 10

/** How much longer each further client delays its calls, in ms. */
const delayStep = 500

const advice =
  isDevelopment &&
  'A <PetstoreProvider> has loaded data several times without mounting. Inside a suspended tree, React renders it from ' +
    'scratch on each attempt. With new apiKey, fetch or onEvent functions it then gets a new client, which loads again, ' +
    'in an endless loop. petstore-react slows this loop down. To fix it, define the functions outside of the suspended ' +
    'components, move the provider above the <Suspense>, or set a cacheScope.'

/** A client whose calls may be delayed. */
interface SuspenseLoopGuard {
  readonly client: PetstoreClient
  /** Ends the delay: a mounted provider is not in a loop. */
  readonly endDelay?: () => void
}

/**
 * Slows down a Suspense loop: React discards the state of a suspended tree, so a provider inside it can get a new client
 * for each attempt, and each client would send a request.
 *
 * @param unmountedLoads - how many clients with the same fingerprint have loaded data for providers that never mounted
 */
function createSuspenseLoopGuard(client: PetstoreClient, unmountedLoads: number): SuspenseLoopGuard {
  const delay = (unmountedLoads - maxUnmountedLoads) * delayStep
  if (delay <= 0) return { client }
  if (advice) developmentWarning(advice)
  let endDelay = () => {}
  const delayed = new Promise<void>((resolve) => {
    endDelay = resolve
    setTimeout(resolve, delay)
  })
  return {
    client: {
      ...client,
      // Only loads that start during rendering can be part of a loop, and the query hooks load through `call`.
      call: async (operation, ...rest) => {
        await delayed
        return client.call(operation, ...rest)
      },
    },
    endDelay,
  }
}

/** Returns the cache scope for an owner: the requested one, or a generated one if another owner has taken it. */
type AssignScope = (requested: string, owner: string) => string

const assignScopeSymbol = Symbol.for('petstore-react.cache-scopes')

/**
 * The cache scope for this address and key. Only the first pair that requests a scope gets it unchanged: another one
 * must not meet its data. All functions count as the same key.
 */
function uniqueCacheScope({ cacheScope, baseUrl, apiKey }: PetstoreClientOptions): string | undefined {
  if (cacheScope === undefined) return undefined
  // Global, because two copies of the package may share one SWR cache. A function, because it does not expose the keys.
  const globals: typeof globalThis & { [assignScopeSymbol]?: AssignScope } = globalThis
  globals[assignScopeSymbol] ??= createAssignScope()
  return globals[assignScopeSymbol](cacheScope, JSON.stringify([baseUrl, apiKey]))
}

function createAssignScope(): AssignScope {
  const scopesByRequest = new Map<string, Map<string, string>>()
  return (requested, owner) => {
    const scopes = scopesByRequest.get(requested) ?? new Map([[owner, requested]])
    scopesByRequest.set(requested, scopes)
    const scope = scopes.get(owner) ?? generateScope(`${requested}~${scopes.size}`)
    scopes.set(owner, scope)
    return scope
  }
}

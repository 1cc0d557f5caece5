import { developmentWarning, isDevelopment } from '../base/development.ts'
import { systemClock } from '../base/Clock.ts'
import { generateScope } from '../client/cacheKey.ts'
import { createClientWith } from '../client/createPetstoreClient.ts'
import { createOtherTabs, otherTabsOf, type ProvidedOptions } from './otherTabs.ts'
import { removeEntries } from './queries.ts'

type ClientHandle = ReturnType<typeof createHandle>

/**
 * The clients of all providers that are mounted, or may still mount. They cannot live in component state alone: React
 * discards it when a boundary outside the provider suspends, and a new client per attempt would load in a loop.
 */
const clients = new Set<ClientHandle>()

/** How long a client whose provider does not mount is remembered, in ms. */
const maxUnmountedTime = 300_000

/** A provider keeps its client while this text is the same. Functions and the store count only as given or not. */
export function configurationOf({ apiKey, fetch, onEvent, rateLimitStore, ...plain }: ProvidedOptions): string {
  const given = [typeof apiKey === 'function', fetch, onEvent, rateLimitStore].map(Boolean)
  // JSON has no functions: if `apiKey` is one, it becomes `null`.
  return JSON.stringify([plain, apiKey, given])
}

const functionsOf = ({ apiKey, fetch, onEvent }: ProvidedOptions): readonly unknown[] =>
  [apiKey, fetch, onEvent].filter((option) => typeof option === 'function')

/**
 * Returns the client that an earlier render got for such options, or a new one.
 *
 * @param provider - identifies a mounted provider whose options change: the same object in each attempt of a transition
 */
export function acquireClient(options: ProvidedOptions, provider?: object): ClientHandle {
  const configuration = configurationOf(options)
  const candidates = [...clients].filter((handle) => handle.configuration === configuration)
  // Only a client that was never retained may have another store: a render that React discarded made both, inline.
  const hasSameStore = ({ rateLimitStore, state }: ClientHandle) =>
    rateLimitStore === options.rateLimitStore || !state.wasRetained
  const found = candidates.find((handle) => isSamePerson(handle, options, provider) && hasSameStore(handle))
  if (found) {
    // A render that React discarded has created the client: its functions may be stale.
    if (found.state.retainCount === 0) found.update(options)
    return found
  }
  // More than ten clients that loaded and never mounted suggest a Suspense loop: each further one waits 0.5 s longer.
  const excess = candidates.filter(({ state }) => state.hasLoaded && !state.wasRetained).length - 10
  if (loopWarning && excess > 0) developmentWarning(loopWarning)
  return createHandle(configuration, options, provider, Math.max(0, excess) * 500)
}

/** Whether a client of equal configuration is surely for the same person: a new `apiKey` function may be another's. */
function isSamePerson({ state, ...handle }: ClientHandle, options: ProvidedOptions, provider?: object): boolean {
  const functions = functionsOf(options)
  if (options.scope !== undefined || functions.length === 0) return true
  if (state.retainCount > 0) return false
  if (provider) return handle.provider === provider
  return functionsOf(state.options).every((other, index) => other === functions[index])
}

/** For each scope, the pairs of address and key that have used it, as JSON. */
const scopeOwners = new Map<string, string[]>()

/** Keeps the scope for its first pair alone, whose data no other must show. All functions count as the same key. */
function distinctScope({ scope, baseUrl, apiKey }: ProvidedOptions): string | undefined {
  if (scope === undefined || typeof document === 'undefined') return scope
  const owners = scopeOwners.get(scope) ?? []
  scopeOwners.set(scope, owners)
  const owner = JSON.stringify([baseUrl, apiKey])
  if (!owners.includes(owner)) owners.push(owner)
  const index = owners.indexOf(owner)
  return index === 0 ? scope : generateScope(`${scope}~${index}`)
}

/** Between tests: cancels the calls of all clients of providers, and forgets the clients and their scopes. */
export function forgetClients(): void {
  for (const { client } of clients) client.clear()
  clients.clear()
  scopeOwners.clear()
}

const loopWarning =
  isDevelopment &&
  'A <PetstoreProvider> has loaded data several times without mounting. Inside a suspended tree, React renders it from ' +
    'scratch on each attempt. With new apiKey, fetch or onEvent functions it then gets a new client, which loads again, ' +
    'in an endless loop. To fix it, define the functions outside of the suspended components, move the provider above the ' +
    '<Suspense>, or set a scope.'

/** The client of providers with one configuration: open from their first render until the last one has unmounted. */
function createHandle(configuration: string, options: ProvidedOptions, provider: object | undefined, delay: number) {
  const { apiKey, rateLimitStore } = options
  const state = {
    /** The options of the last render: the client calls their `apiKey`, `fetch` and `onEvent`. */
    options,
    retainCount: 0,
    /** Whether a provider with this client has ever mounted. */
    wasRetained: false,
    /** Whether any request has ended. */
    hasLoaded: false,
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const readKey = () => (typeof state.options.apiKey === 'function' ? state.options.apiKey() : '')
  const tabs = createOtherTabs(options)
  const beforeCall = async () => {
    if (delay > 0 && !state.wasRetained) await new Promise((resolve) => void setTimeout(resolve, delay))
    checkRetained()
  }
  const client = createClientWith(
    { clock: systemClock, random: Math.random, beforeCall, onResult: tabs?.onResult },
    {
      ...options,
      scope: distinctScope(options),
      apiKey: typeof apiKey === 'function' ? readKey : apiKey,
      fetch: async (...request) => {
        // Cancels all requests that wait, even before `endAfter` does so.
        if (isGone()) client.close()
        checkRetained()
        const send = state.options.fetch ?? globalThis.fetch
        return send(...request).finally(() => {
          state.hasLoaded = true
        })
      },
      onEvent: (event) => state.options.onEvent?.(event),
    },
  )
  const isGone = () => state.wasRetained && state.retainCount === 0

  /** @throws AbortError when no provider has the client any more */
  function checkRetained(): void {
    if (isGone()) throw new DOMException(isDevelopment ? 'Nothing was sent: no provider.' : '', 'AbortError')
  }

  /** Closes the client after `ms`, unless a provider retains it. One that may still mount is only forgotten. */
  function endAfter(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      clients.delete(handle)
      if (!state.wasRetained) return
      client.close()
      tabs?.end('leave')
      // Nobody else can read a random scope. Deferred, because SWR still stores that the requests were aborted.
      if (options.scope === undefined) setTimeout(() => removeEntries(client))
    }, ms)
  }

  const handle = {
    client,
    configuration,
    provider,
    state,
    /** The store of the first render, for the whole life of the client: a new one would forget the cool-downs. */
    rateLimitStore,
    update: (newer: ProvidedOptions) => {
      state.options = newer
    },
    /** Keeps the client open until the returned function is called. */
    retain: () => {
      clearTimeout(timer)
      state.retainCount += 1
      state.wasRetained = true
      tabs?.open(client)
      return () => {
        state.retainCount -= 1
        if (state.retainCount === 0) timer = endAfter(0)
      }
    },
  }
  if (tabs) otherTabsOf.set(client, tabs)
  // A server renders for many people, who must not share anything.
  if (typeof document === 'undefined') return handle
  timer = endAfter(maxUnmountedTime)
  clients.add(handle)
  return handle
}

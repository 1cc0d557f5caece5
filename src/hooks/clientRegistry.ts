import { developmentWarning } from '../client/developmentWarning.ts'
import { createPetstoreClient } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'

/** A client made for a provider, and what the provider needs to look after it. */
export interface ProvidedClient {
  /** What it was provided for: options, or a client of the app's. */
  readonly configuration: string | PetstoreClient
  readonly client: PetstoreClient
  /** Hands over the functions of a newer render, which the client calls from then on. */
  readonly update: (options: PetstoreClientOptions) => void
  /** Keeps the client until the returned function is called; nobody keeping it any more, it is closed. */
  readonly keep: () => () => void
}

interface Entry extends ProvidedClient {
  readonly name: string
  /** Equal for what was made at the same place in the code, as far as can be seen. */
  readonly look: string
  readonly madeAt: number
  /** Whether a request has come to an end, well or not. */
  readonly hasResponse: () => boolean
  readonly isKept: () => boolean
}

/**
 * Clients that wait for their provider to come to be on screen, and those that providers with equal plain options share.
 * They cannot live in the state of a component alone: React throws that away whenever a boundary outside the provider
 * suspends, and a new client for each try would ask the service each time, without end.
 */
const registry = new Map<string, Entry>()

/** How long a client is remembered whose provider has not come to be on screen, in ms. */
const pendingTime = 300_000

/** As many clients of providers that look the same, all responded to and none of them shown, may be an endless loop. */
const maxUnmountedLoads = 10

/** By how many ms each client more than that waits longer before it asks anything, unless it is shown before. */
const pauseStep = 500

/** What has to stay equal for a provider to go on with its client. Functions may change at each render. */
export function configurationOf({ apiKey, fetch, onEvent, rateLimitStore, ...plain }: PetstoreClientOptions): string {
  const key = typeof apiKey === 'string' ? apiKey : ''
  const functions = [typeof apiKey === 'function', fetch !== undefined, onEvent !== undefined]
  return JSON.stringify([plain, key, functions, identities([rateLimitStore])])
}

/** The app's own client, which is the app's to look after. */
export function givenClient(client: PetstoreClient): ProvidedClient {
  return { configuration: client, client, update: () => {}, keep: () => () => {} }
}

/**
 * A client for these options: one that was already made for them, or a new one.
 *
 * @param provider - stands for the provider, once it has been on screen
 */
export function acquireClient(options: PetstoreClientOptions, provider?: object): ProvidedClient {
  const configuration = configurationOf(options)
  // On a server every rendering has its own: nothing may be shared between the people it serves.
  if (typeof document === 'undefined') return makeEntry(configuration, '', options, 0)
  const name = nameOf(configuration, options, provider)
  const known = registry.get(name)
  if (known) {
    // Made by a try that came to nothing, and so may be what its functions know.
    if (!known.isKept()) known.update(options)
    return known
  }
  const tooMany = sweep(lookOf(configuration, options)) - maxUnmountedLoads
  if (tooMany > 0) developmentWarning(loop)
  const entry = makeEntry(configuration, name, { ...options, cacheScope: ownScope(options) }, tooMany * pauseStep)
  registry.set(name, entry)
  return entry
}

const loop =
  'Several times a <PetstoreProvider> has loaded data without coming to be on screen. Inside a suspended tree, where ' +
  'it gets other apiKey, fetch or onEvent functions at each try, it has another client each time, and would load ' +
  'without end; so it does ever more slowly. Define the functions outside of the suspended components, put the ' +
  'provider above the <Suspense>, or give it a cacheScope.'

/** Forgets what nobody came back for. Gives the number of those that look like this, responded to, and not on screen. */
function sweep(look: string): number {
  let fruitless = 0
  for (const entry of registry.values()) {
    if (entry.isKept()) continue
    if (Date.now() - entry.madeAt > pendingTime) registry.delete(entry.name)
    else if (entry.hasResponse() && entry.look === look) fruitless += 1
  }
  return fruitless
}

/** The same functions mean the same person; so does the same scope, or provider. That others look the same does not. */
function nameOf(configuration: string, options: PetstoreClientOptions, provider: object | undefined): string {
  if (options.cacheScope !== undefined || !hasFunctions(options)) return configuration
  // Tries of a change that waits (in a transition) have other functions each, but belong to one provider.
  const { apiKey, fetch, onEvent } = options
  return `${configuration}${identities(provider ? [provider] : [apiKey, fetch, onEvent])}`
}

function hasFunctions({ apiKey, fetch, onEvent }: PetstoreClientOptions): boolean {
  return typeof apiKey === 'function' || fetch !== undefined || onEvent !== undefined
}

/** Functions look the same by their source. */
function lookOf(configuration: string, { apiKey, fetch, onEvent }: PetstoreClientOptions): string {
  return `${configuration}${String([apiKey, fetch, onEvent])}`
}

type Scopes = (scope: string, owner: string) => string

const sharedScopes = Symbol.for('petstore-react.cache-scopes')

/** The scope as given for the first address and key it comes with; a later one must not meet their data. */
function ownScope({ cacheScope, baseUrl, apiKey }: PetstoreClientOptions): string | undefined {
  if (cacheScope === undefined) return undefined
  // Two copies of the package may share one cache. A function, since it does not show the keys that it knows.
  const globals: typeof globalThis & { [sharedScopes]?: Scopes } = globalThis
  globals[sharedScopes] ??= createScopes()
  return globals[sharedScopes](cacheScope, JSON.stringify([baseUrl, typeof apiKey === 'string' ? apiKey : undefined]))
}

function createScopes(): Scopes {
  const owners = new Map<string, string>()
  return (scope, owner) => {
    let own = scope
    for (let place = 1; (owners.get(own) ?? owner) !== owner; place += 1) own = `${scope}~${place}`
    owners.set(own, owner)
    return own
  }
}

/** @param pause - for how long it asks nothing, in ms, unless it is kept before */
function makeEntry(configuration: string, name: string, options: PetstoreClientOptions, pause: number): Entry {
  let latest = options
  let hasResponse = false
  let keepers = 0
  const latestKey = () => (typeof latest.apiKey === 'function' ? latest.apiKey() : (latest.apiKey ?? ''))
  const client = createPetstoreClient({
    ...options,
    apiKey: typeof options.apiKey === 'function' ? latestKey : options.apiKey,
    fetch: async (request) => {
      const send = latest.fetch ?? globalThis.fetch
      try {
        return await send(request)
      } finally {
        hasResponse = true
      }
    },
    onEvent: (event) => latest.onEvent?.(event),
  })
  let begin = () => {}
  const isOver = new Promise<void>((resolve) => {
    begin = resolve
    if (pause > 0) setTimeout(resolve, pause)
  })
  const entry: Entry = {
    configuration,
    name,
    look: lookOf(configuration, options),
    client: pause > 0 ? pausing(client, isOver) : client,
    madeAt: Date.now(),
    hasResponse: () => hasResponse,
    isKept: () => keepers > 0,
    update: (newer) => {
      latest = newer
    },
    keep: () => {
      keepers += 1
      begin()
      // Now that its functions may change with its provider's, it is that provider's alone.
      if (hasFunctions(options)) forget(entry)
      else registry.set(name, entry)
      return () => {
        keepers -= 1
        // Not at once: StrictMode lets go and takes hold again.
        setTimeout(() => {
          if (keepers > 0) return
          client.close()
          forget(entry)
        })
      }
    },
  }
  return entry
}

/** Only what asks while rendering can be part of a loop, and that uses `call`. */
function pausing(client: PetstoreClient, isOver: Promise<void>): PetstoreClient {
  return {
    ...client,
    call: async (operation, ...rest) => {
      await isOver
      return client.call(operation, ...rest)
    },
  }
}

function forget(entry: Entry): void {
  if (registry.get(entry.name) === entry) registry.delete(entry.name)
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Objects and functions, told apart by number; anything else is none. */
function identities(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'function' || typeof value === 'object' ? numberOf(value) : 0)).join()
}

function numberOf(value: object | null): number {
  if (value === null) return 0
  const known = numbers.get(value)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(value, lastNumber)
  return lastNumber
}

import {
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
} from '../client/createPetstoreClient.ts'

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
  readonly isAnswered: () => boolean
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

/** As many clients of providers that look the same, all answered and none of them shown, are an endless loop. */
const mostFruitless = 5

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
 * @throws Error in place of an endless loop of requests
 */
export function provideClient(options: PetstoreClientOptions): ProvidedClient {
  const { apiKey, fetch, onEvent, cacheScope } = options
  const configuration = configurationOf(options)
  // On a server every rendering has its own: nothing may be shared between the people it serves.
  if (typeof document === 'undefined') return makeEntry(configuration, '', options)
  // The same functions mean the same person, and so does the same scope; that others only look the same does not.
  const name = cacheScope === undefined ? `${configuration}${identities([apiKey, fetch, onEvent])}` : configuration
  const known = registry.get(name)
  if (known) return known
  const entry = makeEntry(configuration, name, { ...options, cacheScope: ownScope(options) })
  const now = Date.now()
  let fruitless = 0
  for (const other of registry.values()) {
    if (other.isKept()) continue
    if (now - other.madeAt > pendingTime) registry.delete(other.name)
    else if (other.isAnswered() && other.look === entry.look) fruitless += 1
  }
  if (fruitless >= mostFruitless) throw new Error(loop)
  registry.set(name, entry)
  return entry
}

const loop =
  'A <PetstoreProvider> inside a suspended tree gets another apiKey, fetch or onEvent function at each try, and so ' +
  'another client, which would send requests without end. Define the functions outside of the suspended components, ' +
  'put the provider above the <Suspense>, or give it a cacheScope.'

/** The first address and key that a scope is given with, in each load of the page. */
const scopeOwners = new Map<string, string[]>()

/** The scope as given for the first address and key it comes with; a later one must not meet their data. */
function ownScope({ cacheScope, baseUrl, apiKey }: PetstoreClientOptions): string | undefined {
  if (cacheScope === undefined) return undefined
  const owner = JSON.stringify([baseUrl, typeof apiKey === 'string' ? apiKey : undefined])
  const owners = scopeOwners.get(cacheScope) ?? []
  scopeOwners.set(cacheScope, owners)
  if (!owners.includes(owner)) owners.push(owner)
  const place = owners.indexOf(owner)
  return place === 0 ? cacheScope : `${cacheScope}~${place}`
}

function makeEntry(configuration: string, name: string, options: PetstoreClientOptions): Entry {
  const { apiKey, fetch, onEvent } = options
  const hasFunctions = typeof apiKey === 'function' || fetch !== undefined || onEvent !== undefined
  let latest = options
  const latestKey = () => (typeof latest.apiKey === 'function' ? latest.apiKey() : (latest.apiKey ?? ''))
  const client = createPetstoreClient({
    ...options,
    apiKey: typeof apiKey === 'function' ? latestKey : apiKey,
    fetch: fetch && ((request) => (latest.fetch ?? globalThis.fetch)(request)),
    onEvent: (event) => {
      isAnswered ||= event.type === 'response'
      latest.onEvent?.(event)
    },
  })
  let isAnswered = false
  let keepers = 0
  const entry: Entry = {
    configuration,
    name,
    look: `${configuration}${String([apiKey, fetch, onEvent])}`,
    client,
    madeAt: Date.now(),
    isAnswered: () => isAnswered,
    isKept: () => keepers > 0,
    update: (newer) => {
      latest = newer
    },
    keep: () => {
      keepers += 1
      // Now that its functions may change with its provider's, it is that provider's alone.
      if (hasFunctions) forget(entry)
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

import {
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
} from '../client/createPetstoreClient.ts'

/** A client made for a provider, and what the provider needs to look after it. */
export interface ProvidedClient {
  readonly configuration: string
  readonly client: PetstoreClient
  /** Hands over the functions of a newer render, which the client calls from then on. */
  readonly update: (options: PetstoreClientOptions) => void
  /** Keeps the client until the returned function is called; nobody keeping it any more, it is closed. */
  readonly keep: () => () => void
}

interface Entry extends ProvidedClient {
  readonly name: string
  readonly madeAt: number
  readonly isKept: () => boolean
}

/**
 * Clients that wait for their provider to come to be on screen, and those that providers with equal plain options share.
 * They cannot live in the state of a component alone: React throws that away whenever a boundary outside the provider
 * suspends, and a new client for each try would ask the service each time, without end.
 */
const registry = new Map<string, Entry>()

/** How long a client is remembered whose provider has not come to be on screen, in ms. */
const pendingTime = 60_000

/** What has to stay equal for a provider to go on with its client. Functions may change at each render. */
export function configurationOf({ apiKey, fetch, onEvent, rateLimitStore, ...plain }: PetstoreClientOptions): string {
  const key = typeof apiKey === 'string' ? apiKey : ''
  const functions = [typeof apiKey === 'function', fetch !== undefined, onEvent !== undefined]
  return JSON.stringify([plain, key, functions, identities([rateLimitStore])])
}

/** A client for these options: one that was already made for them, or a new one. */
export function provideClient(options: PetstoreClientOptions): ProvidedClient {
  const configuration = configurationOf(options)
  // On a server every rendering has its own: nothing may be shared between the people it serves.
  if (typeof document === 'undefined') return makeEntry(configuration, '', options)
  // The same functions mean the same person; that others only look the same does not.
  const name = `${configuration}${identities([options.apiKey, options.fetch, options.onEvent])}`
  const known = registry.get(name)
  if (known) return known
  const now = Date.now()
  for (const entry of registry.values()) {
    if (!entry.isKept() && now - entry.madeAt > pendingTime) registry.delete(entry.name)
  }
  const entry = makeEntry(configuration, name, options)
  registry.set(name, entry)
  return entry
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
    onEvent: onEvent && ((event) => latest.onEvent?.(event)),
  })
  let keepers = 0
  const entry: Entry = {
    configuration,
    name,
    client,
    madeAt: Date.now(),
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

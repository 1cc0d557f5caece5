import { untilAborted } from '../base/abort.ts'
import { createListeners } from '../base/listeners.ts'
import type { Message } from '../contract/message.ts'
import type { CategoryRecord } from './categoryResource.ts'
import { checkFault, type Fault } from './faults.ts'
import { createState, handleRequest } from './handleRequest.ts'
import { type PetstoreServiceOptions, readOptions } from './readOptions.ts'
import { type RecordedRequest, type RecordedRequestDraft, recordRequest } from './RecordedRequest.ts'
import { addressesAt, type ServiceAddresses } from './router.ts'

/** A Petstore service in memory. Two services share nothing. */
export interface PetstoreService extends ServiceAddresses {
  /**
   * Works like the global `fetch` and can replace it. Only the path of the address matters. When the request is aborted,
   * it rejects with the signal's reason and does no further work.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>
  /** Returns the base addresses at another origin, such as that of a server in front of the service. */
  readonly addresses: (origin: string) => ServiceAddresses
  /** Every request so far, in order of arrival. Always the same array. */
  readonly requests: readonly RecordedRequest[]
  /** Returns a copy of the current categories. */
  readonly categories: () => readonly CategoryRecord[]
  /** Returns a copy of the messages that were accepted so far. */
  readonly messages: () => readonly Message[]
  /**
   * Makes the next requests with an accepted key fail. Preflights do not count. Faults wait in a queue; a request takes
   * the first one that applies to its operation.
   *
   * @param times how many requests fail, default 1
   */
  readonly failNext: (fault: Fault, times?: number) => void
  /**
   * The props with which `<PetstoreProvider {...service.providerProps()}>` uses this service, with its first key. Each
   * call returns the same object, so that a component may call it in each render, until `reset` forgets the limits.
   */
  readonly providerProps: () => ServiceProviderProps
  /**
   * Restores the initial state: first data, full quotas, no bans, no faults, no recorded requests, and provider props
   * without a cool-down.
   */
  readonly reset: () => void
}

/**
 * Creates an in-memory Petstore service that follows the interface document, for tests, demos and stories.
 *
 * @throws TypeError or RangeError when an option is invalid.
 */
export function createPetstoreService(options: PetstoreServiceOptions = {}): PetstoreService {
  const settings = readOptions(options)
  const { now, sleep } = settings
  const halfLatency = settings.latency / 2
  const requests: RecordedRequestDraft[] = []
  const [apiKey = ''] = settings.keys
  let state = createState(settings)

  const serve = async (request: Request): Promise<Response> => {
    const { signal } = request
    // A request that is in flight during a reset keeps using the old state and is not recorded in the new one.
    const stateAtStart = state
    signal.throwIfAborted()
    if (halfLatency > 0) await untilAborted(signal, () => sleep(halfLatency))
    const record = recordRequest(request, now())
    if (stateAtStart === state) requests.push(record)
    const response = await handleRequest(request, settings, stateAtStart, record)
    signal.throwIfAborted()
    if (halfLatency > 0) await untilAborted(signal, () => sleep(halfLatency))
    // A lost connection: browsers give no further details.
    if (!response) throw new TypeError('Failed to fetch')
    record.respondedAt = now()
    record.status = response.status
    return response
  }

  const fetch: PetstoreService['fetch'] = async (input, init) =>
    // Not `instanceof`: a test environment may bring its own `Request` class.
    serve(typeof input === 'object' && 'headers' in input && !init ? input : new Request(input, init))
  const addresses = addressesAt('https://petstore.test')
  const newProviderProps = () => ({ fetch, ...addresses, apiKey, rateLimitStore: createTestStore() })
  let providerProps = newProviderProps()

  return {
    fetch,
    ...addresses,
    addresses: addressesAt,
    requests,
    categories: () => state.categories(),
    messages: () => state.messages(),
    failNext(fault, times = 1) {
      checkFault(fault, times, settings.route.operations)
      for (let count = 0; count < times; count += 1) state.faults.push(fault)
    },
    providerProps: () => providerProps,
    reset() {
      state = createState(settings)
      providerProps = newProviderProps()
      requests.length = 0
    },
  }
}

/**
 * A store for the clients of one service. Not the memory store of `src/rate-limit`: this layer imports no code of the
 * client, so that service and client check each other.
 */
function createTestStore(): ServiceProviderProps['rateLimitStore'] {
  const records = new Map<string, unknown>()
  const listeners = createListeners<string>()
  return {
    inMemory: true,
    update: async (name, change) => {
      const stored = records.get(name)
      const changed = change(stored)
      if (changed === stored) return
      records.set(name, changed)
      listeners.call(name)
    },
    subscribe: (name, listener) =>
      listeners.add((changed) => {
        if (changed === name) listener(records.get(name))
      }),
  }
}

/** Options of a client, and props of `PetstoreProvider`, that lead to a service in memory. */
export interface ServiceProviderProps extends ServiceAddresses {
  /** The service's `fetch`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>
  /** The first key that the service accepts. */
  readonly apiKey: string
  /** Keeps the request limits of this service apart from those of other tests. */
  readonly rateLimitStore: {
    readonly inMemory: true
    readonly update: (name: string, change: (stored: unknown) => unknown) => Promise<void>
    readonly subscribe: (name: string, listener: (stored: unknown) => void) => () => void
  }
}

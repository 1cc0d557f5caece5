import type { Message } from '../contract/message.ts'
import { abortable } from './abortable.ts'
import { handleRequest } from './handleRequest.ts'
import type { CategoryRecord } from './categorySeeds.ts'
import { checkFault, connectionLost, type Fault } from './faults.ts'
import { type RecordedRequestDraft, type RecordedRequest, openEntry } from './RecordedRequest.ts'
import { createState } from './state.ts'
import type { PetstoreServiceOptions } from './PetstoreServiceOptions.ts'
import { readOptions } from './readOptions.ts'
import { addressesAt, type ServiceAddresses } from './addressesAt.ts'

/** A Petstore service in memory. Nothing is shared between two of them. */
export interface PetstoreService extends ServiceAddresses {
  /**
   * Responds to a request like `fetch`, and may be handed on in its place. Only the path of the address matters. Rejects
   * with the signal's reason when the request is aborted: what was not done by then is not done.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>
  /** The base addresses under another origin, for example that of a server in front of the service. */
  readonly addresses: (origin: string) => ServiceAddresses
  /** Every request so far, in order of arrival. The same array all the time. */
  readonly requests: readonly RecordedRequest[]
  /** The categories as they are now. */
  readonly categories: () => readonly CategoryRecord[]
  /** The messages taken so far. */
  readonly messages: () => readonly Message[]
  /**
   * Lets something go wrong with the next requests that bring an accepted key (preflights do not count). Asked for
   * several times, the faults come one after the other.
   *
   * @param times how many requests, default 1
   */
  readonly failNext: (fault: Fault, times?: number) => void
  /** Back to the start: first data, full quotas, no bans, no faults, an empty journal. */
  readonly reset: () => void
}

/**
 * Makes an in-memory Petstore service that follows its interface document: for tests, demos and stories.
 *
 * @throws TypeError or RangeError when an option cannot be used.
 */
export function createPetstoreService(options: PetstoreServiceOptions = {}): PetstoreService {
  const settings = readOptions(options)
  const { now, sleep, latency } = settings
  const requests: RecordedRequestDraft[] = []
  let state = createState(settings)

  const serve = async (request: Request): Promise<Response> => {
    const { signal } = request
    // A request that is under way during a reset ends in the old memory and is not in the new journal.
    const atStart = state
    const halfway = latency() / 2
    signal.throwIfAborted()
    if (halfway > 0) await abortable(sleep(halfway), signal)
    const entry = openEntry(request, now())
    if (atStart === state) requests.push(entry)
    const response = await handleRequest(request, settings, atStart, entry)
    signal.throwIfAborted()
    if (halfway > 0) await abortable(sleep(halfway), signal)
    if (!response) throw connectionLost()
    entry.respondedAt = now()
    entry.status = response.status
    return response
  }

  return {
    fetch: async (input, init) => serve(isRequest(input) && !init ? input : new Request(input, init)),
    ...addressesAt('https://petstore.test'),
    addresses: addressesAt,
    requests,
    categories: () => state.categories.all(),
    messages: () => state.messages.all(),
    failNext(fault, times = 1) {
      checkFault(fault, times)
      for (let count = 0; count < times; count += 1) state.faults.push(fault)
    },
    reset() {
      state = createState(settings)
      requests.length = 0
    },
  }
}

/** By shape: a test environment may bring a `Request` class of its own. */
function isRequest(input: Request | URL | string): input is Request {
  return typeof input === 'object' && 'headers' in input
}

import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import {
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { createVirtualClock, type VirtualClock } from '../rate-limit/virtualClock.ts'

export { noResponse } from '../noResponse.ts'

/*
 * The vocabulary of the client's tests.
 *
 *     const { client, service, run, sent } = setup({ service: { latency: 100 } })
 *     const call = watch(client.listCategories())
 *     await run()
 *     expect(call.now).toMatchObject({ state: 'fulfilled' })
 *     expect(sent).toHaveLength(1)
 *
 * A test in virtual time:
 *   setup              a client, the in-memory service and a clock that advances only in `run`
 *   startOfTests       the time at which every setup begins
 *   run, after         advance the clock; schedule an action
 *   shiftClock         shifts the clock of the clients, while no time passes
 *   sent, events       the requests that left, and the events of the client
 *   watch, statesOf    follow promises; `now` is the state. Awaiting them instead would deadlock: time passes in `run` only
 *   hashAtOnce         lets Web Crypto hash without real time; `setup` calls it
 *
 * A test in real time:
 *   createQuickClient  a client that sends each request once and waits for no limit
 *   failureOf          the error with which a promise rejects
 *   watchRequests, authorizations   record the requests that reach a `fetch`; their keys
 *
 * What `fetch` does:
 *   json, stalledBody  responses
 *   respondWith        a sequence of responses
 *   noResponse         no response at all
 *   networkFailure, createPrerenderError   a rejected request; the error of a completed prerender
 *
 * `steps/step.setup.ts` adds what a test of a single step needs.
 */

export type Fetch = (request: Request) => Promise<Response>

/** Makes one call of a client. */
export type MakeCall = (client: PetstoreClient) => Promise<unknown>

/** A request that left the client. */
export interface SentRequest {
  /** Epoch ms. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Its text; empty until that has been read. */
  body: string
}

/** Records every request before it passes it on. */
export function watchRequests(fetch: Fetch, now: () => number = Date.now): { sent: SentRequest[]; fetch: Fetch } {
  const sent: SentRequest[] = []
  return {
    sent,
    fetch: async (request) => {
      const { method, url } = request
      const entry: SentRequest = { at: now(), method, url, headers: Object.fromEntries(request.headers), body: '' }
      sent.push(entry)
      if (request.body) entry.body = await request.clone().text()
      return fetch(request)
    },
  }
}

/** The Authorization headers of requests, in the order in which they were sent. */
export const authorizations = (sent: readonly SentRequest[]): (string | undefined)[] =>
  sent.map(({ headers }) => headers['authorization'])

/** A `fetch` that gives these responses in turn, and repeats the last one. */
export function respondWith(...responses: readonly [Fetch | (() => Response), ...(Fetch | (() => Response))[]]): Fetch {
  let next = 0
  return async (request) => {
    const response = responses[Math.min(next, responses.length - 1)] ?? responses[0]
    next += 1
    return response(request)
  }
}

/** A JSON response. A string is the body itself. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

/** Rejects as `fetch` does when the connection fails. */
export const networkFailure: Fetch = () => Promise.reject(new TypeError('fetch failed'))

/** The error with which Next's `fetch` rejects when the prerender that has called it is complete. */
export const createPrerenderError = (): Error =>
  Object.assign(new Error('During prerendering, fetch() rejects when the prerender is complete.'), {
    digest: 'HANGING_PROMISE_REJECTION',
  })

/** A response whose body begins and never ends. */
export function stalledBody(status = 200): Response {
  return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('[')) }), {
    status,
  })
}

/** The state of a watched promise. */
export type Watched<Value> =
  | { readonly state: 'pending' }
  | { readonly state: 'fulfilled'; readonly value: Value }
  | { readonly state: 'rejected'; readonly error: unknown }

/** Follows a promise, so that a test can advance the clock before the promise settles. */
export function watch<Value>(promise: Promise<Value>): { readonly now: Watched<Value> } {
  const watched: { now: Watched<Value> } = { now: { state: 'pending' } }
  promise.then(
    (value) => {
      watched.now = { state: 'fulfilled', value }
    },
    (error: unknown) => {
      watched.now = { state: 'rejected', error }
    },
  )
  return watched
}

/** The states of several watched promises. */
export const statesOf = (watched: readonly { readonly now: Watched<unknown> }[]): Watched<unknown>['state'][] =>
  watched.map(({ now }) => now.state)

/** The error with which the promise rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([promise])
  if (result?.status === 'rejected') return result.reason
  throw new Error('The call did not fail.')
}

/** A client in real time that sends each request once and waits for no limit. */
export function createQuickClient(fetch: Fetch, options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  return createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    quickstartBaseUrl: 'https://quickstart.test',
    apiKey: 'demo',
    rateLimitStore: createMemoryStore(),
    retry: { attempts: 1, maxWait: 0 },
    fetch,
    ...options,
  })
}

export interface Setup {
  readonly clock: VirtualClock
  readonly service: PetstoreService
  readonly client: PetstoreClient
  readonly sent: readonly SentRequest[]
  readonly events: readonly PetstoreEvent[]
  /** Creates another client of the same service, clock and store. A `fetch` in `options` is not recorded in `sent`. */
  readonly anotherClient: (options?: Partial<PetstoreClientOptions>) => PetstoreClient
  /** Advances the clock until nothing is left to do, or to a time (epoch ms). */
  readonly run: (until?: number) => Promise<void>
  /** Runs `action` after `ms` of virtual time. */
  readonly after: (ms: number, action: () => void) => void
  /** Shifts the clock of the clients by `ms`, as a person can. No time passes. */
  readonly shiftClock: (ms: number) => void
}

interface SetupOptions {
  readonly service?: PetstoreServiceOptions
  readonly client?: Partial<PetstoreClientOptions>
  /** 0 to 1; used by the backoff, the gate, and for the ids of calls, which are all the same by default. */
  readonly random?: () => number
}

/** 20 s into a minute and a day, so that the first window is shorter than the others, as it usually is. */
export const startOfTests: number = Date.UTC(2026, 0, 1) + 20_000

/** Creates a client and a service in virtual time, which advances only in `run`. */
export function setup({ service: serviceOptions, client: options = {}, random = () => 0.5 }: SetupOptions = {}): Setup {
  const clock = createVirtualClock(startOfTests)
  hashAtOnce()
  const service = createPetstoreService({
    now: clock.now,
    sleep: (ms) => new Promise((resolve) => void clock.wakeAfter(ms, resolve)),
    ...serviceOptions,
  })
  const { sent, fetch } = watchRequests((request) => (options.fetch ?? service.fetch)(request, {}), clock.now)
  const events: PetstoreEvent[] = []
  const { baseUrl, quickstartBaseUrl } = service
  const defaults = {
    baseUrl,
    quickstartBaseUrl,
    apiKey: 'demo',
    rateLimitStore: createMemoryStore(),
    onEvent: (event: PetstoreEvent) => void events.push(event),
  }
  let shift = 0
  const clientClock = { ...clock, now: () => clock.now() + shift }
  const anotherClient = (overrides: Partial<PetstoreClientOptions> = {}) =>
    createClientWith({ clock: clientClock, random }, { ...defaults, ...options, fetch, ...overrides })
  return {
    clock,
    service,
    client: anotherClient(),
    sent,
    events,
    anotherClient,
    run: async (until) => {
      // Reading a body takes several turns of the event loop in which the clock finds nothing to do.
      for (let turn = 0; turn < 3; turn += 1) await clock.run(until)
    },
    after: (ms, action) => void clock.wakeAfter(ms, action),
    shiftClock: (ms) => {
      shift += ms
    },
  }
}

/** Hashes on this thread: Web Crypto takes real time on another one, and the virtual clock does not wait for that. */
export function hashAtOnce(): void {
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_, data) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
  })
}

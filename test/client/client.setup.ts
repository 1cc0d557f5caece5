import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import {
  createMemoryStore,
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from '../../src/client.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { createVirtualClock, type VirtualClock } from '../rate-limit/virtualClock.ts'

/** A request as it left the client. */
export interface SentRequest {
  /** Epoch ms. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty until it has been read. */
  body: string
}

type Fetch = (request: Request) => Promise<Response>

/** Notes every request that passes. */
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

/** A `fetch` that gives these responses, one after the other, and the last one from then on. */
export function respondWith(...responses: readonly [Fetch | (() => Response), ...(Fetch | (() => Response))[]]): Fetch {
  let next = 0
  return async (request) => {
    const response = responses[Math.min(next, responses.length - 1)] ?? responses[0]
    next += 1
    return response(request)
  }
}

/** A response with JSON; a string is sent as it is. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

/** A response that never comes: it ends with the request. */
export const silence: Fetch = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** A response whose body begins and never ends. */
export function stalledBody(status = 200): Response {
  return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('[')) }), {
    status,
  })
}

/** How a call stands; looked at, not awaited. */
export type Watched<Value> =
  | { readonly state: 'pending' }
  | { readonly state: 'fulfilled'; readonly value: Value }
  | { readonly state: 'rejected'; readonly error: unknown }

/** Follows a promise, so that virtual time can pass before anybody awaits it. */
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

/** What the promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([promise])
  if (result?.status === 'rejected') return result.reason
  throw new Error('The call did not fail.')
}

/** A client in real time that sends each request once and never waits. */
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
  /** Another client on the same service, clock and store. */
  readonly anotherClient: (options?: Partial<PetstoreClientOptions>) => PetstoreClient
  /** Lets everything happen until nothing is to come, or until a time (epoch ms). */
  readonly run: (until?: number) => Promise<void>
  /** Does something after so many ms of virtual time. */
  readonly after: (ms: number, action: () => void) => void
}

interface SetupOptions {
  readonly service?: PetstoreServiceOptions
  readonly client?: Partial<PetstoreClientOptions>
  /** 0 to 1, for the backoff and the gate. */
  readonly random?: () => number
}

/** 20 s after a minute and a day began, by the service's clock. */
export const opening: number = Date.UTC(2026, 0, 1) + 20_000

/** A client and a service in virtual time, which passes only in `run`. */
export function setup({ service: rules = {}, client: options = {}, random = () => 0.5 }: SetupOptions = {}): Setup {
  const clock = createVirtualClock(opening)
  // Hashed by another thread, a key would be late by real time, of which the virtual clock knows nothing.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_, data) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
  })
  const service = createPetstoreService({
    now: clock.now,
    sleep: (ms) => new Promise((resolve) => void clock.wakeAfter(ms, resolve)),
    ...rules,
  })
  const { sent, fetch } = watchRequests(options.fetch ?? service.fetch, clock.now)
  const events: PetstoreEvent[] = []
  const { baseUrl, quickstartBaseUrl } = service
  const usual = {
    baseUrl,
    quickstartBaseUrl,
    apiKey: 'demo',
    rateLimitStore: createMemoryStore(),
    onEvent: (event: PetstoreEvent) => void events.push(event),
  }
  const anotherClient = (others: Partial<PetstoreClientOptions> = {}) =>
    createClientWith({ clock, random }, { ...usual, ...options, fetch, ...others })
  return {
    clock,
    service,
    client: anotherClient(),
    sent,
    events,
    anotherClient,
    run: async (until) => {
      // A body takes some turns to be read, in which the clock may find nothing to do.
      for (let turn = 0; turn < 3; turn += 1) await clock.run(until)
    },
    after: (ms, action) => void clock.wakeAfter(ms, action),
  }
}

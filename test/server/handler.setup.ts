import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createPetstoreClient, type PetstoreClient, type PetstoreClientOptions } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import {
  createPetstoreHandler,
  type PetstoreHandler,
  type PetstoreHandlerOptions,
  toNodeHandler,
} from '../../src/server.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { createHandlerWith } from '../../src/server/createPetstoreHandler.ts'
import { type Fetch, hashAtOnce, startOfTests, watchRequests } from '../client/client.setup.ts'
import { createVirtualClock, type VirtualClock } from '../rate-limit/virtualClock.ts'

/*
 * The vocabulary of the handler's tests.
 *
 *   handlerTo          a handler whose service is a function
 *   setupInVirtualTime a handler and its service, whose time passes in `run` alone
 *   visit, getList, postDog   requests of a program that sends no headers of a browser, which these handlers allow
 *   startServers       the service and the handler, each on a port of its own
 *   serve              any listener on a port; `speak` writes raw bytes to it
 *   openPage           the client of a page, without a key and with a gate of its own
 */

/** The key of the server. It must not reach a page. */
export const serverKey = 'canary-of-the-server+/='

export const pageOrigin = 'https://app.test'

type HandlerOptions = Partial<PetstoreHandlerOptions>

/** A handler whose service responds with `fetch`. */
export const handlerTo = (fetch: Fetch, options: HandlerOptions = {}): PetstoreHandler =>
  createPetstoreHandler({
    baseUrl: 'https://petstore.test/v1',
    quickstartBaseUrl: 'https://petstore.test',
    apiKey: serverKey,
    rateLimitStore: createMemoryStore(),
    authorize: 'everybody',
    allowUnmarkedRequests: true,
    fetch,
    ...options,
  })

interface VirtualHandlerOptions {
  readonly service?: PetstoreServiceOptions | undefined
  readonly handler?: HandlerOptions | undefined
  /** Replaces the `fetch` of the service. */
  readonly fetch?: Fetch | undefined
  readonly clock?: VirtualClock | undefined
}

/** A handler and its service in virtual time, which passes in `run` alone. The cookie names the user. */
export function setupInVirtualTime({
  service: serviceOptions = {},
  handler: options = {},
  fetch: respond,
  clock = createVirtualClock(startOfTests),
}: VirtualHandlerOptions) {
  hashAtOnce()
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const service = createPetstoreService({ keys: [serverKey], now: clock.now, sleep, ...serviceOptions })
  const { sent, fetch } = watchRequests(respond ?? service.fetch, clock.now)
  const handler = createHandlerWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: service.baseUrl,
      quickstartBaseUrl: service.quickstartBaseUrl,
      apiKey: serverKey,
      rateLimitStore: createMemoryStore(),
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
      allowUnmarkedRequests: true,
      fetch,
      ...options,
    },
  )
  /** Advances the clock by `ms`. Runs the clock three times, because bodies arrive over several turns of the event loop. */
  const run = async (ms = 0) => {
    for (let turn = 0; turn < 3; turn += 1) await clock.run(clock.now() + (turn === 0 ? ms : 0))
  }
  return { clock, service, sent, handler, run }
}

/** A request to the handler, by default without the headers of a browser. */
export function visit(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
  init: RequestInit & { duplex?: 'half' } = {},
): Request {
  const hasBody = body !== undefined
  return new Request(pageOrigin + path, {
    method,
    headers: { Host: 'app.test', ...(hasBody && { 'Content-Type': 'application/json' }), ...headers },
    body: hasBody ? (typeof body === 'string' ? body : JSON.stringify(body)) : null,
    ...init,
  })
}

export const listPath = '/api/petstore/v1/categories'
export const getList = (headers?: Record<string, string>): Request => visit('GET', listPath, headers)
export const postDog = (headers?: Record<string, string>, body: unknown = { name: 'Dog' }): Request =>
  visit('POST', listPath, headers, body)

/** Listens on a free port until the test has finished. Returns the origin. */
export async function listenOn(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

export const serve = (listener: RequestListener): Promise<string> => listenOn(createServer(listener))

/** Opens a connection on which a test writes bytes of its own. */
export function openSocket(origin: string): Socket {
  const { port, hostname } = new URL(origin)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Writes raw bytes, ends its side of the connection, and returns what comes back until the server ends its own. */
export async function speak(origin: string, text: string): Promise<string> {
  const socket = openSocket(origin)
  socket.on('error', () => {}) // a server may close the connection while it is written to
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket.end(text)
  await once(socket, 'close')
  return received
}

/** The client of a page. It has no API key, and its own gate. */
export const openPage = (origin: string, options: Partial<PetstoreClientOptions> = {}): PetstoreClient =>
  createPetstoreClient({
    baseUrl: `${origin}/api/petstore/v1`,
    quickstartBaseUrl: `${origin}/api/petstore/quickstart`,
    rateLimitStore: createMemoryStore(),
    retry: { attempts: 1, maxWait: 0 },
    ...options,
  })

export interface Servers {
  readonly service: PetstoreService
  readonly handler: PetstoreHandler
  /** The origin of the handler. */
  readonly origin: string
}

/** Starts the service and the handler, each on its own port. */
export async function startServers(
  serviceOptions: PetstoreServiceOptions = {},
  options: HandlerOptions = {},
): Promise<Servers> {
  const service = createPetstoreService({ keys: [serverKey], ...serviceOptions })
  const server = await listen(service)
  onTestFinished(server.close)
  const { baseUrl, quickstartBaseUrl } = server
  const handler = createPetstoreHandler({
    baseUrl,
    quickstartBaseUrl,
    apiKey: serverKey,
    rateLimitStore: createMemoryStore(),
    authorize: 'everybody',
    allowUnmarkedRequests: true,
    ...options,
  })
  return { service, handler, origin: await serve(toNodeHandler(handler)) }
}

import { createClientWith, type KeyedClient, operationMethods, type Runtime } from '../client/createPetstoreClient.ts'
import { isPetstoreError, RateLimitError } from '../client/errors.ts'
import {
  type CallArguments,
  callOperation,
  type KeyedCallOptions,
  type PetstoreClient,
} from '../client/PetstoreClient.ts'
import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import { defaultTimeout } from '../client/PetstoreClientOptions.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { StoreFailureReason } from '../rate-limit/RateLimitStore.ts'
import { systemClock } from '../base/Clock.ts'
import { authorizeVisitor, createVisitorKeys } from './visitors.ts'
import { createPrefetch, type PrefetchForVisitor } from './createPrefetch.ts'
import { createKeptResponses, createServiceCaller, type VisitorCall } from './serviceCaller.ts'
import { checkRequestOrigin, corsHeaders, preflightResponse, readPriority } from './requestOrigin.ts'
import { HandlerError, queueFull, toHandlerError } from './HandlerError.ts'
import { type PetstoreHandlerOptions, readHandlerSettings } from './PetstoreHandlerOptions.ts'
import { errorResponse, quotaHeaders, serviceResponse } from './responses.ts'
import { fromRequest, type HandlerResponse, setExchange, toResponse, type VisitorRequest } from './exchange.ts'
import { readInput } from './readInput.ts'
import { createRoutes } from './routes.ts'
import { createUserQueues, QueueFullError } from './userQueues.ts'

/** The parts of the server around the handler, such as the context of a Cloudflare Worker. */
export interface HandlerContext {
  /** Keeps the machine awake until the promise has settled. Used to reload kept responses in the background. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/** Responds to the requests of your pages. Never rejects. */
export interface PetstoreHandler {
  (request: Request, context?: HandlerContext): Promise<Response>
  /**
   * The handler's own client, for server components, actions and jobs: it shares the gate and the kept responses. All its
   * calls together have the share of one user; with a `scope`, a call uses the share of the user whose id that is.
   */
  readonly client: PetstoreClient
  /**
   * Prepares the response to an operation for the page of a visitor, as `prefetchQuery` does. The visitor is the request for
   * the page, which `authorize` is asked about, or the id of the user. The call has the visitor's share of the quota, and
   * kept responses are used, with their age.
   *
   * @throws PetstoreError, AbortError, or an Error with the `status` 401 or 403 if the visitor is refused
   */
  readonly prefetch: PrefetchForVisitor
  /**
   * The health of the handler, for a readiness probe. It sends nothing to the service. If the rate-limit store
   * failed and may be tried again, it tries, and the next call tells the result.
   */
  readonly health: () => HandlerHealth
}

/** The health of a handler. */
export interface HandlerHealth {
  /**
   * Whether the `rateLimitStore` worked when it was used last. While it does not, this process continues with its part of
   * the quota, so it can still respond.
   */
  readonly store: 'ok' | 'unavailable'
  /** Why it does not, if the store says so. It holds nothing secret. */
  readonly reason?: StoreFailureReason
}

/**
 * Serves the operations of the Petstore service to your own pages, with the API key of your server. Create one for the
 * whole server, so that one gate sees what all visitors send together. It needs nothing but web standards: use it as a
 * fetch handler, or with `toRouteHandlers` or `toNodeHandler`.
 *
 * The client of a page waits and retries, so this one responds soon: `retry` is `{ attempts: 1, maxWait: 5_000 }` by
 * default.
 *
 * @example
 * const handler = createPetstoreHandler({
 *   baseUrl: 'https://your-petstore-host/v1',
 *   apiKey: () => process.env['PETSTORE_API_KEY'] ?? '',
 * })
 *
 * @throws TypeError when an option cannot be used, saying what to write instead
 */
export function createPetstoreHandler(options: PetstoreHandlerOptions): PetstoreHandler {
  return createHandlerWith({ clock: systemClock, random: Math.random }, options)
}

export function createHandlerWith(runtime: Runtime, options: PetstoreHandlerOptions): PetstoreHandler {
  const { clock } = runtime
  const { operations, basePath, cacheRules, originRules, maxBodySize, ...settings } = readHandlerSettings(options)
  const { allowedOrigins } = originRules
  const routes = createRoutes(basePath, operations)
  const kept = createKeptResponses(settings.maxCacheSize)
  let store: HandlerHealth['store'] = 'ok'
  const readReason = (): Pick<HandlerHealth, 'reason'> => {
    const reason = store === 'unavailable' ? options.rateLimitStore?.failureReason?.() : undefined
    return reason === undefined ? {} : { reason }
  }
  const onEvent = (event: PetstoreEvent) => {
    if (event.type !== 'rate-limit-store') return options.onEvent?.(event)
    store = event.status === 'failed' ? 'unavailable' : 'ok'
    return options.onEvent?.({ ...event, ...readReason() })
  }
  const retry = { attempts: options.retry?.attempts ?? 1, maxWait: options.retry?.maxWait ?? 5_000 }
  const { authorize, timeout = defaultTimeout } = options
  const keys = createVisitorKeys(options.apiKey, timeout, clock)
  const queues = createUserQueues({ hasUsers: authorize !== undefined, maxQueued: settings.maxQueued })
  const { createQueue } = queues
  const client = watchWrites(
    createClientWith({ ...runtime, createQueue }, { ...options, onEvent, retry }, keys.source),
    kept.clear,
  )
  const callService = createServiceCaller({ client, keys, cacheRules, kept, clock })
  const authorization = { authorize, timeout, clock }
  const prefetch = createPrefetch({ callService, authorization, keys, clock })

  /** The way of one request. Each step may end it with a `HandlerError`. */
  async function respond(request: VisitorRequest, context: HandlerContext): Promise<HandlerResponse> {
    const { method, url, signal } = request
    const origin = corsHeaders(request, allowedOrigins)
    if (method === 'OPTIONS' && 'Access-Control-Allow-Origin' in origin) {
      return withHeaders(preflightResponse(routes.methodsOf(url.pathname)), origin)
    }
    try {
      const route = routes.find(method, url.pathname)
      checkRequestOrigin(request, originRules)
      const user = await authorizeVisitor(request, route.operation, authorization)
      const { operation } = route
      const key = await keys.readForVisitor({ operation: operation.name, attempts: 0 })
      const input = await readInput(request, route, { maxBodySize, clock })
      const priority = readPriority(request)
      // Called as a method: a Worker's context refuses a function without its object.
      const waitUntil = (work: Promise<unknown>) => context.waitUntil?.(work)
      const response = await serve(request, { operation, input, user, key, priority, signal, waitUntil })
      return withHeaders(response, { ...quotaHeaders(queues.rateLimitOf(user, key.key), clock.now()), ...origin })
    } catch (error) {
      return withHeaders(errorResponse(errorOf(request, error)), origin)
    }
  }

  async function serve(request: VisitorRequest, call: VisitorCall): Promise<HandlerResponse> {
    try {
      return serviceResponse(request, await callService(call))
    } catch (error) {
      return errorResponse(errorOf(request, error))
    }
  }

  function errorOf({ signal }: VisitorRequest, error: unknown): HandlerError {
    // Nobody reads it. The status is what proxies log for a closed connection.
    if (signal.aborted) return new HandlerError(499, 'closed', 'The visitor has gone.')
    if (error instanceof HandlerError) return error
    if (error instanceof QueueFullError) return queueFull(error, clock.now())
    if (isPetstoreError(error)) return toHandlerError(error, clock.now())
    // A function of the app failed, such as `authorize`. Its error may say more than visitors are to know.
    console.error(error)
    return new HandlerError(500, 'internal', 'This server failed.')
  }

  async function exchange(request: VisitorRequest, context: HandlerContext = {}): Promise<HandlerResponse> {
    const response = await respond(request, context)
    const { headers } = response
    headers['Date'] = new Date(clock.now()).toUTCString()
    headers['X-Content-Type-Options'] = 'nosniff'
    headers['Cache-Control'] ??= 'no-store'
    if (allowedOrigins.size > 0) headers['Vary'] = 'Origin'
    return response
  }

  async function handle(request: Request, context?: HandlerContext): Promise<Response> {
    return toResponse(await exchange(fromRequest(request), context))
  }

  setExchange(handle, exchange)

  function health(): HandlerHealth {
    // Whoever subscribes makes the gate read its store.
    if (store === 'unavailable') client.rateLimit.subscribe(() => {})()
    return { store, ...readReason() }
  }

  return Object.assign(handle, { client: clientOfServer(client), prefetch, health })
}

function withHeaders(response: HandlerResponse, headers: Readonly<Record<string, string>>): HandlerResponse {
  Object.assign(response.headers, headers)
  return response
}

/** The same client, which calls `onWrite` after each call that may have changed something, also where it failed. */
function watchWrites(client: KeyedClient, onWrite: () => void): KeyedClient {
  const call: KeyedClient['call'] = async (operation, ...rest) => {
    try {
      return await client.call(operation, ...rest)
    } finally {
      if (operation.method !== 'GET') onWrite()
    }
  }
  const fetch: PetstoreClient['fetch'] = async (...request) => {
    const [resource, init] = request
    const method = init?.method ?? (resource instanceof Request ? resource.method : 'GET')
    try {
      return await client.fetch(...request)
    } finally {
      if (method !== 'GET') onWrite()
    }
  }
  return { ...client, ...operationMethods(call), call, fetch }
}

/** The client for the server's own calls: their scope names the user, and their errors are those of any client. */
function clientOfServer(client: KeyedClient): PetstoreClient {
  const call: PetstoreClient['call'] = async <Input, Output>(
    operation: Operation<Input, Output>,
    ...[input, options]: CallArguments<Input>
  ) => {
    try {
      return await callOperation<Input, Output, KeyedCallOptions>(client, operation, input, {
        ...options,
        user: options?.scope,
      })
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      const { name, method, replay } = operation
      throw new RateLimitError({ operation: name, attempts: 0, method, replay }, error.retryAt)
    }
  }
  return { ...client, ...operationMethods(call), call }
}

type WebHandler = (request: Request) => Promise<Response>

/**
 * One function for each method, as Next's route handlers and others want them.
 *
 * @example
 * // app/api/petstore/[...path]/route.ts
 * export const { GET, POST } = toRouteHandlers(handler)
 */
export function toRouteHandlers(
  handler: WebHandler,
): Readonly<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', WebHandler>> {
  // A framework passes a second argument of its own.
  const handle: WebHandler = (request) => handler(request)
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}

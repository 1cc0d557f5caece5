import { HandlerError } from './HandlerError.ts'
import { errorResponse } from './responses.ts'

/** The parts that the adapter needs of Node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** The headers as one list: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** The major version number of HTTP. */
  readonly httpVersionMajor: number
  /** Whether the body has arrived as a whole. */
  readonly complete: boolean
  /** Whether somebody has read the body. */
  readonly readableDidRead: boolean
  /** Stops the body from flowing to whoever listens. */
  readonly pause: () => unknown
  /** Ends the pause. */
  readonly resume: () => unknown
}

/** The parts that the adapter needs of Node's `ServerResponse`. */
export interface NodeResponse {
  /** The HTTP status. */
  statusCode: number
  /** Whether everything has been handed over to the network. */
  readonly writableFinished: boolean
  /** Sets a header of the response. */
  readonly setHeader: (name: string, value: string) => unknown
  /** Sends the response with this body. */
  readonly end: (body: string | Uint8Array) => unknown
  /** Closes the connection without a response. */
  readonly destroy: () => unknown
  /** Called when the response has been sent or the visitor has gone. */
  readonly once: (event: 'close', listener: () => void) => unknown
}

/**
 * Connects a handler to Node's own server: `createServer(toNodeHandler(handler))`. In Express, put
 * `app.use(toNodeHandler(handler))` behind the routes of the app, or `app.all('/api/petstore/*path', …)` anywhere before
 * middleware that reads bodies.
 */
export function toNodeHandler(
  handler: (request: Request) => Promise<Response>,
): (incoming: NodeRequest, outgoing: NodeResponse) => void {
  return (incoming, outgoing) => {
    respond(handler, incoming, outgoing).catch((error: unknown) => {
      console.error(error)
      outgoing.destroy()
    })
  }
}

async function respond(
  handler: (request: Request) => Promise<Response>,
  incoming: NodeRequest,
  outgoing: NodeResponse,
): Promise<void> {
  const disconnected = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort()
  })
  const response = await responseOf(handler, incoming, disconnected.signal)
  const body = new Uint8Array(await response.arrayBuffer())
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  // HTTP/1 would take the unread rest of a body for the next request. HTTP/2 has a stream for each request.
  if (!incoming.complete && incoming.httpVersionMajor === 1) outgoing.setHeader('Connection', 'close')
  outgoing.end(body)
}

async function responseOf(
  handler: (request: Request) => Promise<Response>,
  incoming: NodeRequest,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await handler(toRequest(incoming, signal))
  } catch (error) {
    if (error instanceof HandlerError) return errorResponse(error)
    throw error
  }
}

/** @throws HandlerError with 400, 405 or 500 */
function toRequest(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET' } = incoming
  const headers = readHeaders(incoming)
  const url = readUrl(incoming, headers.get('Host'))
  const hasBody = method !== 'GET' && method !== 'HEAD'
  if (hasBody && incoming.readableDidRead) {
    throw new HandlerError(500, 'body-read', 'Mount the handler before middleware that reads bodies.')
  }
  // A body that middleware listens to starts to flow soon, and would be gone before the handler reads it.
  if (hasBody) incoming.pause()
  const body = hasBody ? toStream(incoming) : null
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, body, duplex: 'half', signal }
  try {
    return new Request(url, init)
  } catch {
    throw new HandlerError(405, 'method-not-allowed', 'This method cannot be used.') // such as TRACE
  }
}

function readHeaders({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    // HTTP/2 sends the host as `:authority`. `Headers` takes no name with a colon, such as `:method` and `:path`.
    if (name === ':authority') headers.append('Host', value)
    else if (!name.startsWith(':')) headers.append(name, value)
  }
  return headers
}

/** @throws HandlerError with 400 if `Request` would change the address */
function readUrl(incoming: NodeRequest, host: string | null): string {
  // Where Express mounts a handler, `url` lacks the mount path, and `originalUrl` has it.
  const target = 'originalUrl' in incoming ? String(incoming.originalUrl) : (incoming.url ?? '/')
  // A fixed host, because a `Host` header could contain a path.
  const base = 'http://localhost'
  // A proxy may write the whole address here, not only the path.
  const writtenOrigin = [`http://${host}`, `https://${host}`].find((origin) => target.startsWith(`${origin}/`)) ?? ''
  // `URL` encodes an apostrophe in a query, where it has no meaning. Without this, the check below would refuse it.
  const path = target.slice(writtenOrigin.length).replace(/\?.*/, (query) => query.replaceAll("'", '%27'))
  const url = URL.canParse(path, base) ? new URL(path, base) : undefined
  // `URL` rewrites dots and backslashes, for example. The rules of a proxy may have read such an address differently.
  if (url?.href !== base + path || url.hash) {
    throw new HandlerError(400, 'not-an-address', 'The address of the request is unclear.')
  }
  return url.href
}

function toStream(incoming: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      const next = chunks.next()
      // Over HTTP/2, reading alone does not end the pause.
      incoming.resume()
      const { done, value } = await next
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // No `cancel`: ending the iteration would close the connection before the response.
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

import { CallController, type CallSignal } from '../base/abort.ts'
import { exchangeOf, type VisitorRequest } from './exchange.ts'

/** The parts that the adapter needs of Node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  /** The number before the dot: 1 for HTTP/1.1. */
  readonly httpVersionMajor: number
  /** Whether the body has arrived as a whole. */
  readonly complete: boolean
  /** Whether somebody has read the body. */
  readonly readableDidRead: boolean
  /** Reads the body as it arrives. */
  readonly on: (event: 'data' | 'end' | 'error' | 'close', listener: (chunk: Uint8Array) => void) => unknown
  /** Ends what `on` has begun. */
  readonly off: (event: 'data', listener: (chunk: Uint8Array) => void) => unknown
  /** Stops reading the body. */
  readonly pause: () => unknown
  /** Goes on reading it. */
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
  const disconnected = new CallController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort(AbortSignal.abort().reason)
  })
  const { status, headers, body } = await responseOf(handler, incoming, disconnected)
  outgoing.statusCode = status
  for (const [name, value] of headers) outgoing.setHeader(name, value)
  // The rest of a body that is refused must not be taken for the next request. HTTP/2 has a stream for each.
  if (!incoming.complete && incoming.httpVersionMajor === 1) outgoing.setHeader('Connection', 'close')
  outgoing.end(body)
}

interface ResponseParts {
  readonly status: number
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body: string | Uint8Array
}

async function responseOf(
  handler: (request: Request) => Promise<Response>,
  incoming: NodeRequest,
  signal: CallSignal,
): Promise<ResponseParts> {
  const url = readUrl(incoming)
  if (!url) return refuse(400, 'not-an-address', 'The address of the request is unclear.')
  const { method = 'GET' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  if (hasBody && incoming.readableDidRead) {
    return refuse(500, 'body-read', 'Mount the handler before middleware that reads bodies.')
  }
  // What middleware listens to starts to flow soon, and would be gone by the time the handler reads it.
  if (hasBody) incoming.pause()
  const exchange = exchangeOf(handler)
  if (exchange) {
    const { status, headers, body } = await exchange(toVisitorRequest(incoming, method, url, signal))
    return { status, headers: Object.entries(headers), body }
  }
  let request: Request
  try {
    const controller = new AbortController()
    signal.addEventListener('abort', () => controller.abort())
    request = toRequest(incoming, method, url, controller.signal, hasBody ? toStream(incoming) : undefined)
  } catch {
    return refuse(405, 'method-not-allowed', 'This method cannot be used.') // such as TRACE
  }
  const response = await handler(request)
  return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) }
}

/** The address of the request; `undefined` if a `Request` would have another one. */
function readUrl(incoming: NodeRequest): URL | undefined {
  // Express shortens `url` where it mounts a handler.
  const target = 'originalUrl' in incoming ? String(incoming.originalUrl) : (incoming.url ?? '/')
  // A fixed host, because a `Host` header could contain a path.
  const address = base + target
  let url: URL
  try {
    url = new URL(target, base)
  } catch {
    return undefined
  }
  // What a URL parser changes, such as dots and backslashes, the rules of a proxy may have read in another way.
  return url.href === address && !url.hash ? url : undefined
}

const base = 'http://localhost'

function refuse(status: number, code: string, message: string): ResponseParts {
  const body = JSON.stringify({ code, message, status })
  return { status, headers: [['Content-Type', 'application/json']], body }
}

function toVisitorRequest(incoming: NodeRequest, method: string, url: URL, signal: CallSignal): VisitorRequest {
  const get = (name: string) => readHeader(incoming, name.toLowerCase())
  return {
    method,
    url,
    headers: { get, has: (name) => get(name) !== null },
    signal,
    receive: (onChunk, ended) => receive(incoming, onChunk, ended),
    withoutBody: (ended) => toRequest(incoming, method, url, ended),
  }
}

/** Joins several headers of one name, as `Headers` does. */
function readHeader({ rawHeaders }: NodeRequest, lowerCaseName: string): string | null {
  let value: string | null = null
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = headerName(rawHeaders[index])
    if (name.length !== lowerCaseName.length || name.toLowerCase() !== lowerCaseName) continue
    const next = rawHeaders[index + 1] ?? ''
    value = value === null ? next : `${value}, ${next}`
  }
  return value
}

/** HTTP/2 has the host as a pseudo header. */
function headerName(name = ''): string {
  return name === ':authority' ? 'Host' : name
}

/** @throws TypeError for a method that no `Request` has */
function toRequest(
  { rawHeaders }: NodeRequest,
  method: string,
  url: URL,
  signal: AbortSignal,
  body?: ReadableStream<Uint8Array>,
): Request {
  const headers: [name: string, value: string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = headerName(rawHeaders[index])
    // Other pseudo headers of HTTP/2 are no headers.
    if (!name.startsWith(':')) headers.push([name, rawHeaders[index + 1] ?? ''])
  }
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers,
    body: body ?? null,
    duplex: 'half',
    signal,
  }
  return new Request(url, init)
}

function receive(incoming: NodeRequest, onChunk: (chunk: Uint8Array) => boolean, ended: CallSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = (chunk: Uint8Array) => {
      if (!ended.aborted && onChunk(chunk)) return
      // Ending the stream would close the connection before the response.
      incoming.off('data', read)
      incoming.pause()
      resolve()
    }
    incoming.on('data', read)
    incoming.resume()
    let hasEnded = false
    incoming.on('end', () => {
      hasEnded = true
      resolve()
    })
    incoming.on('error', reject)
    incoming.on('close', () => {
      // After each request: to capture a stack takes longer than to read a small body.
      if (!hasEnded) reject(new Error('The body broke off.'))
    })
  })
}

function toStream(incoming: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // Nothing to cancel: ending the iteration would close the connection before the response.
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

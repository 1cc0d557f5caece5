/** The parts that the adapter needs of Node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  /** Whether the body has arrived as a whole. */
  readonly complete: boolean
  /** Whether somebody has read the body. */
  readonly readableDidRead: boolean
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
  readonly end: (body: Uint8Array) => unknown
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
  const request = toRequest(incoming, disconnected.signal)
  const response = request instanceof Request ? await handler(request) : request
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  // The rest of a body that is refused must not be taken for the next request.
  if (!incoming.complete) outgoing.setHeader('Connection', 'close')
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}

/** The request, or the response to one that cannot be understood. */
function toRequest(incoming: NodeRequest, signal: AbortSignal): Request | Response {
  const { method = 'GET', rawHeaders } = incoming
  // Express shortens `url` where it mounts a handler.
  const target = 'originalUrl' in incoming ? String(incoming.originalUrl) : (incoming.url ?? '/')
  // A fixed host, because a `Host` header could contain a path.
  const url = URL.canParse(target, base) ? new URL(target, base) : undefined
  // What a URL parser changes, such as dots and backslashes, the rules of a proxy may have read in another way.
  if (!url || url.href !== base + target || url.hash)
    return refuse(400, 'not-an-address', 'The address of the request is unclear.')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  if (hasBody && incoming.readableDidRead) {
    return refuse(500, 'body-read', 'Mount the handler before middleware that reads bodies.')
  }
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // HTTP/2 has the host and others as pseudo headers.
    const known = name === ':authority' ? 'Host' : name
    if (!known.startsWith(':')) headers.append(known, rawHeaders[index + 1] ?? '')
  }
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers,
    body: hasBody ? toStream(incoming) : null,
    duplex: 'half',
    signal,
  }
  try {
    return new Request(url, init)
  } catch {
    return refuse(405, 'method-not-allowed', 'This method cannot be used.') // such as TRACE
  }
}

const base = 'http://localhost'

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ code, message, status }, { status })
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

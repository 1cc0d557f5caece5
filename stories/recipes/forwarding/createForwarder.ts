import * as z from 'zod/mini'
import {
  createPetstoreClient,
  isPetstoreError,
  type Operation,
  operations,
  type PetstoreClientOptions,
  type PetstoreError,
  type RateLimitState,
} from '../../../src/client.ts'

/** The requests that pages may send, and their operations. All others get a 404. */
const forwardedOperations = new Map<string, Operation>([
  ['GET /api/petstore/v1/categories', operations.listCategories],
  ['POST /api/petstore/v1/categories', operations.createCategory],
  ['POST /api/quickstart/messages', operations.sendMessage],
])

/** In characters. */
const maxBodyLength = 100_000

/**
 * Forwards the requests of your own pages to the service, with the API key of your server. Create one for the whole
 * server, so that its one gate sees what all browsers send together.
 */
export function createForwarder(options: PetstoreClientOptions): (request: Request) => Promise<Response> {
  const { fetch = (request: Request) => globalThis.fetch(request) } = options
  const client = createPetstoreClient({
    // The clients in the pages wait and retry. This one responds soon.
    retry: { attempts: 1, maxWait: 5_000 },
    ...options,
    fetch: async (request) => {
      const response = await fetch(request)
      return response.ok ? quoteResponse(response) : response
    },
  })

  async function forward(operation: Operation, request: Request): Promise<Response> {
    try {
      const body = await readBody(request)
      if (body === undefined) return errorResponse(413, 'too-large', 'The request body is too large.')
      const { signal } = request
      const [status, text] = await client.call({ ...operation, output: quotedResponse }, parseJson(body), { signal })
      return new Response(text, { status })
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: 499 }) // the browser has closed the connection
      if (!isPetstoreError(error)) throw error
      return toErrorResponse(error)
    }
  }

  return async (request) => {
    const operation = forwardedOperations.get(`${request.method} ${new URL(request.url).pathname}`)
    if (!operation) return errorResponse(404, 'not-found', 'This address does not exist.')
    if (isCrossSite(request)) return errorResponse(403, 'cross-site', 'Only pages of this site can use this address.')
    const response = await forward(operation, request)
    // Taken from the gate, because it knows the quota even when no request was sent.
    for (const [name, value] of responseHeaders(client.rateLimit.getSnapshot())) response.headers.set(name, value)
    return response
  }
}

/** Current browsers send `Sec-Fetch-Site`. Old ones send `Origin`, but only with a POST. */
function isCrossSite({ headers }: Request): boolean {
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  return site === null ? origin !== null && !origin.endsWith(`//${headers.get('Host')}`) : site !== 'same-origin'
}

/** Stops reading a body that is too long, and returns `undefined`. */
async function readBody({ body }: Request): Promise<string | undefined> {
  if (!body) return ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (text.length <= maxBodyLength) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
  }
  await reader.cancel()
  return undefined
}

/** Returns `undefined` for invalid JSON. The operation's schema refuses that where it needs a body. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const quotedResponse = z.tuple([z.number(), z.string()])

/** Wraps status and body as `[200,"…"]`. As a string, the body passes the client unchanged, with ids beyond 2^53. */
function quoteResponse(response: Response): Response {
  const quote = new TransformStream<string, string>({
    start: (stream) => stream.enqueue(`[${response.status},"`),
    transform: (text, stream) => stream.enqueue(JSON.stringify(text).slice(1, -1)),
    flush: (stream) => stream.enqueue('"]'),
  })
  const quotedBody = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(quote)
  return new Response(quotedBody?.pipeThrough(new TextEncoderStream()) ?? null, response)
}

/** Passes on the errors that a page can handle. All others become errors of this server. */
function toErrorResponse(error: PetstoreError): Response {
  switch (error.kind) {
    case 'input-validation':
      return errorResponse(400, error.kind, error.message)
    case 'rate-limit': {
      const response = errorResponse(429, error.kind, 'Too many requests.')
      response.headers.set('Retry-After', String(Math.max(1, Math.ceil((error.retryAt - Date.now()) / 1_000))))
      return response
    }
    case 'network':
      return errorResponse(502, error.kind, 'The service cannot be reached.')
    case 'timeout':
      return errorResponse(504, error.kind, 'The service did not respond in time.')
    case 'bad-request':
    case 'server':
    case 'unexpected-status': {
      const { status, body } = error
      if (status < 400 || status > 599) break
      return errorResponse(status, body?.code ?? error.kind, body?.message ?? 'The service refused the request.')
    }
    // A 401 concerns the API key of this server. People on the page cannot fix it.
    case 'authentication':
    case 'response-validation':
  }
  return errorResponse(500, error.kind, 'The request could not be forwarded.')
}

function errorResponse(status: number, code: string, message: string): Response {
  return Response.json({ code, message, status }, { status })
}

function responseHeaders({ limit, remaining, resetAt }: RateLimitState): Headers {
  const headers = new Headers({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    Date: new Date().toUTCString(),
  })
  if (limit !== undefined) headers.set('X-RateLimit-Limit', String(limit))
  if (remaining !== undefined) headers.set('X-RateLimit-Remaining', String(remaining))
  if (resetAt !== undefined) headers.set('X-RateLimit-Reset', String(Math.ceil(resetAt / 1_000)))
  return headers
}

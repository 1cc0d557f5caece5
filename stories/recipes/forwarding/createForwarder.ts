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

/** What pages may ask for, and what it is at the service. Nothing else is forwarded. */
const forwarded = new Map<string, Operation>([
  ['GET /api/petstore/v1/categories', operations.listCategories],
  ['POST /api/petstore/v1/categories', operations.createCategory],
  ['POST /api/quickstart/messages', operations.sendMessage],
])

/** The most characters that the body of a request may have. */
const longestBody = 100_000

/**
 * Forwards what your own pages ask for to the service, under the key of your server. Make one for the whole server: its
 * client has the one gate that sees what all browsers send together.
 */
export function createForwarder(options: PetstoreClientOptions): (request: Request) => Promise<Response> {
  const { fetch = (request: Request) => globalThis.fetch(request) } = options
  const client = createPetstoreClient({
    // Nobody waits here for long, and nothing is tried twice: the pages do that, each with a gate of its own.
    retry: { attempts: 1, maxWait: 5_000 },
    ...options,
    fetch: async (request) => {
      const response = await fetch(request)
      return response.ok ? quote(response) : response
    },
  })

  async function ask(operation: Operation, request: Request): Promise<Response> {
    try {
      const body = await readBody(request)
      if (body === undefined) return refuse(413, 'too-large', 'The body of the request is too large.')
      const { signal } = request
      const [status, text] = await client.call({ ...operation, output: quotedResponse }, parseJson(body), { signal })
      return new Response(text, { status })
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: 499 }) // nobody is there to read it
      if (!isPetstoreError(error)) throw error
      return explain(error)
    }
  }

  return async (request) => {
    const operation = forwarded.get(`${request.method} ${new URL(request.url).pathname}`)
    if (!operation) return refuse(404, 'not-found', 'There is nothing here.')
    if (isFromElsewhere(request)) return refuse(403, 'cross-site', 'Only pages of this site may ask.')
    const response = await ask(operation, request)
    // From the gate, which knows the quota also where the service was not asked.
    for (const [name, value] of headersFor(client.rateLimit.getSnapshot())) response.headers.set(name, value)
    return response
  }
}

/** Browsers say where a request comes from, in the first of these headers; old ones in the second, if it is a POST. */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  return site === null ? origin !== null && !origin.endsWith(`//${headers.get('Host')}`) : site !== 'same-origin'
}

/** The body of a request; `undefined` where it is too long, and not read to its end. */
async function readBody({ body }: Request): Promise<string | undefined> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (text.length > longestBody) return undefined
  }
  return text
}

/** What is no JSON is `undefined`, which the operation's schema refuses where it wants a body. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const quotedResponse = z.tuple([z.number(), z.string()])

/** Puts status and text into JSON, the text as one string: so it comes through as it is, ids past 2^53 included. */
function quote(response: Response): Response {
  const quotes = new TransformStream<string, string>({
    start: (stream) => stream.enqueue(`[${response.status},"`),
    transform: (text, stream) => stream.enqueue(JSON.stringify(text).slice(1, -1)),
    flush: (stream) => stream.enqueue('"]'),
  })
  const text = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(quotes)
  return new Response(text?.pipeThrough(new TextEncoderStream()) ?? null, response)
}

/** What a page is told of a failure: as it is where the page can do something about it, else as this server's. */
function explain(error: PetstoreError): Response {
  switch (error.kind) {
    case 'input-validation':
      return refuse(400, error.kind, error.message)
    case 'rate-limit': {
      const response = refuse(429, error.kind, error.message)
      response.headers.set('Retry-After', String(Math.max(1, Math.ceil((error.retryAt - Date.now()) / 1_000))))
      return response
    }
    case 'network':
      return refuse(502, error.kind, 'The service cannot be reached.')
    case 'timeout':
      return refuse(504, error.kind, 'The service has not responded to.')
    case 'bad-request':
    case 'server':
    case 'unexpected-status':
      if (error.status < 400 || error.status > 599) break
      return refuse(error.status, error.body?.code ?? error.kind, error.body?.message ?? 'The service has refused.')
    // A 401 is about the key of this server. Passed on, it would ask a person to sign in, which mends nothing.
    case 'authentication':
    case 'response-validation':
  }
  return refuse(500, error.kind, 'The request could not be forwarded.')
}

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ code, message, status }, { status })
}

function headersFor({ limit, remaining, resetAt }: RateLimitState): Headers {
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

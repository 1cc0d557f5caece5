import { priorityHeader } from '../client/buildRequest.ts'
import { HandlerError } from './HandlerError.ts'
import type { Priority } from '../rate-limit/gate.ts'

export interface OriginRules {
  readonly allowedOrigins: ReadonlySet<string>
  /** Whether a GET passes that does not say where it comes from. */
  readonly allowUnmarkedRequests: boolean
}

/**
 * Refuses requests that a page of another site makes a browser send: they would carry the visitor's cookies, and spend
 * the quota. `Sec-Fetch-Site` says where a request comes from, and no page can change it. Old browsers, and all browsers
 * on plain http, do not send it: then `Origin` has to name this host. Their GETs have no `Origin`, so these need the
 * header of our client, which no page of another origin can send. A POST with neither comes from no browser.
 *
 * @throws HandlerError with 403
 */
export function checkRequestOrigin(request: Request, { allowedOrigins, allowUnmarkedRequests }: OriginRules): void {
  const { headers, method } = request
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  // `none`: the person has typed the address or chosen a bookmark.
  if (site === 'same-origin' || site === 'none') return
  if (site === null && origin === null) {
    if (method !== 'GET' || allowUnmarkedRequests || headers.has(priorityHeader)) return
    throw new HandlerError(403, 'unmarked', `Send "${priorityHeader}: user", as the client of a page does.`)
  }
  if (site === null && origin !== null && isOwnOrigin(origin, request)) return
  if (origin !== null && allowedOrigins.has(origin)) return
  throw new HandlerError(403, 'cross-site', 'Only pages of this site can use this address.')
}

/** Compares host and port. The scheme may be http or https, since a proxy may have ended the TLS connection. */
function isOwnOrigin(origin: string, { headers, url }: Request): boolean {
  try {
    const { protocol, host } = new URL(origin)
    if (!/^https?:$/.test(protocol)) return false
    const ownHost = headers.get('Host') ?? new URL(url).host
    // `URL` drops a default port, as browsers do in `Origin`. It would drop the path of a `Host` such as "a.test/b".
    return !/[/\\?#@]/.test(ownHost) && new URL(`${protocol}//${ownHost}`).host === host
  } catch {
    return false
  }
}

const ownExposedHeaders =
  'Age, Date, ETag, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, ' +
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

/** Headers with which pages of an allowed origin may send cookies and read the response. None for all others. */
export function corsHeaders(
  request: Request,
  allowedOrigins: ReadonlySet<string>,
  exposedHeaders: readonly string[],
): Readonly<Record<string, string>> {
  const origin = request.headers.get('Origin')
  if (origin === null || !allowedOrigins.has(origin)) return {}
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': [ownExposedHeaders, ...exposedHeaders].join(', '),
  }
}

/** The response to a browser that asks whether a page of an allowed origin may send its request. */
export function preflightResponse(methods: readonly string[]): Response {
  const headers = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': `Content-Type, If-None-Match, ${priorityHeader}, X-Request-Id`,
    'Access-Control-Max-Age': '600',
  }
  return new Response(null, { status: 204, headers })
}

/** A visitor can only lower the priority: without the header, each call has the highest one. */
export function readPriority({ headers }: Request): Priority {
  return headers.get(priorityHeader) === 'background' ? 'background' : 'user'
}

/** The `X-Request-Id` to pass on. A visitor can write anything into it, so it has to look like an id. */
export function readRequestId({ headers }: Request): string | undefined {
  const id = headers.get('X-Request-Id')
  return id !== null && /^[\x21-\x7e]{1,200}$/.test(id) ? id : undefined
}

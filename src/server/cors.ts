import { priorityHeader } from '../client/buildRequest.ts'

const exposed =
  'Age, Date, ETag, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, ' +
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

/** Lets pages of an allowed origin read the response, with their cookies. Empty for all others. */
export function corsHeaders(request: Request, allowedOrigins: ReadonlySet<string>): Readonly<Record<string, string>> {
  const origin = request.headers.get('Origin')
  if (origin === null || !allowedOrigins.has(origin)) return {}
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
  }
}

/** The response to a browser that asks whether a page of an allowed origin may send its request. */
export function preflightResponse(methods: readonly string[]): Response {
  const headers = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': `Content-Type, If-None-Match, ${priorityHeader}`,
    'Access-Control-Max-Age': '600',
  }
  return new Response(null, { status: 204, headers })
}

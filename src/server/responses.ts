import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import type { HandlerError } from './HandlerError.ts'
import type { VisitorResponse } from './serviceCaller.ts'

/** Responds to a visitor with what the service has sent. */
export function serviceResponse(request: Request, response: VisitorResponse): Response {
  const { status, text, etag } = response
  const headers = new Headers({ ...response.headers, ...timingHeaders(response) })
  if (etag !== undefined) {
    headers.set('ETag', etag)
    // A browser may keep the response for this person, but has to ask each time whether it is still current.
    headers.set('Cache-Control', 'private, no-cache')
    if (matchesEntityTag(request.headers.get('If-None-Match'), etag))
      return new Response(null, { status: 304, headers })
  }
  if (text !== '') headers.set('Content-Type', 'application/json')
  return new Response(text === '' ? null : text, { status, headers })
}

/** Whether `If-None-Match` names the tag (RFC 9110, 13.1.2). */
function matchesEntityTag(header: string | null, tag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag)
}

/** Says where the time went: browsers show `Server-Timing` in their network panel. */
function timingHeaders({ age, waits }: VisitorResponse): Record<string, string> {
  const timing = waits ? `queue;dur=${waits.queue}, upstream;dur=${waits.upstream}` : 'cache'
  return { 'Server-Timing': timing, ...(age !== undefined && { Age: String(Math.floor(age / 1_000)) }) }
}

/** A response with an Error body, as the service's own. */
export function errorResponse({ status, code, message, headers }: HandlerError): Response {
  return Response.json({ code, message, status }, { status, headers })
}

/**
 * The quota: as `X-RateLimit-*` for the gate of the visitor's page, and as the IETF draft has it for other programs.
 * A kept response has these headers, too.
 */
export function quotaHeaders(
  { limit, remaining, resetAt, retryAt }: RateLimitState,
  now: number,
): Readonly<Record<string, string>> {
  // While the gate is closed, units that are left cannot be used.
  const units = retryAt === undefined ? remaining : 0
  const reset = retryAt ?? resetAt
  const resetIn = reset === undefined ? '' : `;t=${Math.max(0, Math.ceil((reset - now) / 1_000))}`
  return {
    ...(limit !== undefined && { 'X-RateLimit-Limit': String(limit) }),
    ...(units !== undefined && { 'X-RateLimit-Remaining': String(units) }),
    ...(reset !== undefined && { 'X-RateLimit-Reset': String(Math.ceil(reset / 1_000)) }),
    ...(units !== undefined && { RateLimit: `"visitor";r=${units}${resetIn}` }),
    ...(limit !== undefined && { 'RateLimit-Policy': `"visitor";q=${limit}` }),
  }
}

import { developmentWarning } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { parseHttpDate } from '../rate-limit/rateLimitHeaders.ts'
import { pageOrigin } from './buildRequest.ts'
import type { ResponseHead } from './Call.ts'

// Warnings for developers. Guard each call by `process.env.NODE_ENV`, so that production bundles leave them out.

/** Warns if the app's server seems to have no handler: its 404 lacks `X-RateLimit-Limit`, which the handler adds. */
export function hintAtMissingHandler(url: string, { status, rateLimitHeaders }: ResponseHead, address?: string): void {
  if (status !== 404 || !address?.startsWith('/') || rateLimitHeaders.limit !== undefined) return
  developmentWarning(
    `${url} responded with 404. Is the handler mounted? Your server has to pass all requests below "${address}" to ` +
      'createPetstoreHandler of petstore-react/server.',
    `the handler at ${address}`,
  )
}

/** Warns if CORS hides the rate-limit headers from the page, which then sends at the pace of the plan. */
export function hintAtHiddenHeaders({ isCrossOrigin, rateLimitHeaders }: ResponseHead): void {
  if (!isCrossOrigin || rateLimitHeaders.remaining !== undefined) return
  developmentWarning(
    'This page cannot read the rate-limit headers of the service, so requests are sent at the pace of the plan. ' +
      'Let the service send "Access-Control-Expose-Headers: X-RateLimit-Limit, X-RateLimit-Remaining, ' +
      'X-RateLimit-Reset, Retry-After, Date".',
  )
}

/** Warns after a request without a response: CORS may hide it. Says nothing if the browser has sent no such request. */
export function hintAtHiddenResponse(url: string): void {
  const origin = pageOrigin()
  const service = new URL(url).origin
  if (typeof document === 'undefined' || origin === undefined || service === origin) return
  // A browser lists a request only some time after it has failed, and never one that the app's own `fetch` has not passed on.
  setTimeout(() => {
    if (performance.getEntriesByName(url, 'resource').length === 0) return
    developmentWarning(
      `${service} did not respond, or CORS hides its responses from this page: then the console of the browser says so. Let ` +
        `the service send "Access-Control-Allow-Origin: ${origin}", and to an OPTIONS request ` +
        '"Access-Control-Allow-Headers: authorization, content-type".',
      `CORS of ${service}`,
    )
  }, 1_000)
}

/**
 * Warns developers once for each operation that is experimental, beta or deprecated, as the operation itself says or the
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers of its response.
 */
export function hintAtDeprecation({ name, stability, deprecated }: Operation, headers: Headers): void {
  if (stability) developmentWarning(`${name} is ${stability}: the service may change it without notice.`)
  const sunset = headers.get('Sunset')
  if (!deprecated && !headers.has('Deprecation') && sunset === null) return
  const end = sunset === null ? undefined : parseHttpDate(sunset)
  const day = end !== undefined && new Date(end).toISOString().slice(0, 10)
  const ends = day ? `It ends on ${day}.` : 'The service has not said when it ends.'
  developmentWarning(`${name} is deprecated. ${ends}`, `${name} is deprecated`)
}

import type { PetstoreError, RateLimitError } from '../client/errors.ts'
import { Refusal } from './Refusal.ts'

/** A response with an Error body, as the service's own. */
export function errorResponse({ status, code, message, headers }: Refusal): Response {
  return Response.json({ code, message, status }, { status, headers })
}

/**
 * What a visitor hears about a failed call. A 401 concerns this server's key, and a response that cannot be read its
 * service: visitors cannot fix them, so they get a 502.
 *
 * @param now - epoch ms
 */
export function refusalOf(error: PetstoreError, now: number): Refusal {
  switch (error.kind) {
    case 'input-validation':
      return new Refusal(400, error.kind, error.message)
    case 'rate-limit':
      return new Refusal(429, error.kind, 'Too many requests.', retryAfter(error.retryAt, now))
    case 'network':
      return new Refusal(502, error.kind, 'The service cannot be reached.')
    case 'timeout':
      return new Refusal(504, error.kind, 'The service did not respond in time.')
    case 'authentication':
      return new Refusal(502, error.kind, 'The service refused the key of this server.')
    case 'bad-request':
    case 'server':
    case 'unexpected-status': {
      const { status, body, retryAt } = error
      if (status < 400 || status > 599) break
      const { code = error.kind, message = 'The service refused the request.' } = body ?? {}
      return new Refusal(status, code, message, retryAt === undefined ? {} : retryAfter(retryAt, now))
    }
    case 'response-validation':
  }
  return new Refusal(502, error.kind, 'The service sent a response that cannot be used.')
}

/** @param now - epoch ms */
export function queueFull({ retryAt }: RateLimitError, now: number): Refusal {
  return new Refusal(503, 'busy', 'This server has too many requests.', retryAfter(retryAt, now))
}

/** In whole seconds, rounded up: less would be too early. */
function retryAfter(retryAt: number, now: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(Math.max(1, Math.ceil((retryAt - now) / 1_000))) }
}

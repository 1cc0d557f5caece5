import type { PetstoreError } from '../client/errors.ts'
import type { QueueFullError } from './userQueues.ts'

/** Ends a visitor's request with an Error body. Thrown by whatever finds the reason. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
  /** The HTTP status. */
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/**
 * The response to a visitor whose call has failed. A 401 concerns this server's key, and a response that cannot be read its
 * service: visitors cannot fix them, so they get a 502.
 *
 * @param now - epoch ms
 */
export function toHandlerError(error: PetstoreError, now: number): HandlerError {
  switch (error.kind) {
    case 'input-validation':
      return new HandlerError(400, error.kind, error.message)
    case 'rate-limit':
      return new HandlerError(429, error.kind, 'Too many requests.', retryAfter(error.retryAt, now))
    case 'network':
      return new HandlerError(502, error.kind, 'The service cannot be reached.')
    case 'timeout':
      return new HandlerError(504, error.kind, 'The service did not respond in time.')
    case 'authentication':
      return new HandlerError(502, error.kind, 'The service refused the key of this server.')
    case 'bad-request':
    case 'server':
    case 'unexpected-status': {
      const { status, body, retryAt } = error
      if (status < 400 || status > 599) break
      const { code = error.kind, message = 'The service refused the request.' } = body ?? {}
      return new HandlerError(status, code, message, retryAt === undefined ? {} : retryAfter(retryAt, now))
    }
    case 'response-validation':
  }
  return new HandlerError(502, error.kind, 'The service sent a response that cannot be used.')
}

/** @param now - epoch ms */
export function queueFull({ retryAt }: QueueFullError, now: number): HandlerError {
  return new HandlerError(503, 'busy', 'This server has too many requests.', retryAfter(retryAt, now))
}

/** In whole seconds, rounded up: less would be too early. */
function retryAfter(retryAt: number, now: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(Math.max(1, Math.ceil((retryAt - now) / 1_000))) }
}

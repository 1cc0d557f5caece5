import type { Operation } from '../contract/defineOperation.ts'
import { isDevelopment, configError } from '../contract/configError.ts'
import type { RateLimitHeaders } from '../rate-limit/rateLimitHeaders.ts'
import type { PetstoreError } from './errors.ts'

/** How a call deals with failures that may pass. */
export interface RetryOptions {
  /**
   * How many requests a call may send in all when the network fails, the time runs out, the service responds with 502, 503 or
   * 504, or a success whose body is no JSON (cut short, perhaps). Default 3. Only calls whose operation is `safe` to replay are: never a POST, whose response may have been
   * lost after the work was done. A request that was refused (429) does not count.
   */
  readonly attempts?: number | undefined
  /**
   * How long a call may wait in all for the rate limit and between attempts, in ms. Default 65,000, just over the
   * plans' shortest window; `Infinity` is allowed. A call that would wait longer rejects at once.
   */
  readonly maxWait?: number | undefined
}

export type Retry = Readonly<Record<keyof RetryOptions, number>>

/** @throws TypeError for values that make no sense */
export function readRetryOptions({ attempts = 3, maxWait = 65_000 }: RetryOptions = {}): Retry {
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw configError('retry.attempts', isDevelopment && 'is a whole number above 0.')
  }
  if (!(maxWait >= 0)) {
    throw configError('retry.maxWait', isDevelopment && 'is a number of milliseconds, 0 or more, or Infinity.')
  }
  return { attempts, maxWait }
}

/** Whether a failure may pass, and the call be made again without harm. */
export function isRetryable(error: PetstoreError, operation: Pick<Operation, 'replay'>): boolean {
  if (operation.replay !== 'safe') return false
  if (error.kind === 'response-validation') return error.problem === 'not-json'
  if (error.kind === 'server') return error.status >= 502 && error.status <= 504
  return error.kind === 'network' || error.kind === 'timeout'
}

const firstDelay = 1_000
const maxDelay = 30_000

/**
 * Exponential backoff with full jitter, in ms; at least what the service's Retry-After asks for.
 *
 * @param failures - how many attempts have failed, 1 or more
 * @param random - 0 to 1
 */
export function backoff(
  failures: number,
  random: number,
  rateLimitHeaders: RateLimitHeaders | undefined,
  now: number,
): number {
  const jittered = random * Math.min(maxDelay, firstDelay * 2 ** (failures - 1))
  const asked =
    rateLimitHeaders?.retryIn ??
    (rateLimitHeaders?.retryDate === undefined ? 0 : rateLimitHeaders.retryDate - (rateLimitHeaders.date ?? now))
  return Math.max(jittered, asked)
}

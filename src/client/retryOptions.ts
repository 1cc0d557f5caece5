import { configError, isDevelopment } from '../contract/configError.ts'

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

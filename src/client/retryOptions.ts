import { checkOption, isDevelopment } from '../base/development.ts'

/** How often and how long a call is tried again. */
export interface RetryOptions {
  /**
   * How many requests a call may send in total where requests fail: the network, the timeout, a 502, 503 or 504, or a
   * success whose body is not JSON. Default 3. Only operations that are `safe` to replay are sent again, never a POST:
   * its response may have been lost after the work was done. Refusals (429) do not count.
   */
  readonly attempts?: number | undefined
  /**
   * How long a call may wait in total, for the rate limit and between attempts, in ms. Default 65,000, just over the
   * shortest window of the plans; `Infinity` is allowed. A call that would wait longer rejects at once.
   */
  readonly maxWait?: number | undefined
}

export type Retry = Readonly<Record<keyof RetryOptions, number>>

/** @throws TypeError for values out of range */
export function readRetryOptions({ attempts = 3, maxWait = 65_000 }: RetryOptions = {}): Retry {
  const isCount = Number.isInteger(attempts) && attempts > 0
  checkOption(isCount, 'retry.attempts', isDevelopment && 'is a whole number above 0.')
  checkOption(maxWait >= 0, 'retry.maxWait', isDevelopment && 'is a number of milliseconds, 0 or more, or Infinity.')
  return { attempts, maxWait }
}

/**
 * How long a call waits after a failed attempt, in ms. `undefined`: it gives up.
 *
 * @param attempt - 1 after the first attempt
 * @param now - epoch ms
 */
export type RetryPolicy = (response: Response, attempt: number, now: number) => number | undefined

/** The usual loop around `fetch`: once a second, whatever the response says. */
export const retryEverySecond: RetryPolicy = () => 1_000

const retriedStatuses: ReadonlySet<number> = new Set([408, 413, 429, 500, 502, 503, 504])

/**
 * What good libraries do for each call: wait as long as `Retry-After` says, back off exponentially without one, and give
 * up at a status that a retry cannot help. These are the statuses and delays that ky documents.
 */
export const honorRetryAfter: RetryPolicy = (response, attempt, now) => {
  if (!retriedStatuses.has(response.status)) return undefined
  const retryAfter = response.headers.get('Retry-After')
  const wait = retryAfter === null ? Number.NaN : waitOf(retryAfter, now)
  return Number.isNaN(wait) ? 300 * 2 ** (attempt - 1) : Math.max(0, wait)
}

/** `Retry-After` is a number of seconds or a date. NaN for anything else. */
function waitOf(retryAfter: string, now: number): number {
  const seconds = Number(retryAfter)
  return Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1_000
}

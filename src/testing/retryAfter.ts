/** The format of `Retry-After`, which the interface document does not show. `text` is sent unchanged. */
export type RetryAfterFormat = 'seconds' | 'fractional' | 'http-date' | { readonly text: string }

/** The value of `Retry-After`. Rounded up, so that a client that waits is never early. Times are epoch milliseconds. */
export function writeRetryAfter(format: RetryAfterFormat, until: number, now: number): string {
  if (typeof format === 'object') return format.text
  if (format === 'fractional') return (Math.ceil(until - now) / 1000).toFixed(3)
  if (format === 'http-date') return new Date(Math.ceil(until / 1000) * 1000).toUTCString()
  return String(Math.ceil((until - now) / 1000))
}

import { parseHttpDate } from './httpDate.ts'

/** What a response's headers say about the rate limit. Times are those of the service's clock, in epoch ms. */
export interface RateLimitHeaders {
  /** X-RateLimit-Limit: whole requests. */
  readonly limit?: number | undefined
  /** X-RateLimit-Remaining: whole requests, 0 or more. */
  readonly remaining?: number | undefined
  /** X-RateLimit-Reset. */
  readonly resetAt?: number | undefined
  /** Retry-After as a time to wait, in ms. */
  readonly retryIn?: number | undefined
  /** Retry-After as a date. */
  readonly retryDate?: number | undefined
  /** Date: when the response was made, cut to the second. */
  readonly date?: number | undefined
}

/** The part of `Headers` that is read. */
export interface HeaderSource {
  readonly get: (name: string) => string | null
}

/**
 * Reads the rate-limit headers (interface document, "Rate limit headers"). Total: whatever stands in them, each field
 * is a sound number or missing. Of several values in one header the most careful one counts. The document does not show
 * the format of Retry-After, so every form of RFC 9110 §10.2.3 is taken, and fractions.
 *
 * @param now - epoch ms of this machine's clock, to read two-digit years by
 */
export function readRateLimitHeaders(headers: HeaderSource, now: number): RateLimitHeaders {
  const values = (name: string) => headers.get(name) ?? ''
  const limits = numbers(values('x-ratelimit-limit')).map(Math.floor)
  const left = numbers(values('x-ratelimit-remaining'), /^-?\d+(?:\.\d*)?$/).map(Math.floor)
  const retryAfter = values('retry-after')
  return {
    limit: smallest(limits.filter((limit) => limit > 0)),
    remaining: smallest(left.map((units) => Math.max(0, units))),
    resetAt: largest(numbers(values('x-ratelimit-reset')).map(epochMilliseconds)),
    retryIn: largest(numbers(retryAfter).map((seconds) => Math.ceil(seconds * 1000))),
    retryDate: largest(httpDates(retryAfter, now)),
    date: parseHttpDate(values('date').trim(), now),
  }
}

/** The plain decimal numbers of a comma-separated list. No exponents, no hexadecimals, nothing that is not a number. */
function numbers(list: string, pattern: RegExp = /^\d+(?:\.\d*)?$/): number[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => pattern.test(part))
    .map((part) => Math.min(Number(part), Number.MAX_SAFE_INTEGER / 1000))
}

/** HTTP-dates hold commas themselves: after the name of the day. */
function httpDates(list: string, now: number): number[] {
  const parts = list.split(',')
  return parts
    .flatMap((part, index) => [part, `${part},${parts[index + 1]}`])
    .map((text) => parseHttpDate(text.trim(), now))
    .filter((date) => date !== undefined)
}

/** A Unix timestamp is in seconds. One that would lie past the year 5000 is taken for milliseconds. */
function epochMilliseconds(timestamp: number): number {
  return timestamp > 1e11 ? timestamp : timestamp * 1000
}

// Not spread: a flood of values would be more arguments than the stack holds.
const smallest = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((one, other) => Math.min(one, other)) : undefined
const largest = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((one, other) => Math.max(one, other)) : undefined

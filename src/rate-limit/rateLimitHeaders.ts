import { parseHttpDate } from './httpDate.ts'

/** The rate-limit headers of a response. Times are epoch ms of the service's clock. */
export interface RateLimitHeaders {
  /** X-RateLimit-Limit: whole requests. */
  readonly limit?: number | undefined
  /** X-RateLimit-Remaining: whole requests, 0 or more. */
  readonly remaining?: number | undefined
  /** X-RateLimit-Reset. */
  readonly resetAt?: number | undefined
  /** Retry-After in seconds, as ms. */
  readonly retryIn?: number | undefined
  /** Retry-After as an HTTP-date. */
  readonly retryDate?: number | undefined
  /** Date: when the service made the response, rounded down to the second. */
  readonly date?: number | undefined
}

/** The part of `Headers` that `readRateLimitHeaders` uses. */
export interface HeaderSource {
  readonly get: (name: string) => string | null
}

/**
 * Reads the rate-limit headers (interface document, "Rate limit headers"). Never throws: a field that is not a finite
 * number is missing. Of several values in one header the strictest counts. The document does not show the format of
 * Retry-After, so it may have every form of RFC 9110 §10.2.3, or be a fraction.
 */
export function readRateLimitHeaders(headers: HeaderSource): RateLimitHeaders {
  const values = (name: string) => headers.get(name) ?? ''
  const limits = numbers(values('x-ratelimit-limit')).map(Math.floor)
  const remaining = numbers(values('x-ratelimit-remaining'), /^-?\d+(?:\.\d*)?$/).map(Math.floor)
  const retryAfter = values('retry-after')
  return {
    limit: smallest(limits.filter((limit) => limit > 0)),
    remaining: smallest(remaining.map((units) => Math.max(0, units))),
    resetAt: largest(numbers(values('x-ratelimit-reset')).map(epochMilliseconds)),
    retryIn: largest(numbers(retryAfter).map((seconds) => Math.ceil(seconds * 1000))),
    retryDate: largest(httpDates(retryAfter)),
    date: parseHttpDate(values('date').trim()),
  }
}

/** Reads the plain decimal numbers of a comma-separated list, without exponents, signs or other bases. */
function numbers(list: string, pattern: RegExp = /^\d+(?:\.\d*)?$/): number[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => pattern.test(part))
    .map((part) => Math.min(Number(part), Number.MAX_SAFE_INTEGER / 1000))
}

/** HTTP-dates may contain a comma, after the name of the day: each part is tried alone and with the next one. */
function httpDates(list: string): number[] {
  const parts = list.split(',')
  return parts
    .flatMap((part, index) => [part, `${part},${parts[index + 1]}`])
    .map((text) => parseHttpDate(text.trim()))
    .filter((date) => date !== undefined)
}

/** Unix timestamps are in seconds. A value past the year 5000 is read as milliseconds. */
function epochMilliseconds(timestamp: number): number {
  return timestamp > 1e11 ? timestamp : timestamp * 1000
}

// Not `Math.min(...values)`: a header may hold more values than the stack holds arguments.
const smallest = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((one, other) => Math.min(one, other)) : undefined
const largest = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((one, other) => Math.max(one, other)) : undefined

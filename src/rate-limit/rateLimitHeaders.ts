/** The rate-limit headers of a response. Times are epoch ms of the service's clock. */
export interface RateLimitHeaders {
  /** The limit of the window: whole requests. */
  readonly limit?: number | undefined
  /** The rest of it: whole requests, 0 or more. */
  readonly remaining?: number | undefined
  /** When it ends. */
  readonly resetAt?: number | undefined
  /** Retry-After in seconds, as ms. */
  readonly retryIn?: number | undefined
  /** Retry-After as an HTTP-date. */
  readonly retryDate?: number | undefined
  /**
   * When the service made the response, rounded down to the second. Without a readable Date, where the window's end is told
   * in seconds from now: the time of this machine, so that the two clocks count as equal.
   */
  readonly date?: number | undefined
}

/** The part of `Headers` that `readRateLimitHeaders` uses. */
export interface HeaderSource {
  readonly get: (name: string) => string | null
}

interface Quota {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  /** A Unix timestamp, or seconds from now. */
  readonly reset: number | undefined
}

/**
 * Reads the rate-limit headers of the interface document ("Rate limit headers"), or else those of the IETF draft "RateLimit
 * header fields for HTTP", which proxies send. Never throws: a field that is not a finite number is missing. Of several
 * values in one header the strictest counts. The document does not show the format of Retry-After, so it may have every
 * form of RFC 9110 §10.2.3, or be a fraction.
 *
 * @param now - epoch ms of this machine's clock
 */
export function readRateLimitHeaders(headers: HeaderSource, now: number): RateLimitHeaders {
  const values = (name: string) => headers.get(name) ?? ''
  const retryAfter = values('retry-after')
  const documented = readQuota((name) => values(`x-ratelimit-${name}`))
  const standard = documented.remaining === undefined ? readStandardQuota(values) : undefined
  const { limit, remaining, reset } = standard ?? documented
  const date = parseHttpDate(values('date').trim())
  const rest = {
    limit,
    remaining,
    retryIn: largest(numbers(retryAfter).map((seconds) => Math.ceil(seconds * 1000))),
    retryDate: largest(httpDates(retryAfter)),
  }
  if (reset === undefined) return { ...rest, date }
  // Some services send a timestamp in RateLimit-Reset, too.
  if (!standard || reset > 1e9) return { ...rest, resetAt: epochMilliseconds(reset), date }
  const madeAt = date ?? Math.floor(now / 1000) * 1000
  // The service may have counted from the end of that second.
  return { ...rest, resetAt: madeAt + (reset + 1) * 1000, date: madeAt }
}

function readQuota(read: (name: 'limit' | 'remaining' | 'reset') => string): Quota {
  const limits = numbers(read('limit')).map(Math.floor)
  const remaining = numbers(read('remaining'), /^-?\d+(?:\.\d*)?$/).map(Math.floor)
  return {
    limit: smallest(limits.filter((limit) => limit > 0)),
    remaining: smallest(remaining.map((units) => Math.max(0, units))),
    reset: largest(numbers(read('reset'))),
  }
}

/**
 * Reads the forms that drafts have had: `RateLimit: "name";r=50;t=30`, with the limit in `RateLimit-Policy: "name";q=100`;
 * `RateLimit: limit=100, remaining=50, reset=30`; and RateLimit-Limit, -Remaining and -Reset. Of several named windows the
 * one with the fewest requests left counts.
 */
function readStandardQuota(values: (name: string) => string): Quota | undefined {
  const combined = values('ratelimit')
  const policies = new Map(
    values('ratelimit-policy')
      .split(',')
      .map((policy) => [nameOf(policy), policy]),
  )
  const parameters = { limit: 'q', remaining: 'r', reset: 't' }
  const named = combined.split(',').map((item) => {
    const policy = policies.get(nameOf(item)) ?? ''
    return readQuota((name) => field(name === 'limit' ? policy : item, parameters[name]))
  })
  const others = [readQuota((name) => field(combined, name)), readQuota((name) => values(`ratelimit-${name}`))]
  const isKnown = ({ remaining }: Quota) => remaining !== undefined
  return named.filter(isKnown).sort(byRemaining)[0] ?? others.find(isKnown)
}

function byRemaining(one: Quota, other: Quota): number {
  return Number(one.remaining) - Number(other.remaining) || (other.reset ?? 0) - (one.reset ?? 0)
}

const nameOf = (item: string) => item.split(';', 1)[0]?.trim()

/** The text of `name=text` among the parts of a header. */
function field(text: string, name: string): string {
  return new RegExp(`(?:^|[,;])\\s*${name}=([^,;]*)`).exec(text)?.[1] ?? ''
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

/** The three forms that RFC 9110 §5.6.7 requires recipients to accept. */
const form =
  /^[A-Z][a-z]{2,8}(?:, (\d\d)[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d(?::[0-5]\d){2} GMT| [A-Z][a-z]{2} ([\d ]\d) \d\d(?::[0-5]\d){2} \d{4})$/

/**
 * Reads an HTTP-date (RFC 9110 §5.6.7) into epoch ms; `undefined` for any other text. A wrong name of the day is ignored.
 * A leap second is no time, and a two-digit year is one from 1950 to 2049. `Date.parse` alone reads numbers and lists as
 * dates, and 31 February as 3 March.
 */
export function parseHttpDate(text: string): number | undefined {
  const [match, first, second = first] = form.exec(text) ?? []
  if (match === undefined) return undefined
  // Not every engine reads the hyphens of the second form, and the third names no time zone.
  const time = Date.parse(`${match.replaceAll('-', ' ').replace(' GMT', '')} GMT`)
  return new Date(time).getUTCDate() === Number(second) ? time : undefined
}

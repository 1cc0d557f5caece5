/** How the service counts. */
export type QuotaKind = 'fixed minutes' | 'sliding minute' | 'token bucket'

export interface ServiceOptions {
  readonly kind: QuotaKind
  /** Requests per minute. */
  readonly limit: number
}

/** A response of the service, before it travels. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The service as its interface document describes it: what it counts, and what its headers say. It shares nothing with
 * `petstore-react/testing`. All times are by its own clock, in epoch ms.
 */
export interface Service {
  /** Counts a request that arrives, and responds: 200 or 429. */
  readonly respond: (now: number) => ServiceResponse
}

/** What is left after a request was counted, or refused. */
interface Quota {
  readonly isRefused: boolean
  readonly remaining: number
  readonly resetAt: number
  /** When a refused request could succeed. */
  readonly opensAt: number
}

const minute = 60_000

export function createService({ kind, limit }: ServiceOptions): Service {
  const counters = { 'fixed minutes': fixedMinutes, 'sliding minute': slidingMinute, 'token bucket': tokenBucket }
  const countRequest = counters[kind](limit)
  return {
    respond: (now) => {
      const { isRefused, remaining, resetAt, opensAt } = countRequest(now)
      const headers = {
        Date: new Date(now).toUTCString(),
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(remaining),
        'X-RateLimit-Reset': String(Math.ceil(resetAt / 1_000)),
      }
      if (!isRefused) return { status: 200, headers }
      const retryAfter = Math.max(1, Math.ceil((opensAt - now) / 1_000))
      return { status: 429, headers: { ...headers, 'Retry-After': String(retryAfter) } }
    },
  }
}

type CountRequest = (now: number) => Quota

function fixedMinutes(limit: number): CountRequest {
  let resetAt = 0
  let used = 0
  return (now) => {
    if (now >= resetAt) {
      resetAt = Math.floor(now / minute) * minute + minute
      used = 0
    }
    const isRefused = used >= limit
    if (!isRefused) used += 1
    return { isRefused, remaining: limit - used, resetAt, opensAt: resetAt }
  }
}

/** Each unit comes back a minute after it was spent. The reset is the time when the next one comes back. */
function slidingMinute(limit: number): CountRequest {
  let spent: number[] = []
  return (now) => {
    spent = spent.filter((at) => at > now - minute)
    const isRefused = spent.length >= limit
    if (!isRefused) spent.push(now)
    const [oldest = now] = spent
    return { isRefused, remaining: limit - spent.length, resetAt: oldest + minute, opensAt: oldest + minute }
  }
}

/** One unit comes back every `minute / limit`. The reset is the time when all are back. */
function tokenBucket(limit: number): CountRequest {
  const interval = minute / limit
  let tokens = limit
  let countedAt = 0
  return (now) => {
    tokens = Math.min(limit, tokens + (now - countedAt) / interval)
    countedAt = now
    const isRefused = tokens < 1
    if (!isRefused) tokens -= 1
    const resetAt = now + (limit - tokens) * interval
    return { isRefused, remaining: Math.floor(tokens), resetAt, opensAt: now + (1 - tokens) * interval }
  }
}

import type { Clock } from '../../src/base/Clock.ts'
import { type Admission, createAdmission } from '../../src/testing/admission.ts'
import type { QuotaWindow } from '../../src/testing/quota.ts'

/** The format of `Retry-After`, which the interface document does not show. `text` is sent unchanged. */
export type RetryAfterFormat = 'seconds' | 'fractional' | 'http-date' | { readonly text: string }

export interface ServiceModelOptions {
  readonly plan: readonly QuotaWindow[]
  /** Whether the first limit counts the requests of the last `per` ms, instead of those since the window began. */
  readonly isSliding?: boolean | undefined
  readonly retryAfter?: RetryAfterFormat
  /** By how much the service's clock is ahead of true time, in ms. */
  readonly clockAhead?: number
  /** Times in which the overloaded service refuses every request (epoch ms of true time). */
  readonly outages?: readonly { readonly from: number; readonly until: number }[]
}

/** Which headers the client can read: a page of another origin reads only exposed ones. */
export interface Visibility {
  readonly limits: boolean
  readonly retryAfter: boolean
  readonly date: boolean
}

/** A request as the service received it. Times are epoch ms of true time. */
export interface Arrival {
  readonly at: number
  readonly status: number
  /** Whether it arrived before the `openAt` of an earlier request. */
  readonly isDuringCooldown: boolean
  /** What the response announces; `resetAt` is the exact end of the window. */
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  /** When the service admits requests again, if it refused this one. */
  readonly openAt: number | undefined
  /** All headers of the response, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export interface ServiceModel {
  readonly arrivals: readonly Arrival[]
  readonly arrive: (at: number) => Arrival
  /** Spends units for another user of the key, as many as are left. */
  readonly spendUnits: (units: number, at: number) => void
}

const key = 'key'
/** No key is banned: the checks look in `arrivals` for requests that arrived during a cool-down. */
const ban = { after: Number.POSITIVE_INFINITY, grace: 0, duration: 1 }

/** The rate limit of the service without HTTP: fast enough for a million runs. */
export function createServiceModel(options: ServiceModelOptions): ServiceModel {
  const { plan, isSliding, retryAfter = 'seconds', clockAhead = 0, outages = [] } = options
  const [first] = plan
  const admission =
    isSliding && first ? createSlidingWindow(first) : createAdmission({ keys: new Set([key]), plan, ban })
  const arrivals: Arrival[] = []
  let cooldownUntil = Number.NEGATIVE_INFINITY

  function decide(at: number): { status: number; openAt?: number; retryAfter?: string } {
    const outage = outages.find(({ from, until }) => from <= at && at < until)
    if (outage) {
      const text = writeRetryAfter(retryAfter, outage.until + clockAhead, at + clockAhead)
      return { status: 429, openAt: outage.until, retryAfter: text }
    }
    const { refusal } = admission.admit(key, at + clockAhead)
    if (!refusal) return { status: 200 }
    const { resetAt } = admission.quota(key, at + clockAhead)
    const text = writeRetryAfter(retryAfter, resetAt, at + clockAhead)
    return { status: refusal.status, openAt: resetAt - clockAhead, retryAfter: text }
  }

  return {
    arrivals,
    arrive: (at) => {
      const isDuringCooldown = at < cooldownUntil
      const { status, openAt, retryAfter: retryAfterText } = decide(at)
      if (openAt !== undefined) cooldownUntil = Math.max(cooldownUntil, openAt)
      const { limit, remaining, resetAt } = admission.quota(key, at + clockAhead)
      const headers = {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
        date: new Date(at + clockAhead).toUTCString(),
        ...(retryAfterText !== undefined && { 'retry-after': retryAfterText }),
      }
      const arrival = { at, status, isDuringCooldown, limit, remaining, resetAt: resetAt - clockAhead, openAt, headers }
      arrivals.push(arrival)
      return arrival
    },
    spendUnits: (units, at) => {
      for (let unit = 0; unit < units && admission.quota(key, at + clockAhead).remaining > 0; unit += 1) {
        admission.admit(key, at + clockAhead)
      }
    },
  }
}

function writeRetryAfter(format: RetryAfterFormat, until: number, now: number): string {
  if (typeof format === 'object') return format.text
  if (format === 'fractional') return (Math.ceil(until - now) / 1000).toFixed(3)
  if (format === 'http-date') return new Date(Math.ceil(until / 1000) * 1000).toUTCString()
  return String(Math.ceil((until - now) / 1000))
}

/** Each unit comes back `per` ms after it was spent. The announced reset is when the oldest spent unit comes back. */
function createSlidingWindow({ limit, per }: QuotaWindow): Pick<Admission, 'admit' | 'quota'> {
  let usedAt: number[] = []
  const quota = (_key: string | undefined, now: number) => {
    usedAt = usedAt.filter((at) => at > now - per)
    return { limit, remaining: limit - usedAt.length, resetAt: (usedAt[0] ?? now) + per }
  }
  return {
    quota,
    admit: (_key, now) => {
      const { remaining } = quota(undefined, now)
      if (remaining > 0) {
        usedAt.push(now)
        return { counted: true, banned: false }
      }
      return { counted: false, banned: false, refusal: { status: 429 } }
    },
  }
}

/** The headers of a response that the client can read. */
export function visibleHeaders({ headers }: Pick<Arrival, 'headers'>, visible: Visibility): Pick<Headers, 'get'> {
  const isVisible = (name: string) => {
    if (name === 'date') return visible.date
    return name === 'retry-after' ? visible.retryAfter : visible.limits
  }
  return { get: (name) => (isVisible(name) ? (headers[name] ?? null) : null) }
}

/** What happens to one request and its response on their way. Delays in ms. */
export interface Trip {
  readonly requestDelay: number
  readonly responseDelay: number
  /** Whether the connection breaks before the request arrives, or after. */
  readonly lost?: 'before' | 'after' | undefined
  /** Whether nothing ever responds, although the request has arrived. */
  readonly hangs?: boolean | undefined
  /** The status with which a gateway responds, without rate-limit headers: the request does not reach the service. */
  readonly gatewayStatus?: number | undefined
}

/** A response as a page receives it. */
export interface TripEnd {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a request. `onEnd` is called with its response, or with nothing if the connection broke. */
export function travel(
  service: ServiceModel,
  clock: Clock,
  { requestDelay, responseDelay, lost, hangs, gatewayStatus }: Trip,
  { onArrival, onEnd }: { onArrival?: (arrival: Arrival) => void; onEnd: (end: TripEnd | undefined) => void },
): void {
  clock.wakeAfter(requestDelay, () => {
    if (lost === 'before') return onEnd(undefined)
    if (gatewayStatus !== undefined) {
      const headers = { date: new Date(clock.now()).toUTCString() }
      clock.wakeAfter(responseDelay, () => onEnd({ status: gatewayStatus, headers }))
      return
    }
    const arrival = service.arrive(clock.now())
    onArrival?.(arrival)
    if (hangs) return
    clock.wakeAfter(responseDelay, () => onEnd(lost === 'after' ? undefined : arrival))
  })
}

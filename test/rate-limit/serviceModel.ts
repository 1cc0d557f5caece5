import type { Clock } from '../../src/rate-limit/Clock.ts'
import type { HeaderSource } from '../../src/rate-limit/rateLimitHeaders.ts'
import { createAdmission } from '../../src/testing/admission.ts'
import type { BanRules } from '../../src/testing/ban.ts'
import type { QuotaWindow } from '../../src/testing/plans.ts'
import { type RetryAfterFormat, writeRetryAfter } from '../../src/testing/retryAfter.ts'

export interface ServiceModelOptions {
  readonly plan: readonly QuotaWindow[]
  readonly retryAfter?: RetryAfterFormat
  /** Default: no key is ever banned; what came during a cool-down stands in the ledger all the same. */
  readonly ban?: BanRules
  /** By how much the service's clock is ahead of true time, in ms. */
  readonly clockAhead?: number
  /** Times (epoch ms, true) in which the service refuses everything, whatever its quota says: it is overloaded. */
  readonly closures?: readonly { readonly from: number; readonly until: number }[]
}

/** Which headers the client can read: a page of another origin sees only those that are exposed. */
export interface Visibility {
  readonly limits: boolean
  readonly retryAfter: boolean
  readonly date: boolean
}

/** One request, as the service saw it. Times are epoch ms of true time. */
export interface Arrival {
  readonly at: number
  readonly status: number
  /** It came during a cool-down that had been announced to another request. */
  readonly isKnock: boolean
  /** What the response announces: limit, remaining requests, and when the window really ends. */
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  /** When the service will be open again, if it refused. */
  readonly openAt: number | undefined
  /** All headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export interface ServiceModel {
  readonly ledger: readonly Arrival[]
  readonly arrive: (at: number) => Arrival
  /** Somebody else, with the same key, takes up to so many units: what is left, and never more. */
  readonly takeUnits: (units: number, at: number) => void
}

const key = 'key'
const noBan: BanRules = { after: Number.POSITIVE_INFINITY, grace: 0, duration: 1, status: 403 }

/** The rules of the service at its door, without requests and responses: fast enough for a million runs. */
export function createServiceModel(options: ServiceModelOptions): ServiceModel {
  const { plan, retryAfter = 'seconds', ban = noBan, clockAhead = 0, closures = [] } = options
  const admission = createAdmission({ keys: new Set([key]), plan, ban, retryAfter })
  const ledger: Arrival[] = []
  let coolsUntil = Number.NEGATIVE_INFINITY

  function judge(at: number): { status: number; openAt?: number; retryAfter?: string } {
    const closure = closures.find(({ from, until }) => from <= at && at < until)
    if (closure) {
      const text = writeRetryAfter(retryAfter, closure.until + clockAhead, at + clockAhead)
      return { status: 429, openAt: closure.until, retryAfter: text }
    }
    const { refusal } = admission.admit(key, at + clockAhead)
    if (!refusal) return { status: 200 }
    const { resetAt } = admission.quota(key, at + clockAhead)
    const text = refusal.headers?.['Retry-After'] ?? ''
    return { status: refusal.status, openAt: resetAt - clockAhead, retryAfter: text }
  }

  return {
    ledger,
    arrive: (at) => {
      const isKnock = at < coolsUntil
      const { status, openAt, retryAfter: retryAfterText } = judge(at)
      if (openAt !== undefined) coolsUntil = Math.max(coolsUntil, openAt)
      const { limit, remaining, resetAt } = admission.quota(key, at + clockAhead)
      const headers = {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
        date: new Date(at + clockAhead).toUTCString(),
        ...(retryAfterText !== undefined && { 'retry-after': retryAfterText }),
      }
      const arrival = { at, status, isKnock, limit, remaining, resetAt: resetAt - clockAhead, openAt, headers }
      ledger.push(arrival)
      return arrival
    },
    takeUnits: (units, at) => {
      for (let unit = 0; unit < units && admission.quota(key, at + clockAhead).remaining > 0; unit += 1) {
        admission.admit(key, at + clockAhead)
      }
    },
  }
}

/** The headers of a response as far as the client can read them. */
export function visibleHeaders({ headers }: Arrival, visible: Visibility): HeaderSource {
  const isVisible = (name: string) => {
    if (name === 'date') return visible.date
    return name === 'retry-after' ? visible.retryAfter : visible.limits
  }
  return { get: (name) => (isVisible(name) ? (headers[name] ?? null) : null) }
}

/** One way to the service and back: how long each takes, in ms, and whether it was cut off on the way. */
export interface Trip {
  readonly there: number
  readonly back: number
  readonly lost?: 'before' | 'after' | undefined
}

/** Sends a request on its way. `onEnd` gets the response, or nothing where the connection broke. */
export function travel(
  service: ServiceModel,
  clock: Clock,
  { there, back, lost }: Trip,
  { onArrival, onEnd }: { onArrival?: (arrival: Arrival) => void; onEnd: (arrival: Arrival | undefined) => void },
): void {
  clock.wakeAfter(there, () => {
    if (lost === 'before') return onEnd(undefined)
    const arrival = service.arrive(clock.now())
    onArrival?.(arrival)
    clock.wakeAfter(back, () => onEnd(lost === 'after' ? undefined : arrival))
  })
}

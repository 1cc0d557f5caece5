import type { CallSignal } from '../base/abort.ts'
import type { Clock } from '../base/Clock.ts'
import type { GateResponse, Priority, HoldReason } from './gate.ts'
import { clockTolerance } from './GateRecord.ts'

/**
 * Why a call waits, as people are told. `rate-limit`: the quota is used up, or not known yet, or the service has refused a
 * request. `connection`: requests failed without a response. `service`: the service has a problem, and the call is sent
 * again later. `other-tabs`: it is their turn.
 */
export type WaitReason = 'rate-limit' | 'connection' | 'service' | 'other-tabs'

/** When a call that waits leaves, and why it waits: for `onWait`, and for `wait` of queries and mutations. */
export interface CallWait {
  /** When the request leaves, in epoch ms. */
  readonly until: number
  /** Why the request waits. */
  readonly reason: WaitReason
  /** Whether the request may also leave later than `until`: nobody knows yet what is left by then. */
  readonly isEarliest: boolean
}

export function waitReasonOf(reason: HoldReason): Exclude<WaitReason, 'service'> {
  if (reason === 'failures') return 'connection'
  return reason === 'other-tabs' ? reason : 'rate-limit'
}

/** Identifies a waiting call. */
export interface QueuedCall {
  /** The same id as in the call's events. */
  readonly callId: string
  /** The name of the call's operation. */
  readonly operation: string
  /** The priority of the most urgent caller. */
  priority: Priority
}

export interface EnterRequest extends QueuedCall {
  /** Whose part of the quota it uses, where one gate serves several users. */
  readonly userId?: string | undefined
  /** Whether the call has sent a request before. */
  readonly isRetry: boolean
  /** The number of its call: earlier calls have smaller ones. */
  readonly order: number
  /** The latest time at which it may leave, in ms of the monotonic clock; `minAllowedWait` may extend it. */
  readonly deadline: number
  readonly signal: CallSignal
  /** Called when the request has to wait, and again when its time or reason changes. */
  readonly onWait?: (wait: CallWait) => void
}

/** Allows one request to leave. */
export interface Permit {
  /** Call it when the request has ended, with how. Resolves when that is recorded. A second call adds only a late status. */
  readonly release: Release
}

type Release = (end: Pick<GateResponse, 'status' | 'rateLimitHeaders'>) => Promise<void>

/** The request would wait past its deadline. Apps never see it: the client rejects with its own error instead. */
export class MaxWaitExceeded extends Error {
  /** When a retry may succeed, at the earliest (epoch ms). */
  readonly retryAt: number
  readonly reason: WaitReason

  constructor(retryAt: number, reason: WaitReason) {
    super()
    this.retryAt = retryAt
    this.reason = reason
  }
}

/** A request in the queue, with the functions that end its wait. */
export interface PendingRequest extends EnterRequest {
  /** As returned by `rankOf`. */
  rank: number
  /** In ms of the monotonic clock. */
  readonly enteredAt: number
  readonly permit: (permit: Permit) => void
  readonly reject: (error: unknown) => void
  /** The listener on `signal`. */
  readonly abort: () => void
  /** The last wait that `onWait` was called with. */
  told?: CallWait | undefined
}

/** A request that left so much earlier than another is assumed to have reached the service first. In ms. */
const overtakingTime = 5_000
/** How long a failure waits before it counts, in ms: Firefox rejects the fetches of a page that unloads. */
const unloadTime = 100

/** A request in flight. */
interface Departure extends Permit {
  /** Epoch ms. */
  readonly sentAt: number
  /** Whether a later response says how many requests are left, and so has counted this one: it then holds no unit. */
  isCounted: boolean
}

export interface DepartureOptions {
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
  /** Whether CORS hides no status, as on servers. In pages, a failure without a status may be a hidden 429. */
  readonly readsAnyStatus?: boolean | undefined
}

/**
 * Follows the requests of this page that are in flight. Their responses count even after they were given up.
 *
 * @param recordEnd - called when a request has ended, with how
 */
export function createDepartures(
  { clock, random, readsAnyStatus }: DepartureOptions,
  recordEnd: (response: Omit<GateResponse, 'page'>) => Promise<void>,
) {
  /** In the order in which they left. */
  const departures = new Set<Departure>()

  /** When the oldest request that holds a unit has left (epoch ms). */
  function firstSentAt(): number | undefined {
    for (const { isCounted, sentAt } of departures) if (!isCounted) return sentAt
    return undefined
  }

  /** Returns how many units it frees: where its response says how many are left, also those of older requests that hang. */
  function end(departure: Departure, tellsRemaining: boolean): number {
    let count = Number(departures.delete(departure) && !departure.isCounted)
    if (!tellsRemaining) return count
    for (const other of departures) {
      if (other.sentAt > departure.sentAt - overtakingTime) break
      if (!other.isCounted) count += 1
      other.isCounted = true
    }
    return count
  }

  function follow({ isRetry }: EnterRequest, unreportedBefore: number, onEnd?: () => void): Permit {
    const monotonicSentAt = clock.monotonic()
    const release: Release = async ({ status: reported, rateLimitHeaders }) => {
      const status = reported === 0 && readsAnyStatus ? undefined : reported
      if (status === 0) await new Promise<void>((resolve) => clock.wakeAfter(unloadTime, resolve, true))
      if (departures.has(departure)) onEnd?.()
      else if (!status) return
      const freedUnits = end(departure, rateLimitHeaders?.remaining !== undefined)
      // If the clock was set back, the record's times have moved, and so does this one. Monotonic times have fractions.
      const leftAt = Math.floor(clock.now() - clock.monotonic() + monotonicSentAt)
      const sentAt = Math.min(departure.sentAt, leftAt + clockTolerance)
      const sending = { isRetry, unreportedBefore, sentAt, firstSentAt: firstSentAt() }
      await recordEnd({ ...sending, status, rateLimitHeaders, freedUnits, jitter: random() })
    }
    const departure: Departure = { sentAt: clock.now(), release, isCounted: false }
    departures.add(departure)
    return departure
  }

  return {
    follow,
    firstSentAt,
    giveUpAll: () => {
      for (const { release } of departures) void release({ status: undefined })
    },
    get size() {
      return departures.size
    },
  }
}

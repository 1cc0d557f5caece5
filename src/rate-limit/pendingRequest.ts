import type { LaneRefusal, RejectedRequest } from './drain.ts'
import type { GateResponse, Priority } from './gate.ts'
import type { CallSignal } from '../base/abort.ts'
import type { Clock } from '../base/Clock.ts'
import type { StoreClock } from './RateLimitStore.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import type { Wait, WaitReason } from './Wait.ts'

/** A request that is to leave. */
export interface EnterRequest {
  /** Unique in all tabs. */
  readonly id: string
  /** The part of the service that it asks, as a short text that names no address. Requests to one address fail together. */
  readonly address: string
  /** Whether the call has sent a request before. */
  readonly isRetry: boolean
  /** The call that it belongs to, and the name of its operation. */
  readonly callId: string
  readonly operation: string
  /** Whose request it is, where the queue tells users apart. */
  readonly user?: string | undefined
  readonly priority: Priority
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly order: number
  /** The latest time at which it may leave (epoch ms). It does not move when the clock is set. */
  readonly deadline: number
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
  readonly signal: CallSignal
  /** Called when the request has to wait, and again when its time or reason changes. */
  readonly onWait?: (wait: Wait) => void
}

/** Allows one request to leave. */
export interface Permit {
  /** Epoch ms. */
  readonly sentAt: number
  /**
   * Call it once, when the request has ended: with what its response says, or with nothing if it failed without one.
   * Resolves when the gate has recorded it.
   */
  readonly release: Release
  /** Whether the process of a fleet may end with the response, so that it has to be recorded before. Call it after `release`. */
  readonly isLast?: (() => boolean) | undefined
}

/** The request would wait past its deadline. Apps never see it: the client rejects with its own error instead. */
export class MaxWaitExceeded extends Error {
  /** When a retry may succeed, at the earliest (epoch ms). */
  readonly retryAt: number
  readonly reason: WaitReason
  /** The status of the last failure, where failures are the reason; 0 if it had no response. */
  readonly failedStatus: number

  constructor({ retryAt, reason, failedStatus }: Omit<RejectedRequest<unknown>, 'request'>) {
    super()
    this.retryAt = retryAt
    this.reason = reason
    this.failedStatus = failedStatus
  }
}

/** A request in the queue, with what tells its caller how its wait goes on and ends. */
export interface PendingRequest extends QueuedRequest {
  readonly callId: string
  readonly operation: string
  readonly user?: string | undefined
  readonly signal: CallSignal
  readonly permit: (permit: Permit) => void
  /** Takes `MaxWaitExceeded`, or an error of the queue. */
  readonly reject: (error: unknown) => void
  /** Listens to `signal` until `endWait`. */
  readonly abort: () => void
  /** Takes a time of the machine's own clock. */
  readonly onWait?: (wait: Wait) => void
  /** The last wait that `onWait` was called with, by the store's clock. */
  told?: Wait | undefined
}

/** Adds to the request instead of copying it: thousands may wait. */
export function createPendingRequest(
  request: EnterRequest,
  clock: StoreClock,
  ends: Pick<PendingRequest, 'permit' | 'reject' | 'abort' | 'holdFor'>,
): PendingRequest {
  const enteredAt = clock.monotonic()
  request.signal.addEventListener('abort', ends.abort)
  return Object.assign(request, ends, {
    enteredAt,
    deadline: request.deadline - clock.toLocal(clock.now()) + enteredAt,
  })
}

/** Call it before `permit` or `reject`. */
export function endWait({ signal, abort }: PendingRequest): void {
  signal.removeEventListener('abort', abort)
}

/** A request whose `onWait` hears of its wait. */
export type NotifiedRequest = QueuedRequest & Pick<PendingRequest, 'onWait' | 'told'>

/** A wait for a response is not told before it has lasted so long, in ms: most responses are there by then. */
const unspokenTime = 1_000
/** A smaller change of a time is not told, in ms. */
const tolerance = 1_000

/**
 * Tells requests until when and why they wait: each new one, and the others when their time moves by a second, or their
 * reason changes.
 *
 * @returns a function to call with why each priority waits, and with the time now (epoch ms). It returns when to call it
 * again at the latest (epoch ms).
 */
export function createWaitNotifier<Request extends NotifiedRequest>(
  queue: RequestQueue<Request>,
  clock: StoreClock,
): (refusals: ReadonlyMap<Priority, LaneRefusal>, now: number) => number {
  const keys = { user: '', background: '' }

  return (refusals, now) => {
    const since = clock.monotonic() - unspokenTime
    let nextAt = Infinity
    for (const [priority, { notBefore, places, firstPlace }] of refusals) {
      const lane = queue[priority]
      const key = `${lane.reorderings} ${places.key(lane.departed - firstPlace)}`
      const waitsForResponse = notBefore <= now
      for (const request of [...(key === keys[priority] ? lane.arrivals : lane.requests)]) {
        if (waitsForResponse && request.enteredAt > since) {
          nextAt = Math.min(nextAt, now + request.enteredAt - since)
          continue
        }
        if (waitsForResponse && (request.told?.until ?? 0) > now) continue // the time that it was told is not over
        lane.arrivals.delete(request)
        const { until, reason, isEarliest } = places.at(Math.max(0, firstPlace + lane.rankOf(request)))
        const latest = Math.max(now, request.deadline - clock.monotonic() + now)
        tell(request, { until: Math.min(until, latest), reason, isEarliest }, clock)
      }
      keys[priority] = key
    }
    return nextAt
  }
}

function tell(request: NotifiedRequest, wait: Wait, { toLocal }: StoreClock): void {
  const { told } = request
  const isSame = told?.reason === wait.reason && told.isEarliest === wait.isEarliest
  if (isSame && Math.abs(wait.until - told.until) < tolerance) return
  request.told = wait
  request.onWait?.({ ...wait, until: toLocal(wait.until) })
}

/** Reports once how a request ended: with its response, or with nothing if it failed without one. */
export type Release = (response?: Pick<GateResponse, 'rateLimitHeaders' | 'status'>) => Promise<void>

/** The facts about a request that the gate needs when it ends. */
type SentRequest = Pick<GateResponse, 'batch' | 'address' | 'isRetry' | 'sentAt' | 'lostUnitsBefore'>

/** The requests of this page that have left and that the gate counts as in flight. */
export interface SentRequests {
  readonly track: (request: SentRequest) => Release
  /** Reports all of them as lost. A response that still arrives counts. */
  readonly giveUp: () => void
  readonly count: number
  /** The batches that they belong to. */
  readonly batches: Iterable<string>
}

/** @param report - tells the gate how a request ended */
export function createSentRequests(
  report: (response: Omit<GateResponse, 'jitter'>) => Promise<void>,
  clock: Clock,
): SentRequests {
  /** Functions that give requests up, with the batch of each. */
  const unreported = new Map<() => void, string>()
  return {
    track: (request) => {
      const trackedAt = clock.monotonic()
      // If the clock was set back since, so were the times of the record.
      const sentAt = () => Math.min(request.sentAt, Math.floor(clock.now() - clock.monotonic() + trackedAt))
      const end: Release = async (response) => {
        // Without a response, only the first report counts.
        if (!unreported.delete(giveUp) && !response?.status) return
        await report({ status: 0, ...response, ...request, sentAt: sentAt() })
      }
      const giveUp = () => void end({ status: undefined })
      unreported.set(giveUp, request.batch)
      return end
    },
    giveUp: () => {
      for (const giveUp of unreported.keys()) giveUp()
    },
    get count() {
      return unreported.size
    },
    get batches() {
      return unreported.values()
    },
  }
}

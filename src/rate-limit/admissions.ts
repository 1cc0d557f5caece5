import type { DrainResult, LaneRefusal, RejectedRequest } from './drain.ts'
import type { StoreClock } from './RateLimitStore.ts'
import type { GateRecord } from './GateRecord.ts'
import { removeInFlight } from './windows.ts'
import type { PageGate, Release, SentRequests } from './pageGate.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import type { UpdateBatcher } from './updateBatcher.ts'
import type { Wait } from './Wait.ts'
import type { Clock } from '../base/Clock.ts'
import type { Priority } from './gate.ts'

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

/** A request whose wait the gate can end, in one of two ways. Times are epoch ms of this machine's clock. */
export interface AdmissibleRequest extends QueuedRequest {
  readonly permit: (permit: Permit) => void
  readonly reject: (rejected: Rejection) => void
  readonly onWait?: ((wait: Wait) => void) | undefined
}

type Rejection = Omit<RejectedRequest<unknown>, 'request'>

/** Makes what the gate decides happen. */
interface Admissions<Request extends AdmissibleRequest> {
  /** @param decidedAt - epoch ms */
  readonly apply: (result: DrainResult<Request>, decidedAt: number) => void
  /** Admits the queue by units that the process holds, without asking the store. Returns whether it did. */
  readonly admitAlone: () => boolean
}

interface AdmissionsOptions<Request extends AdmissibleRequest> {
  readonly clock: StoreClock
  readonly queue: RequestQueue<Request>
  readonly gate: PageGate<Request>
  readonly sent: SentRequests
  readonly batcher: UpdateBatcher
  /** Returns the newest record that is known. */
  readonly latest: () => GateRecord
}

/** An older admission is checked again before the request leaves: the machine may have slept. In ms. */
const admissionLifetime = 1_000

export function createAdmissions<Request extends AdmissibleRequest>(
  options: AdmissionsOptions<Request>,
): Admissions<Request> {
  const { clock, queue, gate, sent, batcher, latest } = options

  function apply(result: DrainResult<Request>, decidedAt: number): void {
    const now = clock.now()
    const isStale = now - decidedAt > admissionLifetime
    const batch = gate.join(result)
    // A refusal that came in since the decision closes the gate before the store knows it.
    const isClosed = batcher.withPending(latest(), now).cooldownUntil > now
    const isWithdrawn = isClosed || (isStale && !isInFlight(latest(), batch, now))
    // Others were aborted meanwhile, or have to be decided once more at their place in the queue.
    const permitted = isWithdrawn ? [] : result.admitted.filter(({ id }) => queue.get(id))
    for (const { id, address, isRetry, permit } of permitted) {
      queue.remove(id)
      const { lostUnits: lostUnitsBefore } = result.record
      const release = sent.track({ batch, address, isRetry, sentAt: decidedAt, lostUnitsBefore })
      permit({ sentAt: clock.toLocal(isStale ? now : decidedAt), release, isLast: gate.fleet?.mayExit })
    }
    gate.fleet?.count(permitted.length)
    const withdrawn = result.admitted.length - permitted.length
    if (withdrawn > 0) void batcher.flush((record) => removeInFlight(record, batch, withdrawn))
    for (const { request, retryAt, ...reason } of result.rejected) {
      queue.remove(request.id)
      request.reject({ ...reason, retryAt: clock.toLocal(retryAt) })
    }
    for (const { request, until } of result.held) {
      queue.park(request.id, until)
      request.onWait?.({ until, reason: 'service', isEarliest: true })
    }
  }

  return {
    apply,
    admitAlone: () => {
      if (!gate.fleet) return false
      const now = clock.now()
      const result = gate.fleet.decideAlone(batcher.withPending(latest(), now), now)
      if (result) apply(result, now)
      return result !== undefined
    },
  }
}

/** Checks the newest known record alone: with a store that is always slow, no admission would be young enough. */
function isInFlight({ inFlight }: GateRecord, batch: string, now: number): boolean {
  return (inFlight[batch]?.until ?? now) > now
}

export interface NotifiedRequest extends QueuedRequest {
  readonly onWait?: ((wait: Wait) => void) | undefined
  /** What `onWait` was called with last. */
  told: Wait | undefined
}

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
  clock: Clock,
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
        const { until, ...reason } = places.at(Math.max(0, firstPlace + lane.rankOf(request)))
        const latest = Math.max(now, request.deadline - clock.monotonic() + now)
        tell(request, { ...reason, until: Math.min(until, latest) })
      }
      keys[priority] = key
    }
    return nextAt
  }
}

function tell(request: NotifiedRequest, wait: Wait): void {
  const { told } = request
  const isSame = told?.reason === wait.reason && told.isEarliest === wait.isEarliest
  if (isSame && Math.abs(wait.until - told.until) < tolerance) return
  request.told = wait
  request.onWait?.(wait)
}

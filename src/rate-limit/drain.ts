import { admit, type GateDecision, type Priority, type RefusalReason, unitsLeft } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import { countInFlight } from './inFlight.ts'
import type { CustomRate } from './plan.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import { nextRenewalAt, recordTurn, turnOf } from './turns.ts'

/** When and where a queue is drained. */
export interface DrainContext {
  /** Epoch ms. */
  readonly now: number
  /** `now` by the clock of the deadlines. */
  readonly monotonicNow: number
  readonly pace: CustomRate
  /** The batch that the requests join if it is still in flight. Else they begin one with the id of the first of them. */
  readonly batch?: string | undefined
  /** The id of the page among those that share the record. */
  readonly page: string
  /** How many requests of the page are in flight. */
  readonly inFlight: number
}

export interface DrainResult<Request extends QueuedRequest = QueuedRequest> {
  readonly record: GateRecord
  /** The requests that may leave now. */
  readonly admitted: readonly Request[]
  /** The batch with which they are in flight. */
  readonly batch: string | undefined
  /** The requests that would wait past their deadline. `retryAt`: when a retry may succeed, at the earliest (epoch ms). */
  readonly rejected: readonly { readonly request: Request; readonly retryAt: number }[]
  /** Why the other requests of a priority wait. */
  readonly refusals: ReadonlyMap<Priority, LaneRefusal>
  /** When to drain again if nothing happens earlier (epoch ms); infinite if no request waits. Later than `now`. */
  readonly wakeAt: number
}

/** Why no further request of a priority may leave now. */
export interface LaneRefusal {
  /** `other-tabs`: it is the turn of requests in other tabs. */
  readonly reason: RefusalReason | 'other-tabs'
  /** The earliest time at which one may leave (epoch ms); `now` if they only wait for responses. */
  readonly notBefore: number
}

/** How long requests of any deadline may wait for the first response of all, since the oldest of them came. In ms. */
const firstResponseTime = 5_000

const priorities: readonly Priority[] = ['user', 'background']

type Refusal = LaneRefusal & Pick<Extract<GateDecision, { admitted: false }>, 'wakeAt'>

/**
 * Admits as many requests as may leave now, in order, and rejects those that would wait past their deadline. Looks at no
 * others, and does not change the queue.
 */
export function drain<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  stored: GateRecord,
  { now, monotonicNow, pace, page, inFlight, ...context }: DrainContext,
): DrainResult<Request> {
  let record = stored
  const known = context.batch ?? ''
  let batch = (stored.inFlight[known]?.until ?? 0) > now ? known : undefined
  const othersInFlight = countInFlight(stored) > inFlight
  let wakeAt = Infinity
  let shared = 0
  const waits = { user: false, background: false }
  const admitted = new Set<Request>()
  const rejected: { request: Request; retryAt: number }[] = []
  const refusals = new Map<Priority, LaneRefusal>()

  function admitLane(priority: Priority): Refusal | undefined {
    let share: number | undefined
    const { hasRivals, rivalsUntil, shareOf } = turnOf(record, page, priority, now)
    for (const request of queue[priority].byOrder()) {
      const { id, holdFor } = request
      const decision = admit(record, { batch: batch ?? id, priority, holdFor }, now, pace)
      if (!decision.admitted) {
        record = decision.record
        return decision
      }
      share ??= shareOf(unitsLeft(record, priority, now, pace))
      if (share < 1) return { reason: 'other-tabs', notBefore: now, wakeAt: rivalsUntil }
      share -= 1
      record = decision.record
      if (hasRivals) shared += 1
      batch ??= id
      admitted.add(request)
    }
    return undefined
  }

  for (const priority of priorities) {
    // A refusal holds for every later request of the same priority.
    const refusal = admitLane(priority)
    if (!refusal) continue
    refusals.set(priority, refusal)
    const { requests, byDeadline } = queue[priority]
    const [oldest] = requests
    // Before the first response of all, requests wait for that, not for the rate limit.
    const minDeadline = oldest && isUnknown(record) ? oldest.enteredAt + firstResponseTime : 0
    for (const request of byDeadline()) {
      if (admitted.has(request)) continue
      const deadline = now + Math.max(request.deadline, minDeadline) - monotonicNow
      if (deadline > now && deadline >= refusal.notBefore) {
        waits[priority] = true
        wakeAt = Math.min(wakeAt, refusal.wakeAt, deadline)
        break
      }
      rejected.push({ request, retryAt: Math.max(refusal.notBefore, Math.min(refusal.wakeAt, now + 1_000)) })
    }
  }
  const opensAt = Math.min(
    ...[...refusals].flatMap(([priority, { notBefore }]) => (waits[priority] ? [notBefore] : [])),
  )
  const update = { ...waits, notBefore: opensAt, hasSent: admitted.size > 0, shared, othersInFlight }
  record = recordTurn(record, page, update, now)
  wakeAt = Math.min(wakeAt, nextRenewalAt(record, page, update, now))
  return { record, admitted: [...admitted], batch, rejected, refusals, wakeAt }
}

/** Whether no response has come yet. */
function isUnknown({ cooldownUntil, windows, localUsage }: GateRecord): boolean {
  return cooldownUntil === 0 && windows.length === 0 && localUsage.length === 0
}

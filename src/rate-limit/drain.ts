import { countInFlight, expire, liveWindows } from './windows.ts'
import { heldAddress, isOutage, probeOpensAt } from './failures.ts'
import { admit, type GateDecision, type Priority, type RefusalReason, unitsLeft } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import { type Places, placesOf, type WaitReason, waitReasonOf } from './Wait.ts'
import type { CustomRate } from './plan.ts'
import type { QueuedRequest, QueueLane, RequestQueue } from './requestQueue.ts'
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
  /** Names the page or worker, where others can tell whether it still exists. */
  readonly owner?: string | undefined
  /** Whether processes hold units ahead of their requests, and may give them back. */
  readonly holdsAhead?: boolean
}

export interface DrainResult<Request extends QueuedRequest = QueuedRequest> {
  readonly record: GateRecord
  /** The requests that may leave now. */
  readonly admitted: readonly Request[]
  /** The batch with which they are in flight. */
  readonly batch: string | undefined
  /** The requests that would wait past their deadline. */
  readonly rejected: readonly RejectedRequest<Request>[]
  /** The requests whose address the service has asked to leave alone, with when that ends (epoch ms). */
  readonly held: readonly { readonly request: Request; readonly until: number }[]
  /** Why the other requests of a priority wait. */
  readonly refusals: ReadonlyMap<Priority, LaneRefusal>
  /** When to drain again if nothing happens earlier (epoch ms); infinite if no request waits. Later than `now`. */
  readonly wakeAt: number
}

export interface RejectedRequest<Request> {
  readonly request: Request
  /** When a retry may succeed, at the earliest (epoch ms). */
  readonly retryAt: number
  readonly reason: WaitReason
  /** The status of the last failure, where failures are the reason; 0 if it had no response. */
  readonly failedStatus: number
}

/** Why no further request of a priority may leave now. */
export interface LaneRefusal {
  /** `other-tabs`: it is the turn of requests in other tabs. */
  readonly reason: RefusalReason | 'other-tabs'
  /** The earliest time at which one may leave (epoch ms); `now` if they only wait for responses. */
  readonly notBefore: number
  /** When the requests of the lane leave. */
  readonly places: Places
  /** The place of the first of them. */
  readonly firstPlace: number
}

/** How long requests of any deadline may wait for the first response of all, since the oldest of them came. In ms. */
const firstResponseTime = 5_000

/**
 * Whether a request may not leave any more: a busy machine has come back to it too late. One that may not wait has the time
 * of the first response, in which the store decides on it.
 */
export function isOverdue({ deadline, enteredAt }: QueuedRequest, monotonicNow: number): boolean {
  return Math.max(deadline, enteredAt + firstResponseTime) < monotonicNow
}

/** So many requests are looked at for one to an address that has not failed. */
const maxProbeCandidates = 32

type Refusal = Pick<LaneRefusal, 'reason' | 'notBefore'> & Pick<Extract<GateDecision, { admitted: false }>, 'wakeAt'>

/**
 * Admits as many requests as may leave now, in order, and rejects those that would wait past their deadline. Looks at no
 * others, and does not change the queue.
 */
export function drain<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  stored: GateRecord,
  context: DrainContext,
): DrainResult<Request> {
  const { now, monotonicNow, pace, page, owner } = context
  let record = stored
  const known = context.batch ?? ''
  let batch = (stored.inFlight[known]?.until ?? 0) > now ? known : undefined
  const othersInFlight = countInFlight(stored) > context.inFlight
  let wakeAt = Infinity
  let shared = 0
  const waits = { user: false, background: false }
  const admitted = new Set<Request>()
  const held = new Map<Request, number>()
  const rejected: RejectedRequest<Request>[] = []
  const refusals = new Map<Priority, LaneRefusal>()
  const toEpoch = (time: number) => now + time - monotonicNow

  /** Whether a request is not to leave because of its address. */
  function isHeld(request: Request): boolean {
    const address = heldAddress(record, request.address, now)
    // A cool-down that lasts longer says when the request leaves.
    if (!address || address.retryAt <= record.cooldownUntil) return false
    const { retryAt, status } = address
    if (toEpoch(request.deadline) < retryAt) reject(request, retryAt, 'service', status)
    held.set(request, retryAt)
    return true
  }

  function reject(request: Request, retryAt: number, reason: WaitReason, failedStatus = record.failures.status): void {
    rejected.push({ request, retryAt, reason, failedStatus })
  }

  function admitLane(priority: Priority, probe: Request | undefined): Refusal | undefined {
    let share: number | undefined
    const { rivals, rivalsUntil, shareOf } = turnOf(record, page, priority, now)
    for (const request of startWith(probe, queue[priority].byOrder(record))) {
      if (isHeld(request)) continue
      const { id, address, holdFor } = request
      const isCall = priority === 'user' && !request.isRetry
      const calledAt = isCall ? toEpoch(request.enteredAt) : undefined
      const decision = admit(record, { batch: batch ?? id, address, priority, holdFor, calledAt, owner }, now, pace)
      if (!decision.admitted) {
        record = decision.record
        return unitsReturn(decision, context) ? { ...decision, notBefore: now } : decision
      }
      if (isOverdue(request, monotonicNow)) {
        reject(request, now + 1_000, waitReasonOf('probe', record))
        held.set(request, now)
        continue
      }
      share ??= shareOf(unitsLeft(record, priority, now, pace))
      // All wait for the probe, so it goes ahead of other tabs. If one address alone has failed, a person there can probe it.
      const isAhead = priority === 'user' || !hasFailedAlone(stored, address)
      if (share < 1 && !(request === probe && isOutage(stored) && isAhead))
        return { reason: 'other-tabs', notBefore: now, wakeAt: rivalsUntil }
      share -= 1
      record = decision.record
      if (rivals > 0) shared += 1
      batch ??= id
      admitted.add(request)
    }
    return undefined
  }

  function refuseLane(priority: Priority, refusal: Refusal): void {
    const lane = queue[priority]
    const placesFor = (rivals: number) => placesOf(record, refusal, { priority, rivals, now, pace })
    const { rivals } = turnOf(record, page, priority, now)
    const places = placesFor(rivals)
    const ahead = priority === 'user' ? 0 : queue.user.requests.size
    const firstPlace = ahead - admitted.size - held.size
    const { reason, notBefore } = refusal
    refusals.set(priority, { reason, notBefore, places, firstPlace })
    const [oldest] = lane.requests
    const { late, nextDeadline } = findLate(lane, {
      isGone: (request) => admitted.has(request) || held.has(request),
      // Other pages may wait no longer.
      places: rivals > 0 ? placesFor(0) : places,
      firstPlace,
      // Before the first response of all, requests wait for that, not for the rate limit.
      minDeadline: oldest && isUnknown(record) ? oldest.enteredAt + firstResponseTime : 0,
      monotonicNow,
      toEpoch,
    })
    const soon = Math.min(refusal.wakeAt, now + 1_000)
    for (const { request, opensAt } of late) reject(request, Math.max(opensAt, soon), waitReasonOf(reason, record))
    if (nextDeadline === undefined) return
    waits[priority] = true
    wakeAt = Math.min(wakeAt, nextDeadline, refusal.wakeAt)
  }

  const probe = isProbing(expire(record, now, pace), now) ? findProbe(queue, record, { now, pace, toEpoch }) : undefined
  const lanes: readonly Priority[] = probe?.priority === 'background' ? ['background', 'user'] : ['user', 'background']
  for (const priority of lanes) {
    // A refusal holds for every later request of the same priority.
    const refusal = admitLane(priority, probe?.priority === priority ? probe : undefined)
    if (refusal) refuseLane(priority, refusal)
  }
  const opensAt = Math.min(
    // Units that requests in flight hold count as shared: a page that waits for them keeps its turn.
    ...[...refusals].flatMap(([priority, { reason, notBefore }]) =>
      waits[priority] ? [reason === 'in-flight' ? now : notBefore] : [],
    ),
  )
  const update = { ...waits, notBefore: opensAt, hasSent: admitted.size > 0, shared, othersInFlight, owner }
  record = recordTurn(record, page, update, now)
  wakeAt = Math.min(wakeAt, nextRenewalAt(record, page, update, now))
  const isRejected = new Set(rejected.map(({ request }) => request))
  const parked = [...held].filter(([request]) => !isRejected.has(request))
  return {
    record,
    admitted: [...admitted],
    batch,
    rejected,
    held: parked.map(([request, until]) => ({ request, until })),
    refusals,
    wakeAt,
  }
}

interface LaneContext<Request> {
  /** Whether a request does not wait any more. */
  readonly isGone: (request: Request) => boolean
  readonly places: Places
  readonly firstPlace: number
  /** No deadline counts that is earlier, in ms of the monotonic clock. */
  readonly minDeadline: number
  readonly monotonicNow: number
  readonly toEpoch: (monotonicTime: number) => number
}

/** Finds the requests of a lane whose place comes too late, and the first deadline of the others (epoch ms), if there are any. */
function findLate<Request extends QueuedRequest>(
  lane: QueueLane<Request>,
  { isGone, places, firstPlace, minDeadline, monotonicNow, toEpoch }: LaneContext<Request>,
): {
  readonly late: readonly { readonly request: Request; readonly opensAt: number }[]
  readonly nextDeadline: number | undefined
} {
  const deadlineOf = (request: Request) => Math.max(request.deadline, minDeadline)
  const isInTime = (request: Request, opensAt: number) =>
    deadlineOf(request) > monotonicNow && toEpoch(deadlineOf(request)) >= opensAt
  const last = places.opensAt(firstPlace + lane.requests.size - 1)
  let nextDeadline: number | undefined
  const candidates: Request[] = []
  for (const request of lane.byDeadline()) {
    if (isGone(request)) continue
    if (isInTime(request, last)) {
      nextDeadline = toEpoch(deadlineOf(request))
      break
    }
    candidates.push(request)
  }
  candidates.sort((one, other) => lane.rankOf(one) - lane.rankOf(other))
  const late: { request: Request; opensAt: number }[] = []
  for (const request of candidates) {
    const opensAt = places.opensAt(Math.max(0, firstPlace + lane.rankOf(request) - late.length))
    if (isInTime(request, opensAt)) nextDeadline = Math.min(nextDeadline ?? Infinity, toEpoch(deadlineOf(request)))
    else late.push({ request, opensAt })
  }
  return { late, nextDeadline }
}

/** Whether the units of requests in flight may come back within the window. */
function unitsReturn({ reason }: { readonly reason: RefusalReason }, { holdsAhead }: DrainContext): boolean {
  return reason === 'in-flight' && holdsAhead === true
}

function* startWith<Item>(first: Item | undefined, items: Iterable<Item>): Generator<Item> {
  if (first !== undefined) yield first
  for (const item of items) if (item !== first) yield item
}

/**
 * The request that finds out whether the key works: one to an address that has not failed, or else to the one that failed
 * the longest time ago. Within a pause it is what a person does now, if that may leave earlier.
 */
function findProbe<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  record: GateRecord,
  { now, pace, toEpoch }: Pick<DrainContext, 'now' | 'pace'> & { readonly toEpoch: (monotonicTime: number) => number },
): Request | undefined {
  const opensAt = ({ address }: Request, calledAt?: number) =>
    Math.max(now, probeOpensAt(record, { address, calledAt }, now, pace))
  const failedAt = ({ address }: Request) => record.failures.addresses[address]?.failedAt ?? 0
  const { newest } = queue.user
  const oldest = findOldestFailure(queue, record, failedAt)
  if (!oldest || !newest || now >= record.failures.pauseUntil) return oldest
  return opensAt(newest, toEpoch(newest.enteredAt)) < opensAt(oldest) ? newest : oldest
}

/** The request whose address failed the longest time ago; 0 means never. */
function findOldestFailure<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  record: GateRecord,
  failedAt: (request: Request) => number,
): Request | undefined {
  const isOut = isOutage(record)
  let oldest: Request | undefined
  // Background requests go before people only where that is the one request that may leave.
  for (const { byOrder } of isOut ? [queue.user, queue.background] : [queue.user]) {
    let candidates = 0
    for (const request of byOrder()) {
      if (failedAt(request) === 0) return request
      if (isOut && (!oldest || failedAt(request) < failedAt(oldest))) oldest = request
      candidates += 1
      if (candidates === maxProbeCandidates) break
    }
  }
  return oldest
}

/** Whether all failures that are known are of this address. */
function hasFailedAlone({ failures: { addresses } }: GateRecord, address: string): boolean {
  return address in addresses && Object.keys(addresses).length === 1
}

/** Whether requests leave one by one because some have failed. */
function isProbing(record: GateRecord, now: number): boolean {
  return isOutage(record) || (record.failures.count > 0 && liveWindows(record, now).length === 0)
}

/** Whether no response has come yet. */
function isUnknown({ cooldownUntil, windows, localUsage }: GateRecord): boolean {
  return cooldownUntil === 0 && windows.length === 0 && localUsage.length === 0
}

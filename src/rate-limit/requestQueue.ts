import type { Clock } from '../base/Clock.ts'
import { isOpen } from './breaker.ts'
import { createOutlook, type GateContext, type Hold, noteSent } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import type { PendingRequest } from './pendingRequest.ts'
import { addInFlight, expire, withPage } from './windows.ts'

/** Divides the quota among those whose requests wait at one gate. */
export interface Sharing {
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly turnOf: (request: PendingRequest) => number
  /** Begins a decision. Says why a request may not leave although the gate is open; if it says nothing, the request leaves. */
  readonly divide: (record: GateRecord, now: number) => (request: PendingRequest) => Hold | undefined
  /** A request leaves. Call what it returns when the request has ended. */
  readonly leave: (request: PendingRequest) => () => void
  /** The request that has to make room for a new one, if there are too many. */
  readonly excess: () => PendingRequest | undefined
}

/** The requests that wait, in the order in which they leave: people first. */
export class RequestQueue {
  requests: PendingRequest[] = []
  private readonly turnOf: Sharing['turnOf']

  constructor(turnOf: Sharing['turnOf'] = ({ order }) => order) {
    this.turnOf = turnOf
  }

  /** Most come in their order, so that they are added at the end. */
  add(request: PendingRequest): void {
    request.turn = this.turnOf(request)
    let place = this.requests.length
    for (let low = 0; low < place; ) {
      const middle = (low + place) >> 1
      const other = this.requests[middle]
      if (other && comesBefore(request, other)) place = middle
      else low = middle + 1
    }
    this.requests.splice(place, 0, request)
  }

  /** Drops all requests but those that still wait. */
  keep(waiting: ReadonlySet<PendingRequest>): void {
    if (this.requests.length > waiting.size) this.requests = this.requests.filter((request) => waiting.has(request))
  }

  /** Gives a background request the priority of a user's. */
  prioritize(id: string): void {
    const place = this.requests.findIndex((one) => one.id === id)
    const [request] = place < 0 ? [] : this.requests.splice(place, 1)
    if (!request) return
    request.priority = 'user'
    this.add(request)
  }
}

function comesBefore(one: PendingRequest, other: PendingRequest): boolean {
  return one.priority === other.priority ? one.turn < other.turn : one.priority === 'user'
}

/** What the gate decides about a queue. */
export interface Decision {
  readonly record: GateRecord
  /** The requests that may leave now. */
  readonly admitted: readonly PendingRequest[]
  /** Those that would wait past their deadline, with when a retry may succeed. */
  readonly rejected: ReadonlyMap<PendingRequest, Hold>
  readonly waiting: readonly (readonly [PendingRequest, Hold])[]
  /** When to decide again if nothing happens earlier (epoch ms); infinite if no request waits. */
  readonly wakeAt: number
}

interface DecisionContext extends GateContext {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly sharing?: Sharing | undefined
  /** Whether to stop at the first one that waits, if no other can leave. */
  readonly isBrief?: boolean
}

/** How long requests of any deadline may wait for the first response of all, in ms. */
const firstResponseTime = 5_000
/** A page counts as waiting for so long after it has said so, or after its turn. In ms. */
const waitTime = 1_000

/** Whether a busy machine has come back to a request too late. */
export function isOverdue({ lastCall, enteredAt }: PendingRequest, monotonicNow: number): boolean {
  return Math.max(lastCall, enteredAt + firstResponseTime) < monotonicNow
}

/** Whether nobody knows how long the wait lasts. */
export function waitsForResponse({ reason }: Pick<Hold, 'reason'>): boolean {
  return reason === 'probe' || reason === 'failures' || reason === 'other-tabs'
}

/** Decides which requests may leave now, and which would wait too long. Does not change the queue. */
export function decide(requests: readonly PendingRequest[], stored: GateRecord, context: DecisionContext): Decision {
  const { now, pace, page, clock, sharing, isBrief } = context
  const monotonicNow = clock.monotonic()
  const record = expire(stored, now, pace)
  const outlook = createOutlook(record, context)
  const holdOf = sharing?.divide(record, now)
  // Before the first response of all, requests wait for that, and not for a limit.
  const isUnknown = record.cooldownUntil === 0 && record.windows.length === 0 && record.localUsage.length === 0
  const admitted: PendingRequest[] = []
  const rejected = new Map<PendingRequest, Hold>()
  const waiting: (readonly [PendingRequest, Hold])[] = []
  let wakeAt = Infinity
  let holdFor = 0
  /** How many wait for a unit of their own part: they take no place. */
  let apart = 0
  const isProbing = isOpen(record.breaker)
  for (const request of isProbing ? [...requests].sort(byRetry) : requests) {
    const place = admitted.length + (isProbing ? 0 : waiting.length - apart)
    const askedAt = request.isRetry ? undefined : request.enteredAt - monotonicNow + now
    const closed = outlook(request.priority, place, askedAt)
    const hold = closed ?? holdOf?.(request)
    if (!hold) {
      if (isOverdue(request, monotonicNow)) rejected.set(request, { reason: 'probe', until: now, isEarliest: true })
      else admitted.push(request)
      holdFor = Math.max(holdFor, request.holdFor)
      continue
    }
    const isEarly = isUnknown && hold.reason === 'probe'
    const lastCall = Math.max(request.lastCall, isEarly ? request.enteredAt + firstResponseTime : 0)
    const deadline = lastCall - monotonicNow + now
    const isLate = deadline <= now || (deadline < hold.until && !waitsForResponse(hold))
    if (isLate) rejected.set(request, waitsForResponse(hold) ? { ...hold, until: now } : hold)
    else {
      waiting.push([request, hold])
      if (!closed) apart += 1
      wakeAt = Math.min(wakeAt, hold.until, deadline)
      // Where the gate is closed for a place, it is closed for those behind; while it probes, for all after the probe.
      if (isBrief && closed && (!isProbing || admitted.length > 0)) break
    }
  }
  const sent =
    admitted.length > 0
      ? { ...addInFlight(noteSent(record, now), page, admitted.length, holdFor, now), updatedAt: now }
      : record
  const [first] = waiting
  const told = tellOthers(sent, page, first, now)
  return { ...told, admitted, rejected, waiting, wakeAt: Math.min(wakeAt, told.renewAt) }
}

/** What has not failed itself finds out most. */
function byRetry(one: PendingRequest, other: PendingRequest): number {
  return Number(one.isRetry) - Number(other.isRetry)
}

/** Notes in the record that this page waits, or no longer does; and when it has to say so again. */
function tellOthers(
  record: GateRecord,
  page: string,
  [first, hold]: readonly [PendingRequest?, Hold?] = [],
  now: number,
): Pick<Decision, 'record'> & { readonly renewAt: number } {
  const known = record.pages[page]
  const isKnown = (known?.waitsUntil ?? 0) > now
  const user = first?.priority === 'user'
  // A page that is alone need not repeat that it waits.
  const hasOthers = Object.keys(record.pages).length > (known ? 1 : 0)
  const renewAt = hold && hasOthers ? Math.max(now, (known?.waitsUntil ?? 0) - waitTime / 2) : Infinity
  const isNews = isKnown !== (hold !== undefined) || (isKnown && known?.user !== user) || renewAt <= now
  if (!isNews) return { record, renewAt }
  const from = hold && waitsForResponse(hold) ? now : Math.max(now, hold?.until ?? 0)
  const waitsUntil = hold ? from + waitTime : 0
  return { record: { ...withPage(record, page, { waitsUntil, user }, now), updatedAt: now }, renewAt: Infinity }
}

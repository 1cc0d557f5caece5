import type { Clock } from '../base/Clock.ts'
import { isTripped } from './breaker.ts'
import { createOutlook, type GateContext, type Hold, noteSent, type HoldReason, trialGap } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import type { EnterRequest, PendingRequest } from './pendingRequest.ts'
import { addInFlight, expire, withPage } from './windows.ts'

/** Divides the quota of a server's key among its users. */
export interface Sharing {
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly rankOf: (request: PendingRequest) => number
  /** Returns a function that holds a request although the gate is open; where it returns nothing, the request leaves. */
  readonly beginDecision: (record: GateRecord, now: number) => (request: PendingRequest) => Hold | undefined
  /** Counts a request that leaves. Call what it returns when the request has ended. */
  readonly recordSent: (request: PendingRequest) => () => void
  /** Rejects a request if too many wait, and returns it. */
  readonly makeRoom: () => PendingRequest | undefined
}

export function createRequestQueue(rankOf: Sharing['rankOf'] = ({ order }) => order) {
  const waiting = new Set<PendingRequest>()
  let sorted: PendingRequest[] = []
  let isSorted = true

  function rank(request: PendingRequest): void {
    request.rank = rankOf(request)
    isSorted = false
  }

  return {
    waiting,
    add: (request: PendingRequest) => {
      waiting.add(request)
      sorted.push(request)
      rank(request)
      request.signal.addEventListener('abort', request.abort)
    },
    remove: (request: PendingRequest) => {
      waiting.delete(request)
      request.signal.removeEventListener('abort', request.abort)
    },
    prioritize: (request: EnterRequest) => {
      request.priority = 'user'
      for (const one of waiting) if (one === request) rank(one)
    },
    /** The requests in the order in which they leave: people first. Sorted only here: thousands may be added at once. */
    inOrder: (): readonly PendingRequest[] => {
      if (sorted.length > waiting.size) sorted = sorted.filter((request) => waiting.has(request))
      if (!isSorted) sorted.sort(byOrder)
      isSorted = true
      return sorted
    },
  }
}

function byOrder(one: PendingRequest, other: PendingRequest): number {
  if (one.priority !== other.priority) return one.priority === 'user' ? -1 : 1
  return one.rank - other.rank
}

export interface Decision {
  readonly record: GateRecord
  /** The requests that leave now. */
  readonly admitted: readonly PendingRequest[]
  /** The requests that would wait past their deadline. `until` of the hold: when a retry may succeed. */
  readonly rejected: ReadonlyMap<PendingRequest, Hold>
  readonly waiting: readonly (readonly [PendingRequest, Hold])[]
  /** When to decide again if nothing happens earlier (epoch ms); infinite if no request waits. Not valid if `isBrief`. */
  readonly wakeAt: number
}

interface DecisionContext extends GateContext {
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long a request counts as in flight if its end is never reported, in ms. */
  readonly expiresAfter: number
  readonly sharing?: Sharing | undefined
  /** Whether to stop where no further request can leave: later ones are then missing from `rejected` and `waiting`. */
  readonly isBrief?: boolean
}

/** A request may wait so long for the key's first response, or for a busy machine, whatever its deadline. In ms. */
const minAllowedWait = 5_000
/** How long a page's note that it waits stays valid: from now, or from the end of its hold where that is known. In ms. */
const noteLifetime = 1_000

/** Whether a request's time is over, as where the machine was busy. */
export function isOverdue({ deadline, enteredAt }: PendingRequest, monotonicNow: number): boolean {
  return Math.max(deadline, enteredAt + minAllowedWait) < monotonicNow
}

/** Whether nobody knows how long the wait lasts: until a response, or the turn of this page. */
export function hasUnknownEnd(reason: HoldReason): boolean {
  return reason === 'probe' || reason === 'failures' || reason === 'other-tabs'
}

/** Decides which requests may leave now, and which would wait too long. Does not change the queue. */
export function decide(requests: readonly PendingRequest[], stored: GateRecord, context: DecisionContext): Decision {
  const { now, pace, page, clock, expiresAfter, sharing, isBrief } = context
  const monotonicNow = clock.monotonic()
  const record = expire(stored, now, pace)
  let outlook: ReturnType<typeof createOutlook> | undefined
  const shareHoldOf = sharing?.beginDecision(record, now)
  const isUnknown = record.cooldownUntil === 0 && record.windows.length === 0 && record.localUsage.length === 0
  const admitted: PendingRequest[] = []
  const rejected = new Map<PendingRequest, Hold>()
  const waiting: (readonly [PendingRequest, Hold])[] = []
  let wakeAt = Infinity
  /** How many wait only for their user's share. Other users need not wait behind them. */
  let heldByShare = 0
  const hasTripped = isTripped(record.breaker)
  for (const request of requests) {
    // While the breaker is not closed, the first request that may leave is the probe, whatever waits before it.
    const place = admitted.length + (hasTripped ? 0 : waiting.length - heldByShare)
    const askedAt = request.isRetry ? undefined : request.enteredAt - monotonicNow + now
    outlook ??= createOutlook(record, context)
    const gateHold = outlook(request.priority, place, askedAt)
    const hold = gateHold ?? shareHoldOf?.(request)
    if (!hold) {
      // The gate is open, but the time is over. No `HoldReason` says that: `probe` has no known end, either.
      if (isOverdue(request, monotonicNow)) rejected.set(request, { reason: 'probe', until: now, isEarliest: true })
      else admitted.push(request)
      continue
    }
    const waitsForFirst = isUnknown && hold.reason === 'probe'
    const leavesBy = Math.max(request.deadline, waitsForFirst ? request.enteredAt + minAllowedWait : 0)
    const deadline = leavesBy - monotonicNow + now
    const isLate = deadline <= now || (deadline < hold.until && !hasUnknownEnd(hold.reason))
    if (isLate) rejected.set(request, hasUnknownEnd(hold.reason) ? { ...hold, until: now } : hold)
    else {
      waiting.push([request, hold])
      if (!gateHold) heldByShare += 1
      wakeAt = Math.min(wakeAt, hold.until, deadline, now + trialGap)
      // The gate holds all later ones, too: while the breaker is open, once the probe is admitted.
      if (isBrief && gateHold && (!hasTripped || admitted.length > 0)) break
    }
  }
  const sent =
    admitted.length > 0
      ? { ...addInFlight(noteSent(record, now), page, admitted.length, expiresAfter, now), updatedAt: now }
      : record
  const { record: noted, renewAt } = noteWaiting(sent, page, waiting, now)
  return { record: noted, admitted, rejected, waiting, wakeAt: Math.min(wakeAt, renewAt) }
}

/** Notes in the record whether this page waits, for other pages. `renewAt`: when it has to note that again. */
function noteWaiting(
  record: GateRecord,
  page: string,
  waiting: Decision['waiting'],
  now: number,
): Pick<Decision, 'record'> & { readonly renewAt: number } {
  const [[first, hold] = []] = waiting
  const known = record.pages[page]
  const isKnown = (known?.waitsUntil ?? 0) > now
  const hasUserRequest = first?.priority === 'user'
  // A page that is alone need not repeat that it waits.
  const hasOthers = Object.keys(record.pages).length > (known ? 1 : 0)
  const renewAt = hold && hasOthers ? Math.max(now, (known?.waitsUntil ?? 0) - noteLifetime / 2) : Infinity
  const hasChanged = isKnown !== (hold !== undefined) || (isKnown && known?.hasUserRequest !== hasUserRequest)
  if (!hasChanged && renewAt > now) return { record, renewAt }
  // Others believe this even if the page is gone by then, so it lies ten minutes ahead at most.
  const from = hold && hasUnknownEnd(hold.reason) ? now : Math.min(now + trialGap, Math.max(now, hold?.until ?? 0))
  const waitsUntil = hold ? from + noteLifetime : 0
  return {
    record: { ...withPage(record, page, { waitsUntil, hasUserRequest }, now), updatedAt: now },
    renewAt: Infinity,
  }
}

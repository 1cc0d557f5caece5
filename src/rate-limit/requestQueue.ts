import { admit, type GateDecision, type GateRequest, type Priority } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import type { CustomRate } from './plan.ts'

/** A request that waits to leave. */
export interface QueuedRequest extends GateRequest {
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly order: number
  /** The latest time at which it may leave, in ms of the monotonic clock. */
  readonly deadline: number
  /** In ms of the monotonic clock. */
  readonly enteredAt: number
}

/** The queued requests in the order in which they leave: by priority, then by `order`. */
export type RequestQueue<Request extends QueuedRequest = QueuedRequest> = readonly Request[]

const rank: Record<Priority, number> = { user: 0, background: 1 }

export function enqueue<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  request: Request,
): RequestQueue<Request> {
  return [...queue, request].toSorted(
    (one, other) => rank[one.priority] - rank[other.priority] || one.order - other.order,
  )
}

export function remove<Request extends QueuedRequest>(queue: RequestQueue<Request>, id: string): RequestQueue<Request> {
  return queue.filter((request) => request.id !== id)
}

export function isQueued(queue: RequestQueue, id: string): boolean {
  return queue.some((request) => request.id === id)
}

/** Gives a background request the priority of a user's, at the place of its `order`. */
export function prioritize<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  id: string,
): RequestQueue<Request> {
  const request = queue.find((queued) => queued.id === id)
  return request ? enqueue(remove(queue, id), { ...request, priority: 'user' }) : queue
}

export interface DrainResult<Request extends QueuedRequest = QueuedRequest> {
  /** The requests that still wait. */
  readonly queue: RequestQueue<Request>
  readonly record: GateRecord
  /** The requests that may leave now. */
  readonly admitted: readonly Request[]
  /** The requests that would wait past their deadline. `retryAt`: when a retry may succeed, at the earliest (epoch ms). */
  readonly rejected: readonly { readonly request: Request; readonly retryAt: number }[]
  /** For each queued request, how long it waits at least (epoch ms); `now` if it only waits for responses. */
  readonly notBefore: ReadonlyMap<string, number>
  /** When to drain again if nothing happens earlier (epoch ms); infinite for an empty queue. */
  readonly wakeAt: number
}

/** How long any request may wait for the first response of all, in ms. */
const firstResponseTime = 5_000

type Refusal = Extract<GateDecision, { admitted: false }>

/**
 * Admits as many requests as may leave now, in order, and rejects those that would wait past their deadline.
 *
 * @param monotonicNow - `now` by the clock of the deadlines
 */
export function drain<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  stored: GateRecord,
  now: number,
  pace: CustomRate,
  monotonicNow: number,
): DrainResult<Request> {
  let record = stored
  const refusals = new Map<Priority, Refusal>()
  const admitted: Request[] = []
  const rejected: { request: Request; retryAt: number }[] = []
  const waiting: Request[] = []
  const notBefore = new Map<string, number>()
  let wakeAt = Number.POSITIVE_INFINITY

  for (const request of queue) {
    // A refusal holds for every later request of the same priority.
    let refusal = refusals.get(request.priority)
    if (!refusal) {
      const decision = admit(record, request, now, pace)
      record = decision.record
      if (decision.admitted) {
        admitted.push(request)
        continue
      }
      refusal = decision
      refusals.set(request.priority, decision)
    }
    // As long as nothing is known, a request waits for the first response, not for the rate limit.
    const graceUntil = isUnknown(record) ? request.enteredAt + firstResponseTime : 0
    const deadline = now + Math.max(request.deadline, graceUntil) - monotonicNow
    if (refusal.notBefore > deadline || deadline <= now) {
      rejected.push({ request, retryAt: Math.max(refusal.notBefore, Math.min(refusal.wakeAt, now + 1_000)) })
    } else {
      waiting.push(request)
      notBefore.set(request.id, refusal.notBefore)
      wakeAt = Math.min(wakeAt, refusal.wakeAt, deadline)
    }
  }
  return { queue: waiting, record, admitted, rejected, notBefore, wakeAt }
}

function isUnknown({ cooldownUntil, windows, localUsage }: GateRecord): boolean {
  return cooldownUntil === 0 && windows.length === 0 && localUsage.length === 0
}

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

/** The requests that wait, by id. Each change costs the same, however many they are. */
export interface RequestQueue<Request extends QueuedRequest> {
  /** In the order in which they leave: by priority, then by `order`. */
  readonly sorted: readonly Request[]
  readonly get: (id: string) => Request | undefined
  readonly enqueue: (request: Request) => void
  readonly remove: (id: string) => void
  /** Gives a background request the priority of a user's, at the place of its `order`. */
  readonly prioritize: (id: string) => void
}

const rank: Record<Priority, number> = { user: 0, background: 1 }

export function createRequestQueue<Request extends QueuedRequest>(): RequestQueue<Request> {
  const byId = new Map<string, Request>()
  // Sorted on demand, so that thousands of changes in a row need one sort.
  let sorted: readonly Request[] | undefined

  function enqueue(request: Request): void {
    byId.set(request.id, request)
    sorted = undefined
  }

  return {
    get sorted() {
      sorted ??= [...byId.values()].sort(
        (one, other) => rank[one.priority] - rank[other.priority] || one.order - other.order,
      )
      return sorted
    },
    get: (id) => byId.get(id),
    enqueue,
    remove: (id) => {
      if (byId.delete(id)) sorted = undefined
    },
    prioritize: (id) => {
      const request = byId.get(id)
      if (request) enqueue({ ...request, priority: 'user' })
    },
  }
}

export interface DrainResult<Request extends QueuedRequest = QueuedRequest> {
  /** The requests that still wait. */
  readonly waiting: readonly Request[]
  readonly record: GateRecord
  /** The requests that may leave now. */
  readonly admitted: readonly Request[]
  /** The requests that would wait past their deadline. `retryAt`: when a retry may succeed, at the earliest (epoch ms). */
  readonly rejected: readonly { readonly request: Request; readonly retryAt: number }[]
  /** How long the requests of a priority wait at least (epoch ms); `now` if they only wait for responses. */
  readonly notBefore: ReadonlyMap<Priority, number>
  /** When to drain again if nothing happens earlier (epoch ms); infinite if no request waits. */
  readonly wakeAt: number
}

/** How long any request may wait for the first response of all, in ms. */
const firstResponseTime = 5_000

type Refusal = Extract<GateDecision, { admitted: false }>

/**
 * Admits as many requests as may leave now, in order, and rejects those that would wait past their deadline.
 *
 * @param queue - in the order in which they leave
 * @param monotonicNow - `now` by the clock of the deadlines
 */
export function drain<Request extends QueuedRequest>(
  queue: readonly Request[],
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
  const notBefore = new Map<Priority, number>()
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
      notBefore.set(request.priority, decision.notBefore)
    }
    // As long as nothing is known, a request waits for the first response, not for the rate limit.
    const graceUntil = isUnknown(record) ? request.enteredAt + firstResponseTime : 0
    const deadline = now + Math.max(request.deadline, graceUntil) - monotonicNow
    if (refusal.notBefore > deadline || deadline <= now) {
      rejected.push({ request, retryAt: Math.max(refusal.notBefore, Math.min(refusal.wakeAt, now + 1_000)) })
    } else {
      waiting.push(request)
      wakeAt = Math.min(wakeAt, refusal.wakeAt, deadline)
    }
  }
  return { waiting, record, admitted, rejected, notBefore, wakeAt }
}

function isUnknown({ cooldownUntil, windows, localUsage }: GateRecord): boolean {
  return cooldownUntil === 0 && windows.length === 0 && localUsage.length === 0
}

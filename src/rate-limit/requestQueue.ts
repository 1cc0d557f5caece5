import { admit, type GateDecision, type GateRequest, type Priority } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import type { Pace } from './plan.ts'

/** A request that waits to leave. */
export interface QueuedRequest extends GateRequest {
  /** Its place among those of the same priority: the smaller one goes first. */
  readonly order: number
  /** The latest time it may leave (epoch ms). */
  readonly deadline: number
}

/** Those who wait, in the order in which they leave: people before background work, else first come, first served. */
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

/** A person has come to wait for a request of the background. */
export function prioritize<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  id: string,
): RequestQueue<Request> {
  const request = queue.find((waiting) => waiting.id === id)
  return request ? enqueue(remove(queue, id), { ...request, priority: 'user' }) : queue
}

/** What a look at the gate has done to the line. */
export interface DrainResult<Request extends QueuedRequest = QueuedRequest> {
  readonly queue: RequestQueue<Request>
  readonly record: GateRecord
  /** Those who may leave now. */
  readonly admitted: readonly Request[]
  /** Those who would wait past their deadline, and from when on there would be hope (epoch ms). */
  readonly rejected: readonly { readonly request: Request; readonly retryAt: number }[]
  /** Those who go on waiting, and until when at least (epoch ms); `now` where they wait for responses. */
  readonly notBefore: ReadonlyMap<string, number>
  /** When to look again if nothing happens earlier (epoch ms); infinite for an empty line. */
  readonly wakeAt: number
}

type Refusal = Extract<GateDecision, { admitted: false }>

/** Lets through as many as the gate admits now, in order. */
export function drain<Request extends QueuedRequest>(
  queue: RequestQueue<Request>,
  stored: GateRecord,
  now: number,
  pace: Pace,
): DrainResult<Request> {
  let record = stored
  const refusals = new Map<Priority, Refusal>()
  const admitted: Request[] = []
  const rejected: { request: Request; retryAt: number }[] = []
  const staying: Request[] = []
  const notBefore = new Map<string, number>()
  let wakeAt = Number.POSITIVE_INFINITY

  for (const request of queue) {
    // One refused, the next of its priority would be too; and nobody of the background passes a person.
    let refusal = refusals.get(request.priority)
    if (!refusal) {
      const admission = admit(record, request, now, pace)
      record = admission.record
      if (admission.admitted) {
        admitted.push(request)
        continue
      }
      refusal = admission
      refusals.set(request.priority, admission)
    }
    if (refusal.notBefore > request.deadline || request.deadline <= now) {
      rejected.push({ request, retryAt: Math.max(refusal.notBefore, Math.min(refusal.wakeAt, now + 1_000)) })
    } else {
      staying.push(request)
      notBefore.set(request.id, refusal.notBefore)
      wakeAt = Math.min(wakeAt, refusal.wakeAt, request.deadline)
    }
  }
  return { queue: staying, record, admitted, rejected, notBefore, wakeAt }
}

import { admit, type Admission, type GateRequest, type Priority } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import type { Pace } from './plan.ts'

/** A request that waits to leave. */
export interface Waiting extends GateRequest {
  /** Its place among those of the same priority: the smaller one goes first. */
  readonly order: number
  /** The latest time it may leave (epoch ms). */
  readonly deadline: number
}

/** Those who wait, in the order in which they leave: people before background work, else first come, first served. */
export type WaitingLine<Request extends Waiting = Waiting> = readonly Request[]

const rank: Record<Priority, number> = { user: 0, background: 1 }

export function join<Request extends Waiting>(line: WaitingLine<Request>, request: Request): WaitingLine<Request> {
  return [...line, request].toSorted(
    (one, other) => rank[one.priority] - rank[other.priority] || one.order - other.order,
  )
}

export function leave<Request extends Waiting>(line: WaitingLine<Request>, id: string): WaitingLine<Request> {
  return line.filter((request) => request.id !== id)
}

/** A person has come to wait for a request of the background. */
export function lift<Request extends Waiting>(line: WaitingLine<Request>, id: string): WaitingLine<Request> {
  const request = line.find((waiting) => waiting.id === id)
  return request ? join(leave(line, id), { ...request, priority: 'user' }) : line
}

/** What a look at the gate has done to the line. */
export interface Advance<Request extends Waiting = Waiting> {
  readonly line: WaitingLine<Request>
  readonly record: GateRecord
  /** Those who may leave now. */
  readonly admitted: readonly Request[]
  /** Those who would wait past their deadline, and from when on there would be hope (epoch ms). */
  readonly rejected: readonly { readonly request: Request; readonly retryAt: number }[]
  /** Those who go on waiting, and until when at least (epoch ms); `now` where they wait for answers. */
  readonly notBefore: ReadonlyMap<string, number>
  /** When to look again if nothing happens earlier (epoch ms); infinite for an empty line. */
  readonly wakeAt: number
}

type Refusal = Extract<Admission, { admitted: false }>

/** Lets through as many as the gate admits now, in order. */
export function advance<Request extends Waiting>(
  line: WaitingLine<Request>,
  stored: GateRecord,
  now: number,
  pace: Pace,
): Advance<Request> {
  let record = stored
  const refusals = new Map<Priority, Refusal>()
  const admitted: Request[] = []
  const rejected: { request: Request; retryAt: number }[] = []
  const staying: Request[] = []
  const notBefore = new Map<string, number>()
  let wakeAt = Number.POSITIVE_INFINITY

  for (const request of line) {
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
  return { line: staying, record, admitted, rejected, notBefore, wakeAt }
}

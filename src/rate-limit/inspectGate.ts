import type { Clock } from '../base/Clock.ts'
import type { GateRecord } from './GateRecord.ts'
import type { Priority, RefusalReason } from './gate.ts'
import type { DrainResult } from './drain.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'

/** The knowledge of the gate of a key, and the requests that wait at it: plain data without the key, for display and for bug reports. */
export interface GateInspection {
  /** When it was made, in epoch ms. */
  readonly at: number
  /** All that is known about the quota, with what the gate decides now. Its fields may change with any release. */
  readonly record: GateRecord
  /** Names this page or worker in the record, as the `owner` of what it does; `undefined` where others cannot know it. */
  readonly owner: string | undefined
  /** The calls of this page or process that wait, in the order in which they leave. */
  readonly waiting: readonly WaitingCall[]
}

/** A call that waits at the gate. */
export interface WaitingCall {
  /** As in its events. */
  readonly callId: string
  /** Name of the operation. */
  readonly operation: string
  /** That of the most urgent caller. */
  readonly priority: Priority
  /** Since when it waits, in epoch ms. */
  readonly queuedAt: number
  /** The call rejects if it cannot leave by this time, in epoch ms. */
  readonly deadline: number
  /** Why it has not left. */
  readonly reason: HoldReason
  /** The earliest time at which it may leave, in epoch ms; not after `at` if it waits for responses, tabs or the store. */
  readonly retryAt: number
}

/**
 * Why the gate holds a call back. `other-tabs`: it is the turn of other tabs or processes. `address`: the service has asked
 * to leave its address alone. `store`: it may leave, and waits until its unit is stored.
 */
export type HoldReason = RefusalReason | 'other-tabs' | 'address' | 'store'

/** A request that can be told from others. */
type InspectableRequest = QueuedRequest & Pick<WaitingCall, 'callId' | 'operation'>

interface InspectGateOptions<Request extends InspectableRequest> {
  readonly clock: Clock
  readonly queue: RequestQueue<Request>
  /** Returns what the gate would decide. */
  readonly preview: (record: GateRecord, now: number) => DrainResult<Request>
  /** The newest known record, with the changes that are not stored yet. */
  readonly record: GateRecord
  readonly owner: string | undefined
}

/** Asks the gate what it would decide now: no reason is shown that is not the gate's own. Changes nothing. */
export function inspectGate<Request extends InspectableRequest>(options: InspectGateOptions<Request>): GateInspection {
  const { clock, queue, preview, owner } = options
  const at = clock.now()
  const { record, admitted, refusals } = preview(options.record, at)
  const leaving = new Set(admitted)
  const toEpoch = (time: number) => time - clock.monotonic() + at

  function describe(request: Request): WaitingCall {
    const { id, callId, operation, priority, enteredAt, deadline } = request
    const parked = queue.parked.get(id)
    const refusal = leaving.has(request) ? undefined : refusals.get(priority)
    return {
      callId,
      operation,
      priority,
      queuedAt: toEpoch(enteredAt),
      deadline: toEpoch(deadline),
      reason: parked ? 'address' : (refusal?.reason ?? 'store'),
      retryAt: parked?.until ?? refusal?.notBefore ?? at,
    }
  }

  const parked = [...queue.parked.values()].map(({ request }) => request)
  const waiting = [...queue.user.byOrder(), ...queue.background.byOrder(), ...parked].map(describe)
  return { at, record, owner, waiting }
}

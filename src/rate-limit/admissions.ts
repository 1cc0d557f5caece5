import type { DrainResult, RejectedRequest } from './drain.ts'
import type { StoreClock } from './fleet/FleetStore.ts'
import type { GateRecord } from './GateRecord.ts'
import { removeInFlight } from './windows.ts'
import type { PageGate } from './pageGate.ts'
import type { Permit } from './Permit.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import type { SentRequests } from './sentRequests.ts'
import type { UpdateBatcher } from './updateBatcher.ts'
import type { Wait } from './Wait.ts'

/** A request whose wait the gate can end, in one of two ways. Times are epoch ms of this machine's clock. */
export interface AdmissibleRequest extends QueuedRequest {
  readonly permit: (permit: Permit) => void
  readonly reject: (rejected: Rejection) => void
  readonly onWait?: ((wait: Wait) => void) | undefined
}

type Rejection = Omit<RejectedRequest<unknown>, 'request'>

/** Makes what the gate decides happen. */
export interface Admissions<Request extends AdmissibleRequest> {
  /** @param decidedAt - epoch ms */
  readonly apply: (result: DrainResult<Request>, decidedAt: number) => void
  /** Admits the queue by units that the process holds, without asking the store. Returns whether it did. */
  readonly admitAlone: () => boolean
}

export interface AdmissionsOptions<Request extends AdmissibleRequest> {
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

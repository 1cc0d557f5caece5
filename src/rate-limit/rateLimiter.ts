import { type Clock, createWakeTimer } from '../base/Clock.ts'
import { coalesce } from '../base/listeners.ts'
import { type DrainResult, isOverdue } from './drain.ts'
import { endPause, heldAddress } from './failures.ts'
import { emptyRecord, type GateRecord, rebaseAfterClockRollback } from './GateRecord.ts'
import { type GateResponse, recordResponse } from './gate.ts'
import { type GateInspection, inspectGate } from './inspectGate.ts'
import { createPageGate, createSteadyGate, fleetOf, type PageGate, type PageGateOptions } from './pageGate.ts'
import {
  createPendingRequest,
  createSentRequests,
  createWaitNotifier,
  endWait,
  type EnterRequest,
  MaxWaitExceeded,
  type PendingRequest,
  type Permit,
} from './pendingRequest.ts'
import type { CustomRate } from './plan.ts'
import { createObservableState, type RateLimitState } from './rateLimitState.ts'
import { createStoreClock, type RateLimitStore, type StoreClock } from './RateLimitStore.ts'
import { createRequestQueue, type RequestQueue } from './requestQueue.ts'
import { createGoneFinder, presenceOf, watchPageLifecycle } from './stores/presence.ts'
import { createRecordReplica, type RecordReplica, type RecordUpdate } from './stores/recordReplica.ts'
import type { StoreStatus } from './stores/fallbackStore.ts'
import { expireOwners, otherOwners, removeInFlight } from './windows.ts'

/** The gate of one API key, with the queue and the timer of the requests that wait at it. */
export interface RateLimiter {
  /**
   * Resolves when the request may leave; it then has to leave at once. Rejects with `MaxWaitExceeded`, or with the
   * signal's reason.
   */
  readonly enter: (request: EnterRequest) => Promise<Permit>
  /** Gives a queued background request the priority of a user's. */
  readonly prioritize: (id: string) => void
  readonly getSnapshot: () => RateLimitState
  /** When a request to an address may leave next, as far as this page knows (epoch ms). */
  readonly retryAt: (address: string) => number
  /** Calls `listener` when the snapshot has changed, also by time or by another tab. */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns what the gate knows, and why each request waits. Times are by the clock of the store. */
  readonly inspect: () => GateInspection
  /** Forgets everything but the requests in flight, cool-downs included. */
  readonly reset: () => Promise<void>
}

export interface RateLimiterOptions {
  readonly name: string
  readonly store: RateLimitStore
  readonly pace: CustomRate
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
  /** Called when the store fails, and when it works again. */
  readonly onStoreStatus?: ((status: StoreStatus) => void) | undefined
  /** Creates the queue. Default: requests of one priority leave by their `order`. */
  readonly createQueue?: CreateQueue | undefined
  /** The API key, for `createQueue` alone. */
  readonly key?: string | undefined
}

export type CreateQueue = (context: QueueContext) => RequestQueue<PendingRequest>

/** The facts by which a queue may decide whose request leaves next. */
export interface QueueContext {
  readonly key?: string | undefined
  readonly clock: StoreClock
  readonly pace: CustomRate
  /** Returns the copy of the record. A flush tells the other processes of a fleet whose requests the queue serves. */
  readonly record: () => Pick<RecordReplica, 'latest' | 'flush'>
}

/** An older admission is checked again before the request leaves: the machine may have slept. In ms. */
const admissionLifetime = 1_000

/**
 * Drives the pure gate and the queue, with the one timer that wakes them.
 *
 * | State | What goes on | Ends |
 * | --- | --- | --- |
 * | closed | Nothing waits, is in flight or subscribes: no timer, no listener | `update` opens it |
 * | updating | The replica makes changes and decides in the store, again while more changes come. `settle` carries each decision out | `evaluate`, when no change is left |
 * | waiting | Requests wait, or subscribers for the next change of the state: the timer is set | the timer, another tab, a response or an aborted request: `evaluate` |
 *
 * `evaluate` decides without the store. It goes to updating only where an update settles a request, and else to waiting,
 * or to closed.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { pace, random, createQueue = createRequestQueue<PendingRequest> } = options
  const fleet = fleetOf(options.store)
  const presence = presenceOf(options.store)
  const clock = fleet?.createClock(options.clock) ?? createStoreClock(options.store, options.clock)
  const queue = createQueue({ ...options, clock, record: () => replica })
  const sent = createSentRequests(report, clock)
  const gateOptions = { ...options, clock, queue, sent, isCutOff: () => replica.isCutOff, owner: () => presence?.id }
  const gate = fleet?.createGate(gateOptions) ?? gateOfPage(gateOptions, options.store)
  const replica: RecordReplica = createRecordReplica({
    ...options,
    clock,
    fleet,
    decide: gate.decide,
    onDecision: settle,
    onIdle: evaluate,
  })
  const state = createObservableState(() => replica.latest, clock, pace)
  const timer = createWakeTimer(clock, evaluate)
  const evaluateSoon = coalesce(evaluate)
  const notifyOfWaits = createWaitNotifier(queue, clock)
  // Pages that were closed, or have crashed, hold nobody up.
  const findGone = createGoneFinder(presence, clock, (gone) => {
    void update((record, now) => expireOwners(record, gone, now, pace))
  })
  /** Defined unless the limiter is closed. */
  let close: (() => void) | undefined

  function open(): () => void {
    const closeReplica = replica.open(evaluate)
    const stopWatching = watchPageLifecycle({
      onWake: () => {
        presence?.enter()
        evaluate()
      },
      onOnline: () => void update(endPause),
      onHide: () => {
        sent.giveUp()
        presence?.leave()
      },
    })
    presence?.enter()
    return () => {
      timer.cancel()
      closeReplica()
      stopWatching()
    }
  }

  function update(change?: RecordUpdate): Promise<void> {
    close ??= open()
    return replica.flush(change)
  }

  async function report(ended: Omit<GateResponse, 'jitter'>): Promise<void> {
    const response = { ...ended, jitter: random() }
    const now = clock.now()
    const ms = gate.fleet?.gatherTimeOf(replica.stored, replica.latest, ended, now) ?? 0
    const { dueAt } = replica
    const isGathered = replica.gather((record, at) => recordResponse(record, response, at, pace), ms)
    // A refusal is shown at once: a store may be slow.
    if (state.hasSubscribers && closedUntil(replica.latest) > now) state.publish()
    if (!isGathered) await update()
    else if (replica.dueAt < dueAt) evaluateSoon()
  }

  /** Makes happen what the gate has decided. */
  function settle(result: DrainResult<PendingRequest>, decidedAt: number): void {
    const now = clock.now()
    const { latest } = replica
    const isStale = now - decidedAt > admissionLifetime
    const batch = gate.join(result)
    // The newest known record alone is checked: with a store that is always slow, no admission would be young enough.
    const isHeld = !isStale || (latest.inFlight[batch]?.until ?? now) > now
    // A refusal that came in since the decision closes the gate before the store knows it. Others have to be decided once
    // more at their place in the queue.
    const isWithdrawn = latest.cooldownUntil > now || !isHeld || gate.fleet?.isCutOff(result)
    const permitted = isWithdrawn ? [] : result.admitted.filter((request) => waitsStill(queue, request, clock))
    for (const request of permitted) {
      const { address, isRetry, permit } = request
      dequeue(queue, request)
      const { lostUnits: lostUnitsBefore } = result.record
      const release = sent.track({ batch, address, isRetry, sentAt: decidedAt, lostUnitsBefore })
      permit({ sentAt: clock.toLocal(isStale ? now : decidedAt), release, isLast: gate.fleet?.mayExit })
    }
    gate.fleet?.count(permitted.length)
    const withdrawn = result.admitted.length - permitted.length
    if (withdrawn > 0) void update((record) => removeInFlight(record, batch, withdrawn))
    for (const { request, retryAt, ...reason } of result.rejected) {
      dequeue(queue, request)
      request.reject(new MaxWaitExceeded({ ...reason, retryAt: clock.toLocal(retryAt) }))
    }
    for (const { request, until } of result.held) {
      queue.park(request.id, until)
      request.onWait?.({ until: clock.toLocal(until), reason: 'service', isEarliest: true })
    }
  }

  /** Runs when time has passed or the record has changed. Updates the store only if that settles a request. */
  function evaluate(): void {
    if (replica.isFlushing) return // it evaluates when it is done
    const now = clock.now()
    const { latest } = replica
    // Parked requests are looked at again when their time has come, or has moved.
    queue.unpark(({ request: { address }, until }) => heldAddress(latest, address, now)?.retryAt !== until)
    const { record, admitted, rejected, held, refusals, wakeAt } = gate.preview(latest, now)
    // After a clock rollback, waits end only if the repaired record is stored.
    const isRepaired = rebaseAfterClockRollback(replica.stored, now) !== replica.stored
    const isChanged = record.waiting !== latest.waiting || record.cooldownUntil !== latest.cooldownUntil
    const dueAt = updateDueAt(now)
    if (dueAt <= now || admitted.length + rejected.length + held.length > 0 || isRepaired || isChanged) void update()
    else {
      const tellAt = notifyOfWaits(refusals, now)
      timer.set(Math.min(wakeAt, dueAt, tellAt, queue.nextUnparkAt, state.nextChange()))
      if (refusals.size > 0) findGone(otherOwners(latest, presence?.id))
    }
    if (state.hasSubscribers) state.publish()
    closeIfIdle()
  }

  /** When the store has to be updated even if no request waits (epoch ms). */
  const updateDueAt = (now: number) => gate.fleet?.updateAt(replica.dueAt, now) ?? replica.dueAt

  function closeIfIdle(): void {
    if (updateDueAt(clock.now()) < Infinity) return
    if (replica.isFlushing || !queue.isEmpty || sent.count > 0 || state.hasSubscribers) return
    close?.()
    close = undefined
  }

  return {
    enter: (request) =>
      new Promise((permit, reject) => {
        if (request.signal.aborted) return reject(request.signal.reason)
        gate.enter(request.id)
        const abort = () => {
          reject(request.signal.reason)
          queue.remove(request.id)
          evaluateSoon() // thousands of requests may be aborted at once
        }
        const holdFor = fleet?.leaseTime ?? request.holdFor
        queue.enqueue(createPendingRequest(request, clock, { permit, reject, abort, holdFor }))
        const now = clock.now()
        // In a fleet, by units that the process holds: without asking the store.
        const decided = gate.fleet?.decideAlone(replica.latest, now)
        if (decided) settle(decided, now)
        else void update()
      }),
    prioritize: (id) => {
      queue.prioritize(id)
      void update()
    },
    getSnapshot: state.getSnapshot,
    retryAt: (address) => {
      const now = clock.now()
      const { latest } = replica
      return clock.toLocal(Math.max(latest.cooldownUntil, heldAddress(latest, address, now)?.retryAt ?? 0, now))
    },
    subscribe: (listener) => {
      const unsubscribe = state.subscribe(listener)
      void update()
      return () => {
        unsubscribe()
        closeIfIdle()
      }
    },
    inspect: () => inspectGate({ clock, queue, preview: gate.preview, record: replica.latest, owner: presence?.id }),
    reset: () => update(resetRecord),
  }
}

/** Whether a request was not aborted and is not overdue. */
function waitsStill(queue: RequestQueue<PendingRequest>, request: PendingRequest, { monotonic }: Clock): boolean {
  return queue.get(request.id) !== undefined && !isOverdue(request, monotonic())
}

/** Ends the wait of a request that leaves or is refused. */
function dequeue(queue: RequestQueue<PendingRequest>, request: PendingRequest): void {
  queue.remove(request.id)
  endWait(request)
}

/** Nobody sets the clock of a store. */
function gateOfPage(options: PageGateOptions<PendingRequest>, store: RateLimitStore): PageGate<PendingRequest> {
  const gate = createPageGate(options)
  return store.now ? gate : createSteadyGate(gate, options.clock)
}

/** Until when nothing may leave, as the record says by itself (epoch ms). */
function closedUntil({ cooldownUntil, failures }: GateRecord): number {
  return Math.max(cooldownUntil, failures.pauseUntil)
}

function resetRecord({ inFlight, lostUnits }: GateRecord, now: number): GateRecord {
  return { ...emptyRecord, updatedAt: now, clearedAt: now, inFlight, lostUnits }
}

import { type AdmissibleRequest, createAdmissions } from './admissions.ts'
import { type Clock, createWakeTimer } from '../base/Clock.ts'
import { coalesce } from '../base/listeners.ts'
import { createConnection } from './connection.ts'
import type { RejectedRequest } from './drain.ts'
import { endPause, heldAddress } from './failures.ts'
import { fleetOf, type StoreClock } from './fleet/FleetStore.ts'
import { emptyRecord, type GateRecord } from './GateRecord.ts'
import { type Priority, recordResponse } from './gate.ts'
import { createObservableState } from './observableState.ts'
import { type GateInspection, type InspectableRequest, inspectGate } from './inspectGate.ts'
import { createPageGate } from './pageGate.ts'
import { watchPageLifecycle } from './pageLifecycle.ts'
import type { Permit } from './Permit.ts'
import type { CustomRate } from './plan.ts'
import type { RateLimitState } from './rateLimitState.ts'
import type { RateLimitStore } from './RateLimitStore.ts'
import { createRequestQueue, type RequestQueue } from './requestQueue.ts'
import { createSentRequests } from './sentRequests.ts'
import { expireOwners, otherOwners } from './expire.ts'
import { createGoneFinder, presenceOf } from './stores/presence.ts'
import { rebaseAfterClockRollback } from './rebaseAfterClockRollback.ts'
import { createSteadyGate } from './steadyGate.ts'
import { createStoreClock } from './storeClock.ts'
import { createFallbackStore } from './stores/fallbackStore.ts'
import type { StoreStatus } from './stores/storeOutage.ts'
import { createUpdateBatcher, type RecordUpdate } from './updateBatcher.ts'
import { createWaitNotifier, type NotifiedRequest } from './waitNotifier.ts'
import type { Wait, WaitReason } from './Wait.ts'

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

export interface EnterRequest {
  /** Unique in all tabs. */
  readonly id: string
  /** What it asks for, as a short text that names no address. Requests to one address fail together. */
  readonly address: string
  /** Whether the call has sent a request before. */
  readonly isRetry: boolean
  /** The call that it belongs to, and the name of its operation. */
  readonly callId: string
  readonly operation: string
  /** Whose request it is, where the queue tells users apart. */
  readonly user?: string | undefined
  readonly priority: Priority
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly order: number
  /** The latest time at which it may leave (epoch ms). It does not move when the clock is set. */
  readonly deadline: number
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
  readonly signal: AbortSignal
  /** Called when the request has to wait, and again when its time or reason changes. */
  readonly onWait?: (wait: Wait) => void
}

/** The request would wait past its deadline. Apps never see it: the client rejects with its own error instead. */
export class MaxWaitExceeded extends Error {
  /** When a retry may succeed, at the earliest (epoch ms). */
  readonly retryAt: number
  readonly reason: WaitReason
  /** The status of the last failure, where failures are the reason; 0 if it had no response. */
  readonly failedStatus: number

  constructor({ retryAt, reason, failedStatus }: Omit<RejectedRequest<unknown>, 'request'>) {
    super()
    this.retryAt = retryAt
    this.reason = reason
    this.failedStatus = failedStatus
  }
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

/** What a queue may look at to decide whose request leaves next. */
export interface QueueContext {
  readonly key?: string | undefined
  readonly clock: StoreClock
  readonly pace: CustomRate
  /** Returns the newest record that is known. */
  readonly latest: () => GateRecord
}

/** A queued request. */
export interface PendingRequest extends NotifiedRequest, AdmissibleRequest, InspectableRequest {
  readonly user?: string | undefined
  readonly onWait: (wait: Wait) => void
  /** Ends the wait with a permit, or with a promise that rejects: a queue may have errors of its own. */
  readonly permit: (permit: Permit | Promise<never>) => void
}

/** Drives the pure gate and queue: holds the queue, and the one timer that wakes it. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { name, pace, random } = options
  const fleet = fleetOf(options.store)
  const clock = fleet?.createClock(options.clock) ?? createStoreClock(options.store, options.clock)
  const store = createFallbackStore(options.store, name, clock, options.onStoreStatus)
  const readLatest = () => store.latest
  const state = createObservableState(readLatest, clock, pace)
  const timer = createWakeTimer(clock, evaluate)
  const sent = createSentRequests((ended) => {
    const response = { ...ended, jitter: random() }
    const change: RecordUpdate = (record, now) => recordResponse(record, response, now, pace)
    const now = clock.now()
    const { latest } = store
    const ms = gate.fleet?.gatherTimeOf(latest, batcher.withPending(latest, now), ended, now) ?? 0
    const { dueAt } = batcher
    if (!batcher.gather(change, ms)) return batcher.flush()
    if (batcher.dueAt < dueAt) evaluateSoon()
    return Promise.resolve()
  }, clock)
  const queue = (options.createQueue ?? createRequestQueue)({ ...options, clock, latest: readLatest })
  const notifyOfWaits = createWaitNotifier(queue, clock)
  const isCutOff = () => store.isCutOff
  const presence = presenceOf(options.store)
  const owner = () => presence?.id
  // Pages that were closed, or have crashed, hold nobody up.
  const findGone = createGoneFinder(presence, clock, (gone) => {
    void batcher.flush((record, now) => expireOwners(record, gone, now, pace))
  })
  const gateOptions = { name, clock, pace, queue, sent, isCutOff, owner }
  const pageGate = () => createPageGate(gateOptions)
  // Nobody sets the clock of a store.
  const gate = fleet?.createGate(gateOptions) ?? (options.store.now ? pageGate() : createSteadyGate(pageGate(), clock))
  const batcher = createUpdateBatcher({
    update: (change) => {
      connection.open()
      return store.update(change)
    },
    clock,
    decide: gate.decide,
    onDecision: (result, decidedAt) => admissions.apply(result, decidedAt),
    onIdle: evaluate,
  })
  const admissions = createAdmissions({ clock, queue, gate, sent, batcher, latest: readLatest })
  const lease = fleet && { holdFor: fleet.leaseTime }
  const evaluateSoon = coalesce(evaluate)
  const connection = createConnection(() => {
    const closeStore = store.open(evaluate)
    const stopWatching = watchPageLifecycle({
      onWake: () => {
        presence?.enter()
        evaluate()
      },
      onOnline: () => void batcher.flush(endPause),
      onHide: () => {
        sent.giveUp()
        presence?.leave()
      },
    })
    presence?.enter()
    return () => {
      closeStore()
      stopWatching()
    }
  })

  /** Runs when time has passed or the record has changed. Updates the store only if that settles a request. */
  function evaluate(): void {
    if (batcher.isFlushing) return // it evaluates when it is done
    const now = clock.now()
    const { latest } = store
    unpark(latest, now)
    const { record, admitted, rejected, held, refusals, wakeAt } = gate.preview(latest, now)
    // After a clock rollback, waits end only if the repaired record is stored.
    const isRepaired = rebaseAfterClockRollback(latest, now) !== latest
    const isChanged = record.waiting !== latest.waiting || record.cooldownUntil !== latest.cooldownUntil
    const dueAt = updateDueAt(now)
    if (dueAt <= now || admitted.length > 0 || rejected.length > 0 || held.length > 0 || isRepaired || isChanged)
      void batcher.flush()
    else {
      const tellAt = notifyOfWaits(refusals, now)
      timer.set(Math.min(wakeAt, dueAt, tellAt, queue.nextUnparkAt, state.nextChange()))
      if (refusals.size > 0) findGone(otherOwners(latest, presence?.id))
    }
    state.publish()
    disconnectIfIdle()
  }

  /** Parked requests are looked at again when their time has come, or has moved. */
  function unpark(record: GateRecord, now: number): void {
    queue.unpark(({ request: { address }, until }) => heldAddress(record, address, now)?.retryAt !== until)
  }

  /** When the store has to be updated even if no request waits (epoch ms). */
  function updateDueAt(now: number): number {
    return Math.min(batcher.dueAt, gate.fleet?.updateAt(now) ?? Infinity)
  }

  function disconnectIfIdle(): void {
    if (updateDueAt(clock.now()) < Infinity) return
    if (batcher.isFlushing || !queue.isEmpty || sent.count > 0 || state.hasSubscribers) return
    timer.cancel()
    connection.close()
  }

  function leave(id: string): void {
    queue.remove(id)
    evaluateSoon() // thousands of requests may be aborted at once
  }

  return {
    enter: (request) =>
      new Promise((resolve, reject) => {
        if (request.signal.aborted) return reject(request.signal.reason)
        gate.enter(request.id)
        queue.enqueue(createPendingRequest({ ...request, ...lease }, clock, { resolve, reject, leave }))
        if (!admissions.admitAlone()) void batcher.flush()
      }),
    prioritize: (id) => {
      queue.prioritize(id)
      void batcher.flush()
    },
    getSnapshot: state.getSnapshot,
    retryAt: (address) => {
      const now = clock.now()
      const record = batcher.withPending(store.latest, now)
      return clock.toLocal(Math.max(record.cooldownUntil, heldAddress(record, address, now)?.retryAt ?? 0, now))
    },
    subscribe: (listener) => {
      const unsubscribe = state.subscribe(listener)
      void batcher.flush()
      return () => {
        unsubscribe()
        disconnectIfIdle()
      }
    },
    inspect: () => inspectGate({ clock, queue, gate, record: batcher.withPending(store.latest, clock.now()) }),
    reset: () => batcher.flush(resetRecord),
  }
}

function resetRecord({ inFlight, lostUnits }: GateRecord, now: number): GateRecord {
  return { ...emptyRecord, updatedAt: now, clearedAt: now, inFlight, lostUnits }
}

interface Settlers {
  readonly resolve: (permit: Permit | Promise<never>) => void
  readonly reject: (reason: unknown) => void
  /** Called when the request is aborted. */
  readonly leave: (id: string) => void
}

function createPendingRequest(
  { signal, onWait, ...request }: EnterRequest,
  clock: StoreClock,
  { resolve, reject, leave }: Settlers,
): PendingRequest {
  const abort = () => {
    reject(signal.reason)
    leave(request.id)
  }
  signal.addEventListener('abort', abort, { once: true })
  return {
    ...request,
    enteredAt: clock.monotonic(),
    deadline: request.deadline - clock.toLocal(clock.now()) + clock.monotonic(),
    onWait: (wait) => onWait?.({ ...wait, until: clock.toLocal(wait.until) }),
    told: undefined,
    permit: (permit) => {
      signal.removeEventListener('abort', abort)
      resolve(permit)
    },
    reject: (rejection) => {
      signal.removeEventListener('abort', abort)
      reject(new MaxWaitExceeded(rejection))
    },
  }
}

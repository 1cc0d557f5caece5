import type { Clock } from './Clock.ts'
import { coalesce } from './coalesce.ts'
import { createConnection } from './connection.ts'
import { type DrainResult, drain } from './drain.ts'
import { createDrainContext } from './drainContext.ts'
import { emptyRecord, type GateRecord } from './GateRecord.ts'
import { type Priority, recordResponse } from './gate.ts'
import { removeInFlight } from './inFlight.ts'
import { createObservableState } from './observableState.ts'
import { watchPageLifecycle } from './pageLifecycle.ts'
import type { CustomRate } from './plan.ts'
import type { RateLimitState } from './rateLimitState.ts'
import type { RateLimitStore } from './RateLimitStore.ts'
import { createRequestQueue } from './requestQueue.ts'
import { createSentRequests, type Release } from './sentRequests.ts'
import { rebaseAfterClockRollback } from './rebaseAfterClockRollback.ts'
import { createFallbackStore } from './stores/fallbackStore.ts'
import { createUpdateBatcher } from './updateBatcher.ts'
import { createWaitNotifier, type NotifiedRequest } from './waitNotifier.ts'
import { createWakeTimer } from './wakeTimer.ts'

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
  /** When a request may leave next, as far as this page knows (epoch ms). */
  readonly retryAt: () => number
  /** Calls `listener` when the snapshot has changed, also by time or by another tab. */
  readonly subscribe: (listener: () => void) => () => void
  /** Forgets everything but the requests in flight, cool-downs included. */
  readonly reset: () => Promise<void>
}

export interface EnterRequest {
  /** Unique in all tabs. */
  readonly id: string
  readonly priority: Priority
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly order: number
  /** The latest time at which it may leave (epoch ms). It does not move when the clock is set. */
  readonly deadline: number
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
  readonly signal: AbortSignal
  /** Called when the request has to wait until a time (epoch ms), and again when it has to wait longer. */
  readonly onWait?: (until: number) => void
}

/** Allows one request to leave. */
export interface Permit {
  /** Epoch ms. */
  readonly sentAt: number
  /**
   * Call it once, when the request has ended: with what its response says, or with nothing if it failed without one.
   * Resolves when the gate has recorded it.
   */
  readonly release: Release
}

/** The request would wait past its deadline. */
export class MaxWaitExceeded extends Error {
  override readonly name = 'MaxWaitExceeded'
  /** When a retry may succeed, at the earliest (epoch ms). */
  readonly retryAt: number

  constructor(retryAt: number) {
    super('The wait would be too long.')
    this.retryAt = retryAt
  }
}

export interface RateLimiterOptions {
  readonly name: string
  readonly store: RateLimitStore
  readonly pace: CustomRate
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
  readonly warn: (message: string) => void
}

/** An older admission is checked again before the request leaves: the machine may have slept. In ms. */
const admissionLifetime = 1_000

interface PendingRequest extends NotifiedRequest {
  /** Called once, with the permit or the reason why there is none. */
  readonly settle: (outcome: Permit | MaxWaitExceeded) => void
}

/** Drives the pure gate and queue: holds the queue, and the one timer that wakes it. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { pace, clock, random } = options
  const store = createFallbackStore(options.store, options.name, clock, options.warn)
  const state = createObservableState(() => store.latest, clock, pace)
  const timer = createWakeTimer(clock, evaluate)
  const sent = createSentRequests((ended) => {
    const response = { ...ended, jitter: random() }
    return batcher.flush((record, now) => recordResponse(record, response, now, pace))
  }, clock)
  const batcher = createUpdateBatcher({
    update: (change) => {
      connection.open()
      return store.update(change)
    },
    clock,
    // An empty queue changes no record, but a clock that was set back has to.
    decide: (record, now) => drain(queue, rebaseAfterClockRollback(record, now), context.at(now)),
    onDecision: apply,
    onIdle: evaluate,
  })
  const queue = createRequestQueue<PendingRequest>()
  const notifyOfWaits = createWaitNotifier(queue)
  const context = createDrainContext(clock, pace, () => sent.count)
  const evaluateSoon = coalesce(evaluate)
  const connection = createConnection(() => {
    const closeStore = store.open(evaluate)
    const stopWatching = watchPageLifecycle({ onWake: evaluate, onHide: sent.giveUp })
    return () => {
      closeStore()
      stopWatching()
    }
  })

  function apply(result: DrainResult<PendingRequest>, decidedAt: number): void {
    const now = clock.now()
    const isStale = now - decidedAt > admissionLifetime
    const batch = context.join(result.batch)
    // A refusal that came in since the decision closes the gate before the store knows it.
    const isClosed = batcher.withPending(store.latest, now).cooldownUntil > now
    const isWithdrawn = isClosed || (isStale && !isInFlight(store.latest, batch, now))
    // Others were aborted meanwhile, or have to be decided once more at their place in the queue.
    const permitted = isWithdrawn ? [] : result.admitted.filter(({ id }) => queue.get(id))
    for (const { id, settle } of permitted) {
      queue.remove(id)
      const release = sent.track({ batch, sentAt: decidedAt, lostUnitsBefore: result.record.lostUnits })
      settle({ sentAt: isStale ? now : decidedAt, release })
    }
    const withdrawn = result.admitted.length - permitted.length
    if (withdrawn > 0) void batcher.flush((record) => removeInFlight(record, batch, withdrawn))
    for (const { request, retryAt } of result.rejected) {
      queue.remove(request.id)
      request.settle(new MaxWaitExceeded(retryAt))
    }
  }

  /** Runs when time has passed or the record has changed. Updates the store only if that settles a request. */
  function evaluate(): void {
    if (batcher.isFlushing) return // it evaluates when it is done
    const now = clock.now()
    const { latest } = store
    const { record, admitted, rejected, notBefore, wakeAt } = drain(queue, latest, context.at(now))
    // After a clock rollback, waits end only if the repaired record is stored.
    const isRepaired = rebaseAfterClockRollback(latest, now) !== latest
    const isChanged = record.waiting !== latest.waiting
    if (admitted.length > 0 || rejected.length > 0 || isRepaired || isChanged) void batcher.flush()
    else {
      timer.set(Math.min(wakeAt, state.nextChange()))
      notifyOfWaits(notBefore, now)
    }
    state.publish()
    disconnectIfIdle()
  }

  function disconnectIfIdle(): void {
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
        context.enter(request.id)
        queue.enqueue(createPendingRequest(request, clock, { resolve, reject, leave }))
        void batcher.flush()
      }),
    prioritize: (id) => {
      queue.prioritize(id)
      void batcher.flush()
    },
    getSnapshot: state.getSnapshot,
    retryAt: () => Math.max(store.latest.cooldownUntil, clock.now()),
    subscribe: (listener) => {
      const unsubscribe = state.subscribe(listener)
      void batcher.flush()
      return () => {
        unsubscribe()
        disconnectIfIdle()
      }
    },
    reset: () => batcher.flush(resetRecord),
  }
}

function resetRecord({ inFlight, lostUnits }: GateRecord, now: number): GateRecord {
  return { ...emptyRecord, updatedAt: now, clearedAt: now, inFlight, lostUnits }
}

interface Settlers {
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
  /** Called when the request is aborted. */
  readonly leave: (id: string) => void
}

function createPendingRequest(
  { signal, onWait, ...request }: EnterRequest,
  clock: Clock,
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
    deadline: request.deadline - clock.now() + clock.monotonic(),
    onWait,
    waitsUntil: 0,
    settle: (outcome) => {
      signal.removeEventListener('abort', abort)
      if (outcome instanceof MaxWaitExceeded) reject(outcome)
      else resolve(outcome)
    },
  }
}

/** Checks the newest known record alone: with a store that is always slow, no admission would be young enough. */
function isInFlight({ inFlight }: GateRecord, batch: string, now: number): boolean {
  return (inFlight[batch]?.until ?? now) > now
}

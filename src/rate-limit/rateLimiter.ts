import type { Clock } from './Clock.ts'
import { emptyRecord, type GateRecord, withdraw } from './GateRecord.ts'
import { type GateResponse, recordResponse, type Priority } from './gate.ts'
import type { Pace } from './plan.ts'
import { createListeners } from './listeners.ts'
import { isSameState, nextStateChange, type RateLimitState, rateLimitState } from './rateLimitState.ts'
import type { RateLimitStore } from './RateLimitStore.ts'
import { createFallbackStore } from './stores/fallbackStore.ts'
import {
  type DrainResult,
  drain,
  enqueue,
  remove,
  prioritize,
  type QueuedRequest,
  type RequestQueue,
} from './requestQueue.ts'

/** The gate of one API key, with the timers that it takes to wait at it. */
export interface RateLimiter {
  /**
   * Waits until a request may leave, which it then must at once. Rejects with `MaxWaitExceeded`, or with the signal's
   * reason.
   */
  readonly enter: (request: EnterRequest) => Promise<Permit>
  /** A person has come to wait for a request that entered as background work. */
  readonly prioritize: (id: string) => void
  readonly getSnapshot: () => RateLimitState
  /** From when on a request may leave again, as far as is known now (epoch ms). */
  readonly retryAt: () => number
  /** Calls `listener` whenever the snapshot has changed, also by time or by another tab. */
  readonly subscribe: (listener: () => void) => () => void
  /** Forgets all that is known, cool-downs included. */
  readonly reset: () => Promise<void>
}

export interface EnterRequest {
  /** Unique in all tabs. */
  readonly id: string
  readonly priority: Priority
  /** Place among those of the same priority: the smaller one goes first. */
  readonly order: number
  /** The latest time at which it may leave (epoch ms). */
  readonly deadline: number
  /** How long it counts as under way should nothing more be heard of it, in ms. */
  readonly holdFor: number
  readonly signal: AbortSignal
  /** Told whenever it turns out that the request has to wait until a time (epoch ms), or for longer than thought. */
  readonly onWait?: (until: number) => void
}

/** A request that may leave. */
export interface Permit {
  /** Epoch ms. */
  readonly sentAt: number
  /**
   * Has to be called once, when the request is over: with what its response says, or with nothing if it was lost.
   * Resolves when the gate has taken it in.
   */
  readonly release: (response?: Pick<GateResponse, 'rateLimitHeaders' | 'refused'>) => Promise<void>
}

/** A wait would go on past its deadline. */
export class MaxWaitExceeded extends Error {
  override readonly name = 'MaxWaitExceeded'
  /** From when on there would be hope (epoch ms). */
  readonly retryAt: number

  constructor(retryAt: number) {
    super('The wait would be too long.')
    this.retryAt = retryAt
  }
}

export interface RateLimiterOptions {
  readonly name: string
  readonly store: RateLimitStore
  readonly pace: Pace
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
  readonly warn: (message: string) => void
}

/** An admission is good for that long, in ms, unless it is confirmed: a machine may have slept since. */
const admissionLifetime = 1_000

interface PendingRequest extends QueuedRequest {
  /** Called once, with when it may leave or why it may not. */
  readonly settle: (outcome: number | MaxWaitExceeded) => void
  readonly onWait: ((until: number) => void) | undefined
  waitsUntil: number
}

/** What has happened, and the store does not know yet. */
type Change = (record: GateRecord, now: number) => GateRecord

/**
 * The one place where the gate meets time: every timer and every wait of it is here. What has happened is gathered and
 * taken to the store in one update, round by round, so that many requests at once cost one.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { name, pace, clock, random, warn } = options
  const store = createFallbackStore(options.store, name, clock, warn)
  const listeners = createListeners()
  /** Requests that have left, and how to give them up for lost. */
  const reportsDue = new Set<() => Promise<void>>()
  let queue: RequestQueue<PendingRequest> = []
  let changes: Change[] = []
  let flushing: Promise<void> | undefined
  let isDirty = false
  let cancelTimer = () => {}
  let disconnect: (() => void) | undefined
  let state = rateLimitState(store.latest, clock.now(), pace)

  function flush(change?: Change): Promise<void> {
    if (change) changes.push(change)
    isDirty = true
    // Begins when `round` is set: a store may tell of a change, and so call back, before its update returns.
    flushing ??= Promise.resolve().then(flushLoop)
    return flushing
  }

  async function flushLoop(): Promise<void> {
    try {
      while (isDirty) {
        isDirty = false
        await flushOnce()
      }
    } finally {
      flushing = undefined
    }
    evaluate()
  }

  async function flushOnce(): Promise<void> {
    connect()
    const due = changes
    changes = []
    let result: DrainResult<PendingRequest> | undefined
    let decidedAt = 0
    await store.update((stored) => {
      decidedAt = clock.now()
      const record = due.reduce((changed, change) => change(changed, decidedAt), stored)
      result = drain(queue, record, decidedAt, pace)
      return result.record
    })
    if (result) apply(result, decidedAt)
  }

  function apply({ admitted, rejected, notBefore }: DrainResult<PendingRequest>, decidedAt: number): void {
    const now = clock.now()
    const isStale = now - decidedAt > admissionLifetime
    for (const { id, settle } of admitted) {
      if (isQueued(id) && (!isStale || isStillGood(id, now))) {
        queue = remove(queue, id)
        settle(isStale ? now : decidedAt)
      } else {
        // Nobody waits for it any more, or it has to ask anew, from its place in the line.
        void flush((record) => withdraw(record, id))
      }
    }
    for (const { request, retryAt } of rejected) {
      queue = remove(queue, request.id)
      request.settle(new MaxWaitExceeded(retryAt))
    }
    for (const request of queue) {
      const until = notBefore.get(request.id) ?? 0
      if (until <= request.waitsUntil || until <= decidedAt) continue
      request.waitsUntil = until
      request.onWait?.(until)
    }
  }

  function isQueued(id: string): boolean {
    return queue.some((request) => request.id === id)
  }

  /** By the newest that is known, without the store: were it always slow, no admission would ever come in time. */
  function isStillGood(id: string, now: number): boolean {
    const { cooldownUntil, inFlight } = store.latest
    return cooldownUntil <= now && (inFlight[id]?.until ?? now) > now
  }

  /** Time has passed, or others have changed the record: asks the store only where that could make a difference. */
  function evaluate(): void {
    if (flushing) return // it ends with a look
    const { admitted, rejected, wakeAt } = drain(queue, store.latest, clock.now(), pace)
    if (admitted.length > 0 || rejected.length > 0) void flush()
    else schedule(wakeAt)
    publish()
    disconnectIfIdle()
  }

  function schedule(lineWakes: number): void {
    cancelTimer()
    const now = clock.now()
    const stateChanges = listeners.isEmpty ? Number.POSITIVE_INFINITY : nextStateChange(store.latest, now)
    const next = Math.min(lineWakes, stateChanges)
    if (next === Number.POSITIVE_INFINITY) return
    cancelTimer = clock.wakeAfter(Math.max(next - now, 1), evaluate)
  }

  function publish(): void {
    const next = rateLimitState(store.latest, clock.now(), pace)
    if (isSameState(next, state)) return
    state = next
    listeners.call()
  }

  /** Tabs wake each other through the store; a page that slept, or whose timers were throttled, looks when it is back. */
  function connect(): void {
    if (disconnect) return
    const closeStore = store.open(evaluate)
    const stopListening = listenToPage(evaluate, () => {
      for (const giveUp of [...reportsDue]) void giveUp()
    })
    disconnect = () => {
      closeStore()
      stopListening()
    }
  }

  function disconnectIfIdle(): void {
    if (flushing || queue.length > 0 || reportsDue.size > 0 || !listeners.isEmpty) return
    cancelTimer()
    disconnect?.()
    disconnect = undefined
  }

  function permitFor(id: string, sentAt: number): Permit {
    const report = (rateLimitHeaders: GateResponse['rateLimitHeaders'], refused: boolean) => {
      const response = { id, sentAt, rateLimitHeaders, refused, jitter: random() }
      return flush((record, now) => recordResponse(record, response, now, pace))
    }
    const giveUp = async () => {
      if (reportsDue.delete(giveUp)) await report(undefined, false)
    }
    reportsDue.add(giveUp)
    return {
      sentAt,
      // A response still counts if it comes after all.
      release: (response) => {
        if (!response) return giveUp()
        reportsDue.delete(giveUp)
        return report(response.rateLimitHeaders, response.refused)
      },
    }
  }

  return {
    enter: ({ signal, onWait, ...request }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const { id } = request
        const abort = () => {
          queue = remove(queue, id)
          reject(signal.reason)
          evaluate()
        }
        signal.addEventListener('abort', abort, { once: true })
        queue = enqueue(queue, {
          ...request,
          settle: (outcome) => {
            signal.removeEventListener('abort', abort)
            if (outcome instanceof MaxWaitExceeded) reject(outcome)
            else resolve(permitFor(id, outcome))
          },
          onWait,
          waitsUntil: 0,
        })
        void flush()
      }),
    prioritize: (id) => {
      queue = prioritize(queue, id)
      void flush()
    },
    getSnapshot: () => {
      // With nobody to tell, no timer keeps it up to date.
      if (listeners.isEmpty) publish()
      return state
    },
    retryAt: () => Math.max(store.latest.cooldownUntil, clock.now()),
    subscribe: (listener) => {
      const unsubscribe = listeners.add(listener)
      void flush()
      return () => {
        unsubscribe()
        disconnectIfIdle()
      }
    },
    reset: () => flush(({ inFlight }, now) => ({ ...emptyRecord, updatedAt: now, inFlight })),
  }
}

/** Calls `wake` when a page is back from sleep, background or cache, and `leaving` when it may be about to go. */
function listenToPage(wake: () => void, leaving: () => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const events: readonly (readonly [EventTarget, type: string, listener: () => void])[] = [
    [document, 'visibilitychange', wake],
    [window, 'online', wake],
    [window, 'pageshow', wake],
    [window, 'pagehide', leaving],
  ]
  for (const [target, type, listener] of events) target.addEventListener(type, listener)
  return () => {
    for (const [target, type, listener] of events) target.removeEventListener(type, listener)
  }
}

import { type Clock, createWakeTimer } from '../base/Clock.ts'
import { randomId } from '../base/ids.ts'
import { coalesce } from '../base/listeners.ts'
import { closedBreaker } from './breaker.ts'
import { type GateResponse, recordResponse, turnTime } from './gate.ts'
import { emptyRecord, type GateRecord } from './GateRecord.ts'
import { enterTab, leaveTab, watchPage } from './pages.ts'
import {
  createDepartures,
  type DepartureOptions,
  type EnterRequest,
  MaxWaitExceeded,
  type PendingRequest,
  type Permit,
  waitReasonOf,
} from './pendingRequest.ts'
import type { CustomRate } from './plan.ts'
import { forgetPage, removeInFlight } from './windows.ts'
import { createObservableState, describeWaiting, type GateInspection, type RateLimitState } from './rateLimitState.ts'
import type { RateLimitStore, StoreStatus } from './RateLimitStore.ts'
import { createRequestQueue, decide, type Decision, isOverdue, type Sharing, hasUnknownEnd } from './requestQueue.ts'
import { type Change, createSharedRecord, createSteadyCooldown, type SharedRecord } from './sharedRecord.ts'

/** The gate of one API key, with the queue and the timer of the requests that wait at it. */
export interface RateLimiter {
  /**
   * Resolves when the request may leave; it then has to leave at once. Rejects with `MaxWaitExceeded`, the signal's reason, or
   * as `makeRoom` does.
   */
  readonly enter: (request: EnterRequest) => Promise<Permit>
  /** Gives a queued background request the priority of a user's. */
  readonly prioritize: (request: EnterRequest) => void
  readonly getSnapshot: () => RateLimitState
  /** When a request may leave next, as far as the service has said (epoch ms). */
  readonly retryAt: () => number
  /** Calls `listener` when the snapshot has changed, also by time or by another tab. */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns what the gate knows, and why each request waits. */
  readonly inspect: () => GateInspection
  /** Forgets everything but the requests in flight, cool-downs included. */
  readonly reset: () => Promise<void>
}

export interface RateLimiterOptions extends DepartureOptions {
  readonly name: string
  readonly store: RateLimitStore
  readonly pace: CustomRate
  /** How long a request counts as in flight if its end is never reported, in ms. */
  readonly expiresAfter: number
  /** Default: requests leave in the order of their calls. */
  readonly createSharing?: ((gate: SharedGate) => Sharing) | undefined
  /** Called when the store fails, and when it works again. */
  readonly onStoreStatus?: ((status: StoreStatus) => void) | undefined
}

/** What a `Sharing` may read of the gate. */
export interface SharedGate extends Pick<RateLimiterOptions, 'clock' | 'pace'> {
  /** The newest known record. */
  readonly record: () => GateRecord
  readonly waiting: () => Iterable<PendingRequest>
}

/** A wait whose end nobody knows is told after this time; another wait again only if its end moves by more. In ms. */
const unspokenTime = 1_000

/**
 * Runs the gate with one timer. `evaluate` decides without the store. Only where the decision changes the record, the store is
 * updated: `decide` runs again within the update, and `settle` lets requests leave. The way of a response into the record:
 * `report` of the client → `release` of the permit → `recordEnd` → `update` → `recordResponse`.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { name, store, clock, pace, expiresAfter } = options
  const sharing = options.createSharing?.({ clock, pace, record: () => record.latest, waiting: () => queue.waiting })
  const queue = createRequestQueue(sharing?.rankOf)
  const { waiting } = queue
  const departures = createDepartures(options, recordEnd)
  const steady = createSteadyCooldown(clock)
  /** Names this limiter among the pages of the record. */
  const page = randomId()
  /** Until then this page leaves the turn to others, after its requests have left. In ms of the monotonic clock. */
  let yieldEndsAt = -Infinity
  /** Whether the page unloads, or lies in the back/forward cache. Nobody would see a response to what leaves now. */
  let isHidden = false
  const record: SharedRecord = createSharedRecord({
    ...options,
    page,
    decide: decideOn,
    onDecision: settle,
    onChange: evaluate,
  })
  const state = createObservableState(() => record.latest, clock, pace)
  const timer = createWakeTimer(clock, evaluate)
  const evaluateSoon = coalesce(evaluate)
  /** `undefined` while the limiter is closed: no request waits or is in flight, and nobody subscribes. */
  let close: (() => void) | undefined

  function decideOn(stored: GateRecord, now: number, isBrief = true): Decision {
    const yieldsUntil = yieldEndsAt - clock.monotonic() + now
    const { processes } = record
    // One object literal: spreads would cost as much as the rest of the decision.
    const context = { now, pace, page, clock, expiresAfter, sharing, processes, yieldsUntil, isBrief }
    return decide(isHidden ? [] : queue.inOrder(), steady(stored, now), context)
  }

  function update(change?: Change): Promise<void> {
    close ??= open()
    return record.update(change)
  }

  /** Shares the record and listens to the page. */
  function open(): () => void {
    isHidden = false // a closed limiter does not hear that the page is shown again
    record.open()
    const stopWatching = watchPage({
      wake: evaluate,
      online: () => void update((known) => ({ ...known, breaker: closedBreaker })),
      hide: () => {
        isHidden = true
        leaveTab(page)
        departures.giveUpAll()
        // A message to a page in the back/forward cache would evict it from there.
        record.close()
      },
      show: () => {
        isHidden = false
        record.open()
        forgetLastPage()
        void update()
      },
    })
    return () => {
      stopWatching()
      record.close()
    }
  }

  /** Spends the units that the last page of the tab had in flight, and removes it: it may lie in the back/forward cache. */
  function forgetLastPage(): void {
    // The name of a record in memory contains the key, which must not get into sessionStorage.
    const lastId = store.inMemory ? undefined : enterTab(name, page)
    if (lastId) void update((known, now) => (lastId in known.pages ? forgetPage(known, lastId, now, pace) : known))
  }

  function recordEnd(response: Omit<GateResponse, 'page'>): Promise<void> {
    const recorded = update((known, now) => recordResponse(known, { ...response, page }, now, pace, record.processes))
    // A refusal is shown at once: a store may be slow.
    if (state.hasSubscribers && record.latest.cooldownUntil > clock.now()) state.publish()
    return recorded
  }

  /** Carries a decision out. */
  function settle(decision: Decision): void {
    const { admitted, rejected } = decision
    const now = clock.now()
    // The machine may have slept, or the store been slow, until the units have expired.
    const isExpired = (record.latest.pages[page]?.expiresAt ?? 0) <= now
    // A refusal since the decision closes the gate at once, before it is stored.
    const isWithdrawn = isExpired || record.latest.cooldownUntil > now
    const isWaiting = (request: PendingRequest) => waiting.has(request) && !isOverdue(request, clock.monotonic())
    const permitted = isWithdrawn ? [] : admitted.filter(isWaiting)
    const withdrawn = admitted.length - permitted.length
    if (withdrawn > 0) void update((known, at) => removeInFlight(known, page, withdrawn, at, departures.firstSentAt()))
    if (permitted.length > 0) yieldEndsAt = clock.monotonic() + turnTime
    for (const request of permitted) {
      queue.remove(request)
      request.permit(departures.follow(request, decision.record.unreportedUnits, sharing?.recordSent(request)))
    }
    for (const [request, { until, reason }] of rejected) {
      queue.remove(request)
      request.reject(new MaxWaitExceeded(Math.max(until, now + unspokenTime), waitReasonOf(reason)))
    }
  }

  /** Runs when time has passed or the record has changed. Updates the store only if that changes it. */
  function evaluate(): void {
    if (record.isUpdating) return // calls `evaluate` when it is done
    const now = clock.now()
    const { latest } = record
    const decision = decideOn(latest, now, false)
    const retryAt = record.retryAt()
    if (decision.record === latest && retryAt > now) {
      settle(decision)
      timer.set(Math.min(decision.wakeAt, tellWaits(decision, clock), state.nextChange(), retryAt), waiting.size === 0)
    } else void update()
    if (state.hasSubscribers) state.publish()
    closeIfIdle()
  }

  function closeIfIdle(): void {
    if (record.isUpdating || waiting.size + departures.size > 0 || state.hasSubscribers) return
    timer.cancel()
    close?.()
    close = undefined
  }

  forgetLastPage()
  return {
    enter: (request) =>
      new Promise((permit, reject) => {
        const { signal } = request
        if (signal.aborted) return reject(signal.reason)
        const enteredAt = clock.monotonic()
        const abort = () => {
          reject(signal.reason)
          queue.remove(pending)
          evaluateSoon() // thousands of requests may be aborted at once
        }
        // Not a copy: thousands may wait, and `prioritize` finds it by the request.
        const pending: PendingRequest = Object.assign(request, { rank: 0, enteredAt, permit, reject, abort })
        queue.add(pending)
        const rejected = sharing?.makeRoom()
        if (rejected) queue.remove(rejected)
        void update()
      }),
    prioritize: (request) => {
      queue.prioritize(request)
      void update()
    },
    getSnapshot: state.getSnapshot,
    retryAt: () => Math.max(record.latest.cooldownUntil, clock.now()),
    subscribe: (listener) => {
      const unsubscribe = state.subscribe(listener)
      void update()
      return () => {
        unsubscribe()
        closeIfIdle()
      }
    },
    inspect: () => {
      const at = clock.now()
      const decision = decideOn(record.latest, at, false)
      return { at, record: decision.record, owner: page, waiting: describeWaiting(decision, clock) }
    },
    reset: () => update(resetRecord),
  }
}

/** What is in flight stays known, and what was spent without a report. */
function resetRecord({ pages, resets, unreportedUnits }: GateRecord, now: number): GateRecord {
  return { ...emptyRecord, pages, unreportedUnits, resets: resets + 1, updatedAt: now }
}

/** Calls `onWait` of the requests whose wait is new or has changed. Returns when to do so again (epoch ms). */
function tellWaits({ waiting }: Decision, clock: Clock): number {
  const now = clock.now()
  const offset = now - clock.monotonic()
  const silentSince = clock.monotonic() - unspokenTime
  let tellAt = Infinity
  for (const [request, { reason, until, isEarliest }] of waiting) {
    const { told } = request
    if (hasUnknownEnd(reason)) {
      if (request.enteredAt > silentSince) {
        tellAt = Math.min(tellAt, now + request.enteredAt - silentSince)
        continue
      }
      if ((told?.until ?? 0) > now) continue // the time that was told is not over
    }
    const end = Math.min(until, Math.max(now, request.deadline + offset))
    const isSame = told?.reason === waitReasonOf(reason) && told.isEarliest === isEarliest
    if (isSame && Math.abs(told.until - end) < unspokenTime) continue
    request.told = { until: end, reason: waitReasonOf(reason), isEarliest }
    request.onWait?.(request.told)
  }
  return tellAt
}

import { countInFlight, expire, liveWindows } from './windows.ts'
import type { GateRecord } from './GateRecord.ts'
import type { CustomRate } from './plan.ts'
import type { WaitReason } from './Wait.ts'
import type { StoreClock } from './RateLimitStore.ts'
import { createListeners } from '../base/listeners.ts'

/** The state of an API key's rate limit, for display. */
export interface RateLimitState {
  /**
   * `unknown`: no response has announced the current window. `ok`: more than a fifth of the requests are left. `low`: a
   * fifth or less. `exhausted`: none until `resetAt`. `cooling-down`: after a refusal, or failures, no request leaves before `retryAt`.
   */
  readonly status: 'unknown' | 'ok' | 'low' | 'exhausted' | 'cooling-down'
  /** Requests allowed in the window, as announced last. */
  readonly limit: number | undefined
  /** Requests left in the window, without those in flight. */
  readonly remaining: number | undefined
  /** When the window ends, in epoch ms of this machine's clock. */
  readonly resetAt: number | undefined
  /** When a request may leave again, in epoch ms; `undefined` if one may leave now. */
  readonly retryAt: number | undefined
  /** Why no request may leave before `retryAt`. */
  readonly waitReason: WaitReason | undefined
}

export function rateLimitState(stored: GateRecord, now: number, pace: CustomRate): RateLimitState {
  const record = expire(stored, now, pace)
  const [tightest] = liveWindows(record, now).sort((a, b) => a.remaining - b.remaining)
  const announcedLimit = (tightest ?? record.windows[0])?.limit
  const limit = announcedLimit === 0 ? undefined : announcedLimit
  const remaining = tightest && Math.max(0, tightest.remaining - countInFlight(record))
  const resetAt = tightest?.resetAt
  const known = { limit, remaining, resetAt }

  if (now < record.cooldownUntil)
    return { status: 'cooling-down', ...known, ...held(record.cooldownUntil, 'rate-limit') }
  const { status, pauseUntil } = record.failures
  if (now < pauseUntil) {
    return { status: 'cooling-down', ...known, ...held(pauseUntil, status === 0 ? 'connection' : 'service') }
  }
  if (remaining === undefined) return { status: 'unknown', ...known, ...open }
  if (tightest?.remaining === 0) return { status: 'exhausted', ...known, ...held(resetAt, 'rate-limit') }
  const isLow = limit !== undefined && remaining <= limit / 5
  return { status: isLow ? 'low' : 'ok', ...known, ...open }
}

const open = { retryAt: undefined, waitReason: undefined }

function held(retryAt: number | undefined, waitReason: WaitReason): Pick<RateLimitState, 'retryAt' | 'waitReason'> {
  return { retryAt, waitReason }
}

export function isSameState(one: RateLimitState, other: RateLimitState): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** When `rateLimitState` changes although the record does not (epoch ms); infinite if never. */
export function nextStateChange(record: GateRecord, now: number): number {
  const times = [record.cooldownUntil, record.failures.pauseUntil, ...record.windows.map((window) => window.resetAt)]
  return Math.min(...times.filter((time) => time > now))
}

/** The state of a rate limit, for `useSyncExternalStore`. */
interface ObservableState {
  /** The same object until the state changes. */
  readonly getSnapshot: () => RateLimitState
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
  readonly hasSubscribers: boolean
  /** Computes the state and calls the subscribers if it has changed. */
  readonly publish: () => void
  /** When `publish` is due although the record stays the same (epoch ms); infinite without subscribers. */
  readonly nextChange: () => number
}

/** @param readRecord - returns the newest known record */
export function createObservableState(
  readRecord: () => GateRecord,
  clock: StoreClock,
  pace: CustomRate,
): ObservableState {
  const listeners = createListeners()
  const read = () => toLocalState(rateLimitState(readRecord(), clock.now(), pace), clock.toLocal)
  let state = read()

  function publish(): void {
    const next = read()
    if (isSameState(next, state)) return
    state = next
    listeners.call()
  }

  return {
    getSnapshot: () => {
      // Without subscribers no timer keeps the state up to date.
      if (listeners.isEmpty) publish()
      return state
    },
    subscribe: (listener) => {
      // From here on, the state is kept up to date.
      if (listeners.isEmpty) publish()
      return listeners.add(listener)
    },
    get hasSubscribers() {
      return !listeners.isEmpty
    },
    publish,
    nextChange: () => (listeners.isEmpty ? Infinity : nextStateChange(readRecord(), clock.now())),
  }
}

export function toLocalState(state: RateLimitState, toLocal: (time: number) => number): RateLimitState {
  const { resetAt, retryAt } = state
  // Frozen, since all subscribers of the app get the same object.
  return Object.freeze({ ...state, resetAt: resetAt && toLocal(resetAt), retryAt: retryAt && toLocal(retryAt) })
}

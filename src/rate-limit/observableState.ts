import type { StoreClock } from './fleet/FleetStore.ts'
import type { GateRecord } from './GateRecord.ts'
import { createListeners } from '../base/listeners.ts'
import type { CustomRate } from './plan.ts'
import { isSameState, nextStateChange, type RateLimitState, rateLimitState } from './rateLimitState.ts'

/** The state of a rate limit, for `useSyncExternalStore`. */
export interface ObservableState {
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
    subscribe: listeners.add,
    get hasSubscribers() {
      return !listeners.isEmpty
    },
    publish,
    nextChange: () => (listeners.isEmpty ? Infinity : nextStateChange(readRecord(), clock.now())),
  }
}

function toLocalState(state: RateLimitState, toLocal: (time: number) => number): RateLimitState {
  const { resetAt, retryAt } = state
  // Frozen, since all subscribers of the app get the same object.
  return Object.freeze({ ...state, resetAt: resetAt && toLocal(resetAt), retryAt: retryAt && toLocal(retryAt) })
}

import type { Clock } from './Clock.ts'
import type { GateRecord } from './GateRecord.ts'
import { createListeners } from './listeners.ts'
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
export function createObservableState(readRecord: () => GateRecord, clock: Clock, pace: CustomRate): ObservableState {
  const listeners = createListeners()
  let state = rateLimitState(readRecord(), clock.now(), pace)

  function publish(): void {
    const next = rateLimitState(readRecord(), clock.now(), pace)
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
    nextChange: () => (listeners.isEmpty ? Number.POSITIVE_INFINITY : nextStateChange(readRecord(), clock.now())),
  }
}

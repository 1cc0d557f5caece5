import type { Clock } from '../rate-limit/Clock.ts'
import { invokeCallback } from './invokeCallback.ts'
import type { EmitEvent, PetstoreEvent } from './PetstoreEvent.ts'

/** Passes the events of a client's calls to `onEvent`, with time and operation, and adds `recovered`. */
export function createEventEmitter(clock: Clock, onEvent: ((event: PetstoreEvent) => void) | undefined): EmitEvent {
  /** The keys whose last response was a 429. */
  const limitedKeys = new Set<string | undefined>()
  const emit: EmitEvent = (call, details) => {
    const { id, operation, key } = call
    invokeCallback(onEvent, { at: clock.now(), operation: operation.name, callId: id, ...details })
    if (details.type === 'rate-limited') limitedKeys.add(key)
    if (details.type === 'response' && details.status !== 429 && limitedKeys.delete(key)) {
      emit(call, { type: 'recovered' })
    }
  }
  return emit
}

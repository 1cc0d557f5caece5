import type { Clock } from '../rate-limit/Clock.ts'
import { invokeCallback } from './invokeCallback.ts'
import type { EmitEvent, PetstoreEvent } from './PetstoreEvent.ts'

/** Passes the events of a client's calls to `onEvent`, with time and operation, and adds `recovered`. */
export function createEventEmitter(clock: Clock, onEvent: ((event: PetstoreEvent) => void) | undefined): EmitEvent {
  let isLimited = false
  const emit: EmitEvent = (call, details) => {
    invokeCallback(onEvent, { at: clock.now(), operation: call.operation.name, ...details })
    if (details.type === 'rate-limited') isLimited = true
    if (isLimited && details.type === 'response' && details.status !== 429) {
      isLimited = false
      emit(call, { type: 'recovered' })
    }
  }
  return emit
}

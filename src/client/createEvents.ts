import { isDevelopment } from '../base/development.ts'
import type { Clock } from '../base/Clock.ts'
import { createListeners } from '../base/listeners.ts'
import { invokeCallback } from './invokeCallback.ts'
import { measureEvent } from './measureEvent.ts'
import type { EmitEvent, PetstoreEvent } from './PetstoreEvent.ts'

/** The events of one client. */
export interface ClientEvents {
  /** Adds time, operation and call to an event of a call, and `recovered` after it where it says so. */
  readonly emit: EmitEvent
  /** Calls all listeners. */
  readonly publish: (event: PetstoreEvent) => void
  /** Returns the function that removes the listener. */
  readonly subscribe: (listener: (event: PetstoreEvent) => void) => () => void
}

export function createEvents(clock: Clock, onEvent: ((event: PetstoreEvent) => void) | undefined): ClientEvents {
  const listeners = createListeners<PetstoreEvent>()
  /** The keys whose last response was a 429. */
  const limitedKeys = new Set<string | undefined>()

  function publish(event: PetstoreEvent): void {
    if (isDevelopment && process.env.NODE_ENV !== 'production') measureEvent(event)
    invokeCallback(onEvent, event)
    listeners.call(event)
  }

  const emit: EmitEvent = (call, details) => {
    const { id, operation, key } = call
    publish({ at: clock.now(), operation: operation.name, callId: id, ...details })
    if (details.type === 'rate-limited') limitedKeys.add(key)
    if (details.type === 'response' && details.status !== 429 && limitedKeys.delete(key)) {
      emit(call, { type: 'recovered' })
    }
  }

  return {
    emit,
    publish,
    subscribe: (listener) => listeners.add((event) => invokeCallback(listener, event)),
  }
}

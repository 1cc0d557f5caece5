import type { KeyedCall } from './Call.ts'
import type { Priority } from '../rate-limit/gate.ts'
import type { RateLimitHeaders } from '../rate-limit/rateLimitHeaders.ts'
import type { WaitReason } from '../rate-limit/Wait.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { PetstoreError } from './errors.ts'
import { isDevelopment } from '../base/development.ts'
import type { Clock } from '../base/Clock.ts'
import { createListeners, invokeCallback } from '../base/listeners.ts'

/**
 * An event of a call or of the rate-limit store, for logs and metrics. Every `request` ends in one `response`, `failure`
 * or `cancelled`, and every call that has been `queued` in one `settled`. Never holds the API key, a body or an address.
 */
export type PetstoreEvent =
  | StoreEvent
  | ({
      /** Epoch ms. */
      readonly at: number
      /** Name of the operation. */
      readonly operation: string
      /** The same for all events of one call. Callers that share a request share it. */
      readonly callId: string
    } & (
      | {
          /** A request comes to the gate: its input is valid and its key is known. */
          readonly type: 'queued'
          /** 1 for the first request of a call. */
          readonly attempt: number
          readonly priority: Priority
          /** A short hash of the address, without its query: equal for calls of the same address. */
          readonly address: string
          /** As in its operation. */
          readonly replay: Operation['replay']
          /** ms since the call began. */
          readonly duration: number
        }
      | {
          /** A request leaves. */
          readonly type: 'request'
          readonly attempt: number
          /** ms since it came to the gate. */
          readonly waited: number
        }
      | {
          /** A response arrived, whatever its status. */
          readonly type: 'response'
          readonly attempt: number
          readonly status: number
          /** What its rate-limit headers say. */
          readonly rateLimitHeaders: RateLimitHeaders
          /** ms since the request left. */
          readonly duration: number
          /** ms of `duration` from the head of the response to its end. */
          readonly bodyDuration: number
        }
      | {
          /** A request ended without a response, or with one that was cut short. */
          readonly type: 'failure'
          readonly attempt: number
          readonly kind: PetstoreError['kind']
          /** ms since the request left. */
          readonly duration: number
        }
      | {
          /** Every caller has aborted, or the framework that renders has. The service may still apply the request. */
          readonly type: 'cancelled'
          readonly attempt: number
          /** ms since the request left. */
          readonly duration: number
        }
      | {
          /** The gate holds a request back. */
          readonly type: 'waiting'
          /** When it leaves, as far as is known, in epoch ms. */
          readonly until: number
          readonly reason: WaitReason
        }
      | {
          /** A request is about to leave again. */
          readonly type: 'retry'
          /** 2 for the second request of a call. */
          readonly attempt: number
          /** Why the request before failed. */
          readonly reason: PetstoreError['kind']
        }
      | {
          /** The service responded with 429. */
          readonly type: 'rate-limited'
          /** No request leaves before this time, in epoch ms. */
          readonly until: number
        }
      | {
          /** The key's first response other than 429 after one. */
          readonly type: 'recovered'
        }
      | {
          /** The call has ended. */
          readonly type: 'settled'
          readonly result: CallResult
          /** ms since the call began. */
          readonly duration: number
        }
    ))

/** How a call ended: with its result, because it was canceled, or with an error of this kind. */
export type CallResult = 'success' | 'cancelled' | PetstoreError['kind']

interface StoreEvent {
  /** Epoch ms. */
  readonly at: number
  /** The `rateLimitStore` failed, or works again. While it fails, the gate continues in memory. */
  readonly type: 'rate-limit-store'
  readonly status: 'failed' | 'recovered'
  /** It belongs to no call. */
  readonly operation?: undefined
  readonly callId?: undefined
}

/** An event as the step that causes it knows it; the emitter adds time and operation. */
type EventDetails<Event = Exclude<PetstoreEvent, StoreEvent>> = Event extends PetstoreEvent
  ? Omit<Event, 'at' | 'operation' | 'callId'>
  : never

/** Reports an event of a call. */
export type EmitEvent = (call: Pick<KeyedCall, 'id' | 'operation' | 'key'>, details: EventDetails) => void

/** The events of one client. */
interface ClientEvents {
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

/** Shows a call and its phases in the performance panel of the browser's developer tools. */
function measureEvent(event: PetstoreEvent): void {
  const { type } = event
  // Before a later attempt the call has waited for other things than its key.
  if (type === 'queued' && event.attempt === 1) measure(event, ' · key', event.duration)
  if (type === 'request') measure(event, ' · queued', event.waited)
  if (type === 'failure' || type === 'cancelled') measure(event, ' · network', event.duration)
  if (type === 'response') {
    measure(event, ' · network', event.duration - event.bodyDuration, event.bodyDuration)
    measure(event, ' · reading', event.bodyDuration)
  }
  if (type === 'settled') measure(event, '', event.duration)
}

/** @param endedAgo - ms between the end of the phase and now */
function measure({ operation, callId }: PetstoreEvent, phase: string, duration: number, endedAgo = 0): void {
  const name = `petstore: ${operation}${phase}`
  // The times of calls are those of a clock that can be set.
  const end = Math.max(0, performance.now() - Math.max(0, endedAgo))
  const start = Math.max(0, end - Math.max(0, duration))
  // Some runtimes have no measures, whatever the type says.
  const timeline: Partial<Pick<Performance, 'measure' | 'clearMeasures'>> = performance
  timeline.measure?.(name, { start, end, detail: { callId } })
  // The panel keeps what was measured. The page would keep it for its life.
  timeline.clearMeasures?.(name)
}

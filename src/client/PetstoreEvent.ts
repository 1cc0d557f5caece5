import type { KeyedCall } from './Call.ts'
import type { Priority } from '../rate-limit/gate.ts'
import type { WaitReason } from '../rate-limit/Wait.ts'
import type { PetstoreError } from './errors.ts'

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

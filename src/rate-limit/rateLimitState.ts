import type { Clock } from '../base/Clock.ts'
import { createListeners } from '../base/listeners.ts'
import { createOutlook, type HoldReason } from './gate.ts'
import type { GateRecord } from './GateRecord.ts'
import { type QueuedCall, type WaitReason, waitReasonOf } from './pendingRequest.ts'
import type { CustomRate } from './plan.ts'
import { countInFlight, expire, liveWindows } from './windows.ts'
import type { Decision } from './requestQueue.ts'

/** The state of an API key's request limit, for display. */
export interface RateLimitState {
  /**
   * `unknown`: no response has announced the current window. `ok`: more than a fifth of the requests are left. `low`: a
   * fifth or less. `exhausted`: none until `resetAt`. `cooling-down`: after a refusal, or failures, no request leaves before
   * `retryAt`.
   */
  readonly status: 'unknown' | 'ok' | 'low' | 'exhausted' | 'cooling-down'
  /** Requests allowed in the window, as announced last. */
  readonly limit: number | undefined
  /** Requests left in the window, without those in flight. */
  readonly remaining: number | undefined
  /** When the window ends, in epoch ms of this machine's clock. */
  readonly resetAt: number | undefined
  /** While `exhausted` or `cooling-down`: when a person's request may leave again, in epoch ms; `undefined` if one may now. */
  readonly retryAt: number | undefined
  /** Why no request may leave before `retryAt`. */
  readonly waitReason: Exclude<WaitReason, 'service'> | undefined
}

export function rateLimitState(stored: GateRecord, now: number, pace: CustomRate): RateLimitState {
  const record = expire(stored, now, pace)
  // What holds the call that a person would make now.
  const hold = createOutlook(record, { now, pace, page: '', yieldsUntil: 0 })('user', 0, now)
  const [tightest] = [...liveWindows(record, now)].sort((one, other) => one.remaining - other.remaining)
  const limit = (tightest ?? record.windows[0])?.limit || undefined
  const remaining = tightest && Math.max(0, tightest.remaining - countInFlight(record))
  const state = (status: RateLimitState['status'], isClosed = false): RateLimitState => ({
    status,
    limit,
    remaining,
    resetAt: tightest?.resetAt,
    retryAt: isClosed ? hold?.until : undefined,
    waitReason: isClosed && hold ? waitReasonOf(hold.reason) : undefined,
  })

  if (hold?.reason === 'cooling-down' || hold?.reason === 'failures') return state('cooling-down', true)
  if (remaining === undefined) return state('unknown')
  if (tightest?.remaining === 0) return state('exhausted', true)
  return state(limit !== undefined && remaining <= limit / 5 ? 'low' : 'ok')
}

/**
 * The state of a request limit, for `useSyncExternalStore`.
 *
 * @param readRecord - returns the newest known record
 */
export function createObservableState(readRecord: () => GateRecord, clock: Clock, pace: CustomRate) {
  const listeners = createListeners()
  const read = () => Object.freeze(rateLimitState(readRecord(), clock.now(), pace))
  let state = read()

  /** Calls the subscribers if the state has changed. */
  function publish(): void {
    const next = read()
    if (JSON.stringify(next) === JSON.stringify(state)) return
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
    /** When `publish` is due although the record stays the same (epoch ms); infinite without subscribers. */
    nextChange: () => {
      if (listeners.isEmpty) return Infinity
      const times = [state.retryAt ?? Infinity, ...readRecord().windows.map(({ resetAt }) => resetAt)]
      return Math.min(...times.filter((time) => time > clock.now()))
    },
  }
}

/** What the gate of a key knows, and which calls wait at it: plain data without the key, for bug reports. */
export interface GateInspection {
  /** When this inspection was made, in epoch ms. */
  readonly at: number
  /** All that is known about the quota. Its fields may change with any release. */
  readonly record: GateRecord
  /** Names this page or worker in the record. */
  readonly owner: string | undefined
  /** The calls of this page or process that wait, in the order in which they leave. */
  readonly waiting: readonly WaitingCall[]
}

/** A call that waits at the gate. */
export interface WaitingCall extends Readonly<QueuedCall> {
  /** Since when the call waits, in epoch ms. */
  readonly queuedAt: number
  /** The call rejects if it cannot leave by this time, in epoch ms. */
  readonly deadline: number
  /** Why the call has not left. */
  readonly reason: WaitingCallReason
  /** The earliest time at which the call may leave, in epoch ms; not after `at` if it waits for a response or the store. */
  readonly retryAt: number
}

/** `store`: the call may leave as soon as its unit is stored. */
export type WaitingCallReason = HoldReason | 'store'

export function describeWaiting({ admitted, waiting }: Decision, clock: Clock): readonly WaitingCall[] {
  const at = clock.now()
  const toEpoch = (time: number) => time - clock.monotonic() + at
  const stored = { reason: 'store', until: at } as const
  return [...admitted.map((request) => [request, stored] as const), ...waiting].map(([request, { reason, until }]) => {
    const { callId, operation, priority, enteredAt, deadline } = request
    const retryAt = reason === 'probe' ? at : until
    return { callId, operation, priority, queuedAt: toEpoch(enteredAt), deadline: toEpoch(deadline), reason, retryAt }
  })
}

import type { PetstoreError } from '../client/errors.ts'
import type { CallResult, PetstoreEvent } from '../client/PetstoreEvent.ts'

/** What happened to one call, from its events. Times are epoch ms, and durations ms. */
export interface CallTrace {
  readonly callId: string
  readonly operation: string
  /** When the call began; while that is not known, when its first recorded event came. Epoch ms. */
  readonly startedAt: number
  /** How long it took until the call first came to the gate, in ms: mostly the time until the app returns the key. */
  readonly keyTime: number | undefined
  /** The requests of the call, in the order in which they came to the gate. */
  readonly attempts: readonly AttemptTrace[]
  /** `undefined` while the call is under way. */
  readonly end: { readonly at: number; readonly result: CallResult; readonly duration: number } | undefined
}

/** What happened to one request of a call. Times are epoch ms, and durations ms. */
export interface AttemptTrace {
  /** The number of the request: 1 for the first of the call. */
  readonly attempt: number
  readonly queuedAt: number | undefined
  readonly waited: number | undefined
  readonly sentAt: number | undefined
  /** `undefined` while the request is under way. */
  readonly result: AttemptResult | undefined
}

export type AttemptResult =
  | { readonly status: number; readonly duration: number; readonly bodyDuration: number }
  | { readonly failure: PetstoreError['kind'] | 'cancelled'; readonly duration: number }

/** Where the time of a call goes, in this order. In `reading` the bodies of its responses arrive. */
export const phases = ['key', 'queue', 'network', 'reading'] as const

/** How long each phase of a call took, in ms. */
export type CallTimes = Readonly<Record<(typeof phases)[number], number>>

/** Adds an event to the calls of a client. A call whose first events were missed begins with the next one. */
export function addToTraces(calls: readonly CallTrace[], event: PetstoreEvent): readonly CallTrace[] {
  if (event.callId === undefined) return calls
  const index = calls.findLastIndex(({ callId }) => callId === event.callId)
  const known = calls[index]
  const { callId, operation, at } = event
  const trace = known ?? { callId, operation, startedAt: at, keyTime: undefined, attempts: [], end: undefined }
  const changed = applyEvent(trace, event)
  if (changed === trace) return calls
  return known ? calls.with(index, changed) : [...calls, changed]
}

type CallEvent = Exclude<PetstoreEvent, { readonly callId?: undefined }>

function applyEvent(call: CallTrace, event: CallEvent): CallTrace {
  switch (event.type) {
    case 'queued': {
      const { duration } = event
      const start = event.attempt === 1 ? { startedAt: event.at - duration, keyTime: duration } : {}
      return { ...withAttempt(call, event.attempt, { queuedAt: event.at }), ...start }
    }
    case 'request':
      return withAttempt(call, event.attempt, { sentAt: event.at, waited: event.waited })
    case 'response': {
      const { status, duration, bodyDuration } = event
      return withAttempt(call, event.attempt, { result: { status, duration, bodyDuration } })
    }
    case 'failure':
      return withAttempt(call, event.attempt, { result: { failure: event.kind, duration: event.duration } })
    case 'cancelled':
      return withAttempt(call, event.attempt, { result: { failure: 'cancelled', duration: event.duration } })
    case 'settled': {
      const { at, result, duration } = event
      return { ...call, startedAt: at - duration, end: { at, result, duration } }
    }
    case 'waiting':
      return call
    default:
      return event satisfies never
  }
}

function withAttempt(call: CallTrace, attempt: number, details: Partial<AttemptTrace>): CallTrace {
  const { attempts } = call
  const index = attempts.findIndex((known) => known.attempt === attempt)
  const known = attempts[index]
  const unknown = { attempt, queuedAt: undefined, waited: undefined, sentAt: undefined, result: undefined }
  const changed = { ...(known ?? unknown), ...details }
  return { ...call, attempts: known ? attempts.with(index, changed) : [...attempts, changed] }
}

/** Whether the latest request of the call waits at the gate. */
export function isQueued({ attempts, end }: CallTrace): boolean {
  return !end && attempts.at(-1)?.queuedAt !== undefined && attempts.at(-1)?.sentAt === undefined
}

/** @param now - until when the wait of a call that still waits is counted, in epoch ms */
export function callTimes({ keyTime = 0, attempts, end }: CallTrace, now: number): CallTimes {
  const sum = (timeOf: (attempt: AttemptTrace) => number) =>
    attempts.reduce((total, attempt) => total + timeOf(attempt), 0)
  const readingOf = ({ result }: AttemptTrace) => (result && 'bodyDuration' in result ? result.bodyDuration : 0)
  return {
    key: keyTime,
    queue: sum(({ queuedAt, sentAt, waited }) => {
      const isWaiting = !end && queuedAt !== undefined && sentAt === undefined
      return waited ?? (isWaiting ? Math.max(0, now - queuedAt) : 0)
    }),
    network: sum((attempt) => (attempt.result?.duration ?? 0) - readingOf(attempt)),
    reading: sum(readingOf),
  }
}

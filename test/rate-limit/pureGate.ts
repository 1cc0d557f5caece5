import { endPause } from '../../src/rate-limit/failures.ts'
import {
  admit,
  type GateDecision,
  type GateResponse,
  type Priority,
  recordResponse,
} from '../../src/rate-limit/gate.ts'
import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { type CustomRate, paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'

/** What a request is, as far as the gate can tell. */
export interface RequestFields {
  readonly address?: string
  readonly priority?: Priority
  /** Whether its call has sent a request before. */
  readonly isRetry?: boolean
  /** When it came, in epoch ms. Default: long ago. */
  readonly calledAt?: number
}

export interface SentRequest {
  readonly batch: string
  readonly address: string
  readonly isRetry: boolean
  readonly sentAt: number
  readonly lostUnitsBefore: number
}

/** The gate without queue, timers and store: one record, to which anything may happen at any time. Times are epoch ms. */
export interface PureGate {
  readonly record: GateRecord
  readonly ask: (now: number, fields?: RequestFields) => GateDecision
  /** Sends a request, if it may leave. */
  readonly send: (now: number, fields?: RequestFields) => SentRequest | undefined
  /** Sends as many as may leave, up to a number. */
  readonly sendAll: (now: number, count?: number, fields?: RequestFields) => readonly SentRequest[]
  readonly end: (
    sent: SentRequest,
    now: number,
    response: { readonly status?: number | undefined; readonly headers?: RateLimitHeaders; readonly jitter?: number },
  ) => void
  /** The machine is connected to a network again. */
  readonly online: (now: number) => void
}

export const holdFor = 31_000

export function createPureGate(initial: GateRecord = emptyRecord, pace: CustomRate = paceOf('free')): PureGate {
  let record = initial
  let number = 0
  let batch = ''
  let batchEndsAt = 0

  function ask(
    now: number,
    { address = 'a', priority = 'user', isRetry = false, calledAt = 0 }: RequestFields = {},
  ): GateDecision {
    // As a page does: those that leave within a second are one batch.
    const joined = now < batchEndsAt && record.inFlight[batch] ? batch : `batch ${number}`
    return admit(
      record,
      {
        address,
        batch: joined,
        priority,
        holdFor,
        calledAt: isRetry || priority === 'background' ? undefined : calledAt,
      },
      now,
      pace,
    )
  }

  function send(now: number, fields: RequestFields = {}): SentRequest | undefined {
    const joins = now < batchEndsAt && record.inFlight[batch]
    if (!joins) number += 1
    const decision = ask(now, fields)
    record = decision.record
    if (!decision.admitted) return undefined
    if (!joins) {
      batch = `batch ${number}`
      batchEndsAt = now + 1_000
    }
    const { address = 'a', isRetry = false } = fields
    return { batch, address, isRetry, sentAt: now, lostUnitsBefore: record.lostUnits }
  }

  return {
    get record() {
      return record
    },
    ask,
    send,
    sendAll: (now, count = 100, fields = {}) => {
      const all: SentRequest[] = []
      while (all.length < count) {
        const sent = send(now, fields)
        if (!sent) break
        all.push(sent)
      }
      return all
    },
    end: (sent, now, { status, headers: rateLimitHeaders = {}, jitter = 0 }) => {
      const response: GateResponse = { ...sent, rateLimitHeaders, status, jitter }
      record = recordResponse(record, response, now, pace)
    },
    online: (now) => {
      record = endPause(record, now)
    },
  }
}

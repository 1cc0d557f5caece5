import { emptyRecord, type GateRecord, type GateWindow } from '../../src/rate-limit/GateRecord.ts'
import { createOutlook, type GateResponse, type Priority, recordResponse } from '../../src/rate-limit/gate.ts'
import type { EnterRequest, Permit } from '../../src/rate-limit/pendingRequest.ts'
import { minute, paceOf } from '../../src/rate-limit/plan.ts'
import { createRateLimiter, type RateLimiterOptions } from '../../src/rate-limit/rateLimiter.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { addInFlight } from '../../src/rate-limit/windows.ts'
import { createVirtualClock } from './virtualClock.ts'

export const now: number = Date.UTC(2026, 0, 1)
export const pace = paceOf('free')

export const recordWith = (fields: Partial<GateRecord>): GateRecord => ({ ...emptyRecord, updatedAt: now, ...fields })

export const windowWith = (remaining: number, fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining,
  serviceReset: now + minute,
  resetAt: now + minute,
  minLength: minute,
  checkedAt: now,
  ...fields,
})

/** Why a request at this place of the page's queue may not leave; `undefined` if it may. */
export function holdOf(record: GateRecord, place = 0, at = now, priority: Priority = 'user') {
  return createOutlook(record, { now: at, pace, page: 'a', yieldsUntil: 0 })(priority, place, at)
}

/** A client's time-out of 30 s and one second, in ms. */
const expiresAfter = 31_000

/** Lets one request leave, and records how it ended 100 ms later. */
export function exchange(record: GateRecord, response: Partial<GateResponse>, sentAt = now): GateRecord {
  const sent = addInFlight(record, 'a', 1, expiresAfter, sentAt)
  const ended = { page: 'a', isRetry: false, freedUnits: 1, unreportedBefore: record.unreportedUnits, jitter: 0 }
  return recordResponse(sent, { ...ended, sentAt, status: 200, ...response }, sentAt + 100, pace)
}

/** Limiters in virtual time: pages that share a store. */
export function setupLimiter(options: Partial<RateLimiterOptions> = {}) {
  const clock = createVirtualClock(now)
  const store = createMemoryStore()
  const create = (more: Partial<RateLimiterOptions> = {}) =>
    createRateLimiter({ name: 'key', store, pace, expiresAfter, clock, random: () => 0, ...options, ...more })
  let order = 0
  const request = (fields: Partial<EnterRequest> = {}): EnterRequest => {
    order += 1
    const { signal } = new AbortController()
    const deadline = clock.now() + 65_000
    const priority = 'user'
    const call = { callId: String(order), operation: 'listCategories', isRetry: false, priority, order } as const
    return { ...call, deadline, signal, ...fields }
  }
  return { clock, store, create, request, run: (ms: number) => clock.run(clock.now() + ms) }
}

/** What a response says of the quota. */
export const headersOf = (remaining: number, resetAt = now + minute) => ({ limit: 60, remaining, resetAt, date: now })

/** Ends a request with a response; without `remaining`, one without rate-limit headers. */
export const release = (permit: Permit | undefined, status: number, remaining?: number) =>
  permit?.release({ status, rateLimitHeaders: remaining === undefined ? {} : headersOf(remaining) })

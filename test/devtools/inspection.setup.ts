import type { GateInspection, GatePage, GateRecord, WaitingCall, WaitingCallReason } from '../../src/devtools.ts'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'

/** 14:03:00 in the time zone of the machine, as the texts show it. */
export const now: number = new Date(2030, 4, 6, 14, 3).getTime()

export function waitingCall(reason: WaitingCallReason, details: Partial<WaitingCall> = {}): WaitingCall {
  return {
    callId: 'call-1',
    operation: 'listCategories',
    priority: 'user',
    queuedAt: now - 1_500,
    deadline: now + 65_000,
    reason,
    retryAt: now,
    ...details,
  }
}

export function inspectionOf(
  record: Partial<GateRecord>,
  waiting: readonly WaitingCall[] = [],
  at = now,
): GateInspection {
  return { at, record: { ...emptyRecord, ...record }, owner: 'this-tab', waiting }
}

/** A window that ends at 14:04:00. */
export const windowWith = (remaining: number, limit = 60) => ({
  limit,
  remaining,
  serviceReset: now + 60_000,
  resetAt: now + 60_000,
  minLength: 60_000,
  checkedAt: now,
})

/** A page with requests in flight, which count as lost after the default `timeout` and a second. */
export const pageWith = (inFlight: number, since = now, expiresAt = since + 31_000): GatePage => ({
  inFlight,
  since,
  expiresAt,
  waitsUntil: 0,
  hasUserRequest: false,
})

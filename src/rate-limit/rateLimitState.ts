import type { GateRecord } from './GateRecord.ts'
import { expire } from './expire.ts'
import type { Pace } from './plan.ts'
import { liveWindows } from './windows.ts'

/** What people may be told about the quota of an API key. */
export interface RateLimitState {
  /**
   * `unknown`: nothing has been announced for the present window. `ok`, `low` (a fifth or less is left), `exhausted`
   * (none is, until `resetAt`). `cooling-down`: the service responded with 429, and nothing is sent before `retryAt`.
   */
  readonly status: 'unknown' | 'ok' | 'low' | 'exhausted' | 'cooling-down'
  /** Requests allowed in the window, as last announced. */
  readonly limit: number | undefined
  /** Requests left in the window, those under way taken off. */
  readonly remaining: number | undefined
  /** When the window ends, in epoch ms of this machine's clock. */
  readonly resetAt: number | undefined
  /** From when on a request may leave again, in epoch ms; `undefined` where one may leave now. */
  readonly retryAt: number | undefined
}

export function rateLimitState(stored: GateRecord, now: number, pace: Pace): RateLimitState {
  const record = expire(stored, now, pace)
  const [tightest] = liveWindows(record, now).sort((a, b) => a.remaining - b.remaining)
  const announcedLimit = (tightest ?? record.windows[0])?.limit
  const limit = announcedLimit === 0 ? undefined : announcedLimit
  const underWay = Object.keys(record.inFlight).length
  const remaining = tightest && Math.max(0, tightest.remaining - underWay)
  const resetAt = tightest?.resetAt
  const known = { limit, remaining, resetAt }

  if (now < record.cooldownUntil) return { status: 'cooling-down', ...known, retryAt: record.cooldownUntil }
  if (remaining === undefined) return { status: 'unknown', ...known, retryAt: undefined }
  if (tightest?.remaining === 0) return { status: 'exhausted', ...known, retryAt: resetAt }
  const isLow = limit !== undefined && remaining <= limit / 5
  return { status: isLow ? 'low' : 'ok', ...known, retryAt: undefined }
}

export function isSameState(one: RateLimitState, other: RateLimitState): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** When `rateLimitState` changes by itself (epoch ms); infinite if it does not. */
export function nextStateChange(record: GateRecord, now: number): number {
  const times = [record.cooldownUntil, ...record.windows.map((window) => window.resetAt)]
  return Math.min(...times.filter((time) => time > now))
}

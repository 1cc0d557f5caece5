import { expire, spendUnit } from './expire.ts'
import { countUnits, type GateRecord, type ClockSkew, type UsageSlice, withdraw } from './GateRecord.ts'
import { day, minute, type Pace } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'
import { learnClockSkew } from './clockSkew.ts'
import { announcedWindow, endWindows, mergeWindow, liveWindows, withWindow } from './windows.ts'

/** People go before background work, which also leaves them a part of the quota. */
export type Priority = 'user' | 'background'

/** A request that asks to leave. */
export interface GateRequest {
  readonly id: string
  readonly priority: Priority
  /** How long it counts as under way should nothing more be heard of it, in ms. */
  readonly holdFor: number
}

/** How a request that left came back. */
export interface GateResponse {
  readonly id: string
  /** Epoch ms. */
  readonly sentAt: number
  /** What its headers say; `undefined` when it was lost: no response came, or nobody waits for it any more. */
  readonly rateLimitHeaders: RateLimitHeaders | undefined
  /** Whether it was a 429. */
  readonly refused: boolean
  /** 0 to 1, at random: keeps many machines from coming back at the same moment. */
  readonly jitter: number
}

/** Whether a request may leave now. */
export type GateDecision =
  | { readonly admitted: true; readonly record: GateRecord }
  | {
      readonly admitted: false
      readonly record: GateRecord
      /** Certainly not before this time (epoch ms); `now` where it only waits for responses to come in. */
      readonly notBefore: number
      /** When to ask again if no response comes in earlier (epoch ms). */
      readonly wakeAt: number
    }

/** A service may still be closed in the second in which it was to open, in ms. */
const margin = 500
/** The shortest cool-down, in ms; doubled with each strike. */
const minCooldown = 1_000
/** More consecutive429s than these make no wait longer. */
export const maxConsecutive429s = 6

/** Asks to leave. A request that is admitted holds one unit of the quota in the record from then on. */
export function admit(stored: GateRecord, request: GateRequest, now: number, pace: Pace): GateDecision {
  const record = expire(stored, now, pace)
  const refuse = (notBefore: number, wakeAt: number): GateDecision => ({ admitted: false, record, notBefore, wakeAt })
  if (now < record.cooldownUntil) return refuse(record.cooldownUntil, record.cooldownUntil)

  const inFlight = Object.values(record.inFlight)
  const firstExpiry = Math.min(...inFlight.map((held) => held.until))
  const reserve = (limit: number) => (request.priority === 'background' ? Math.floor(limit / 10) : 0)
  const windows = liveWindows(record, now)

  if (windows.length > 0) {
    const left = windows.map(({ limit, remaining, resetAt }) => ({ units: remaining - reserve(limit), resetAt }))
    const drained = left.filter(({ units }) => units < 1)
    if (drained.length > 0) {
      const opensAt = Math.max(...drained.map(({ resetAt }) => resetAt))
      return refuse(opensAt, opensAt)
    }
    const isFull = left.some(({ units }) => units <= inFlight.length)
    if (isFull) return refuse(now, Math.min(firstExpiry, ...left.map(({ resetAt }) => resetAt)))
  } else {
    if (inFlight.length >= record.maxInFlight) return refuse(now, firstExpiry)
    const room = pace.limit - reserve(pace.limit)
    const opensAt = paceOpensAt(record.localUsage, room - inFlight.length, pace, now)
    if (opensAt > now) return refuse(paceOpensAt(record.localUsage, room, pace, now), Math.min(firstExpiry, opensAt))
  }
  const held = { sentAt: now, until: now + request.holdFor }
  return { admitted: true, record: { ...record, updatedAt: now, inFlight: { ...record.inFlight, [request.id]: held } } }
}

/** Takes in how a request came back. */
export function recordResponse(stored: GateRecord, response: GateResponse, now: number, pace: Pace): GateRecord {
  const upToDate = expire(stored, now, pace)
  const held = upToDate.inFlight[response.id]
  const before = { ...withdraw(upToDate, response.id), updatedAt: now }
  // Where the lease has run out, the unit was spent then.
  const spent = held ? spendUnit(before, now, pace) : before
  const { rateLimitHeaders, refused } = response
  if (!rateLimitHeaders) return spent

  const sentAt = Math.min(held?.sentAt ?? response.sentAt, now)
  const skew = learnClockSkew(before.skew, { rateLimitHeaders, refused, sentAt, receivedAt: now, pace })
  const slack = Math.ceil(margin * (1 + response.jitter))
  const announced = announcedWindow(rateLimitHeaders, skew, now, slack, held?.unreportedUnits)
  // What left before the last cool-down began tells of a time that is over.
  const isCurrent = sentAt > before.cooldownStartedAt

  if (refused) {
    const consecutive429s = isCurrent ? nextConsecutive429s(before, now) : before.consecutive429s
    const cooldownStartedAt = isCurrent ? now : before.cooldownStartedAt
    const cooldownUntil = Math.max(
      before.cooldownUntil,
      now + coolDown(rateLimitHeaders, skew, consecutive429s, now) + slack,
    )
    // The windows are kept for their limits alone: what is left of them a probe has to find out.
    const windows = endWindows(announced ? withWindow(before.windows, announced) : before.windows, now)
    return { ...before, skew, consecutive429s, cooldownStartedAt, cooldownUntil, windows, maxInFlight: 1 }
  }
  if (!isCurrent) return { ...spent, skew }
  if (announced)
    return { ...before, skew, windows: mergeWindow(before.windows, announced, held !== undefined, now), maxInFlight: 1 }
  // Steps are for where nothing is announced: what a window has let through must not meet the next one all at once.
  return { ...spent, skew, maxInFlight: liveWindows(before, now).length > 0 ? 1 : before.maxInFlight + 1 }
}

/** How long to stay away after a 429, in ms. */
function coolDown(rateLimitHeaders: RateLimitHeaders, skew: ClockSkew, consecutive429s: number, now: number): number {
  const until = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.min - now)
  const told = Math.max(rateLimitHeaders.retryIn ?? -1, until(rateLimitHeaders.retryDate))
  const reset = until(rateLimitHeaders.resetAt)
  // It is taken late; at its earliest it has to be within a day.
  const believable = reset > 0 && reset - (skew.max - skew.min) <= day ? reset : undefined
  // Where nothing is left before the reset, a shorter Retry-After would only lead to the next 429.
  const drained = rateLimitHeaders.remaining === 0 ? (believable ?? 0) : 0
  // The plans' shortest window is a minute: to guess less would be to knock during a cool-down.
  const wait = told >= 0 ? Math.max(told, drained) : (believable ?? minute * 2 ** consecutive429s)
  return Math.min(day, Math.max(wait, minCooldown * 2 ** consecutive429s))
}

/** One more than last time, one less for each minute in which all went well. */
function nextConsecutive429s({ consecutive429s, cooldownStartedAt, cooldownUntil }: GateRecord, now: number): number {
  if (cooldownStartedAt === 0) return 0
  const calmMinutes = Math.floor(Math.max(0, now - cooldownUntil) / minute)
  return Math.min(maxConsecutive429s, Math.max(0, consecutive429s + 1 - calmMinutes))
}

/** When fewer than `room` requests have been spent in the time of the pace (epoch ms). */
function paceOpensAt(spent: readonly UsageSlice[], room: number, pace: Pace, now: number): number {
  const recent = spent.filter(({ at }) => at + pace.per > now)
  let count = countUnits(recent)
  if (count < room) return now
  for (const units of recent) {
    count -= units.count
    if (count < room) return units.at + pace.per
  }
  return Number.POSITIVE_INFINITY
}

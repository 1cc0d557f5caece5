import { bringUpToDate, spendUnit } from './bringUpToDate.ts'
import { countUnits, type GateRecord, type Skew, type SpentUnits, withdraw } from './GateRecord.ts'
import { day, minute, type Pace } from './plan.ts'
import type { RateLimitReading } from './reading.ts'
import { learnSkew } from './skew.ts'
import { announcedWindow, endWindows, joinWindows, liveWindows, withWindow } from './windows.ts'

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
export interface GateAnswer {
  readonly id: string
  /** Epoch ms. */
  readonly sentAt: number
  /** What its headers say; `undefined` when it was lost: no answer came, or nobody waits for it any more. */
  readonly reading: RateLimitReading | undefined
  /** Whether it was a 429. */
  readonly refused: boolean
  /** 0 to 1, at random: keeps many machines from coming back at the same moment. */
  readonly jitter: number
}

/** Whether a request may leave now. */
export type Admission =
  | { readonly admitted: true; readonly record: GateRecord }
  | {
      readonly admitted: false
      readonly record: GateRecord
      /** Certainly not before this time (epoch ms); `now` where it only waits for answers to come in. */
      readonly notBefore: number
      /** When to ask again if no answer comes in earlier (epoch ms). */
      readonly wakeAt: number
    }

/** A service may still be closed in the second in which it was to open, in ms. */
const margin = 500
/** The shortest cool-down, in ms; doubled with each strike. */
const floor = 1_000
/** More strikes than these make no wait longer. */
export const mostStrikes = 6

/** Asks to leave. A request that is admitted holds one unit of the quota in the record from then on. */
export function admit(stored: GateRecord, request: GateRequest, now: number, pace: Pace): Admission {
  const record = bringUpToDate(stored, now, pace)
  const refuse = (notBefore: number, wakeAt: number): Admission => ({ admitted: false, record, notBefore, wakeAt })
  if (now < record.coolUntil) return refuse(record.coolUntil, record.coolUntil)

  const leases = Object.values(record.leases)
  const firstExpiry = Math.min(...leases.map((lease) => lease.until))
  const reserve = (limit: number) => (request.priority === 'background' ? Math.floor(limit / 10) : 0)
  const windows = liveWindows(record, now)

  if (windows.length > 0) {
    const left = windows.map(({ limit, remaining, resetAt }) => ({ units: remaining - reserve(limit), resetAt }))
    const drained = left.filter(({ units }) => units < 1)
    if (drained.length > 0) {
      const opensAt = Math.max(...drained.map(({ resetAt }) => resetAt))
      return refuse(opensAt, opensAt)
    }
    const isFull = left.some(({ units }) => units <= leases.length)
    if (isFull) return refuse(now, Math.min(firstExpiry, ...left.map(({ resetAt }) => resetAt)))
  } else {
    if (leases.length >= record.step) return refuse(now, firstExpiry)
    const room = pace.limit - reserve(pace.limit)
    const opensAt = paceOpensAt(record.unannounced, room - leases.length, pace, now)
    if (opensAt > now) return refuse(paceOpensAt(record.unannounced, room, pace, now), Math.min(firstExpiry, opensAt))
  }
  const lease = { sentAt: now, until: now + request.holdFor }
  return { admitted: true, record: { ...record, updatedAt: now, leases: { ...record.leases, [request.id]: lease } } }
}

/** Takes in how a request came back. */
export function observe(stored: GateRecord, answer: GateAnswer, now: number, pace: Pace): GateRecord {
  const upToDate = bringUpToDate(stored, now, pace)
  const lease = upToDate.leases[answer.id]
  const before = { ...withdraw(upToDate, answer.id), updatedAt: now }
  // Where the lease has run out, the unit was spent then.
  const spent = lease ? spendUnit(before, now, pace) : before
  const { reading, refused } = answer
  if (!reading) return spent

  const sentAt = Math.min(lease?.sentAt ?? answer.sentAt, now)
  const skew = learnSkew(before.skew, { reading, refused, sentAt, receivedAt: now, pace })
  const slack = Math.ceil(margin * (1 + answer.jitter))
  const announced = announcedWindow(reading, skew, now, slack, lease?.missed)
  // What left before the last cool-down began tells of a time that is over.
  const isCurrent = sentAt > before.limitedAt

  if (refused) {
    const strikes = isCurrent ? nextStrikes(before, now) : before.strikes
    const limitedAt = isCurrent ? now : before.limitedAt
    const coolUntil = Math.max(before.coolUntil, now + coolDown(reading, skew, strikes, now) + slack)
    // The windows are kept for their limits alone: what is left of them a probe has to find out.
    const windows = endWindows(announced ? withWindow(before.windows, announced) : before.windows, now)
    return { ...before, skew, strikes, limitedAt, coolUntil, windows, step: 1 }
  }
  if (!isCurrent) return { ...spent, skew }
  if (announced)
    return { ...before, skew, windows: joinWindows(before.windows, announced, lease !== undefined, now), step: 1 }
  // Steps are for where nothing is announced: what a window has let through must not meet the next one all at once.
  return { ...spent, skew, step: liveWindows(before, now).length > 0 ? 1 : before.step + 1 }
}

/** How long to stay away after a 429, in ms. */
function coolDown(reading: RateLimitReading, skew: Skew, strikes: number, now: number): number {
  const until = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.least - now)
  const told = Math.max(reading.retryIn ?? -1, until(reading.retryDate))
  const reset = until(reading.resetAt)
  // It is taken late; at its earliest it has to be within a day.
  const believable = reset > 0 && reset - (skew.most - skew.least) <= day ? reset : undefined
  // Where nothing is left before the reset, a shorter Retry-After would only lead to the next 429.
  const drained = reading.remaining === 0 ? (believable ?? 0) : 0
  // The plans' shortest window is a minute: to guess less would be to knock during a cool-down.
  const wait = told >= 0 ? Math.max(told, drained) : (believable ?? minute * 2 ** strikes)
  return Math.min(day, Math.max(wait, floor * 2 ** strikes))
}

/** One more than last time, one less for each minute in which all went well. */
function nextStrikes({ strikes, limitedAt, coolUntil }: GateRecord, now: number): number {
  if (limitedAt === 0) return 0
  const calmMinutes = Math.floor(Math.max(0, now - coolUntil) / minute)
  return Math.min(mostStrikes, Math.max(0, strikes + 1 - calmMinutes))
}

/** When fewer than `room` requests have been spent in the time of the pace (epoch ms). */
function paceOpensAt(spent: readonly SpentUnits[], room: number, pace: Pace, now: number): number {
  const recent = spent.filter(({ at }) => at + pace.per > now)
  let count = countUnits(recent)
  if (count < room) return now
  for (const units of recent) {
    count -= units.count
    if (count < room) return units.at + pace.per
  }
  return Number.POSITIVE_INFINITY
}

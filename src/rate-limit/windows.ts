import {
  type ClockSkew,
  type GatePage,
  type GateRecord,
  type GateWindow,
  rebaseAfterClockRollback,
  unitsOf,
  type UsageSlice,
} from './GateRecord.ts'
import { type CustomRate, day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

export function liveWindows({ windows }: GateRecord, now: number): readonly GateWindow[] {
  return windows.filter(({ resetAt }) => resetAt > now)
}

/**
 * The window that a response announces; `undefined` if it does not say how many requests are left.
 *
 * @param unreported - units that are spent and that the response may not report
 */
export function announcedWindow(
  { limit = 0, remaining, resetAt }: RateLimitHeaders,
  skew: ClockSkew,
  now: number,
  slack: number,
  unreported: number,
): GateWindow | undefined {
  if (remaining === undefined) return undefined
  // No window is longer than a day, so a reset that is further away is a mistake.
  const reset = resetAt !== undefined && resetAt - skew.max - now <= day ? resetAt : undefined
  const endsIn = reset === undefined ? minute : Math.min(day, reset - skew.min - now)
  return {
    limit,
    remaining: Math.max(0, (limit > 0 ? Math.min(remaining, limit) : remaining) - unreported),
    serviceReset: reset ?? 0,
    resetAt: endsIn > 0 ? now + endsIn + slack : now,
    minLength: reset === undefined ? 0 : Math.max(0, reset - skew.max - now),
    checkedAt: now,
  }
}

/**
 * Leaves a process that is cut off its part of an announced window, less one unit for the probe. Processes whose store works
 * learn late what this one has taken, so it leaves them a tenth of the limit.
 */
export function divideAnnounced({ limit, remaining, ...window }: GateWindow, processes: number): GateWindow {
  const part = Math.floor((limit || remaining) / processes) - 1
  const left = remaining - (processes > 1 ? Math.floor(limit / 10) : 0)
  return { ...window, limit, remaining: Math.max(0, Math.min(part, left)) }
}

/** Leaves a process that has just been cut off its part of what is left. */
export function divideRest(record: GateRecord, page: string, processes: number): GateRecord {
  const inFlight = countInFlight(record)
  const own = record.pages[page]?.inFlight ?? 0
  const part = (left: number) => Math.floor(Math.max(0, left - inFlight) / processes) + own
  const windows = record.windows.map((window) => ({ ...window, remaining: part(window.remaining) }))
  return withoutOthers({ ...record, windows }, page)
}

export function withoutOthers(record: GateRecord, page: string): GateRecord {
  const { [page]: own } = record.pages
  return { ...record, pages: own ? { [page]: own } : {} }
}

export function takeUnits(windows: readonly GateWindow[], units: number, exceptLimit?: number): readonly GateWindow[] {
  return windows.map((window) =>
    window.limit === exceptLimit ? window : { ...window, remaining: Math.max(0, window.remaining - units) },
  )
}

/** Takes units for requests that the service may have counted, and whose responses do not say so. */
export function spendUnits(before: GateRecord, count: number, now: number, pace: CustomRate): GateRecord {
  const record = { ...before, unreportedUnits: before.unreportedUnits + count }
  if (liveWindows(record, now).length > 0) return { ...record, windows: takeUnits(record.windows, count) }
  // The units of a 240th of the window share one entry, so that the list stays short.
  const slice = Math.ceil(pace.per / 240)
  const at = Math.ceil(now / slice) * slice
  const others = recentUsage(record, now, pace).filter((one) => one.at !== at)
  const known = record.localUsage.find((one) => one.at === at)
  return { ...record, localUsage: [...others, { at, count: count + (known?.count ?? 0) }] }
}

export function recentUsage({ localUsage }: GateRecord, now: number, pace: CustomRate): readonly UsageSlice[] {
  return localUsage.filter(({ at }) => at + pace.per > now)
}

/** When fewer than `room` of these units still count (epoch ms). */
export function paceOpensAt(recent: readonly UsageSlice[], room: number, pace: CustomRate, now: number): number {
  let count = unitsOf(recent)
  if (count < room) return now
  for (const slice of recent) {
    count -= slice.count
    if (count < room) return slice.at + pace.per
  }
  return now + pace.per
}

export function countInFlight({ pages }: GateRecord): number {
  return Object.values(pages).reduce((sum, { inFlight }) => sum + inFlight, 0)
}

/** When the first requests in flight left, or count as lost; infinite if none is in flight. */
export function firstInFlight({ pages }: GateRecord, time: 'since' | 'expiresAt'): number {
  return Math.min(...Object.values(pages).flatMap((page) => (page.inFlight > 0 ? page[time] : [])))
}

const noPage: GatePage = { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: 0, hasUserRequest: false }

/** Changes what is known of a page. A page without requests is removed from the record. */
export function withPage(record: GateRecord, id: string, change: Partial<GatePage>, now: number): GateRecord {
  const { [id]: known = noPage, ...others } = record.pages
  const page = { ...known, ...change }
  const isUsed = page.inFlight > 0 || page.waitsUntil > now
  return { ...record, pages: isUsed ? { ...others, [id]: page } : others }
}

export function addInFlight(
  record: GateRecord,
  id: string,
  count: number,
  expiresAfter: number,
  now: number,
): GateRecord {
  const { inFlight, since, expiresAt } = record.pages[id] ?? noPage
  const joined = {
    inFlight: inFlight + count,
    since: inFlight > 0 ? since : now,
    expiresAt: Math.max(expiresAt, now + expiresAfter),
  }
  return withPage(record, id, joined, now)
}

/** @param since - when the oldest of the page's requests left that are still in flight */
export function removeInFlight(record: GateRecord, id: string, count: number, now: number, since = now): GateRecord {
  const { inFlight } = record.pages[id] ?? noPage
  // The clock may have been set back since.
  const change = { inFlight: Math.max(0, inFlight - count), since: Math.min(since, now) }
  return inFlight === 0 ? record : withPage(record, id, change, now)
}

/** Removes a page. The service may have counted its requests in flight, so their units are spent. */
export function forgetPage(record: GateRecord, id: string, now: number, pace: CustomRate): GateRecord {
  const { inFlight } = record.pages[id] ?? noPage
  const { [id]: _, ...pages } = record.pages
  return inFlight === 0 ? { ...record, pages } : spendUnits({ ...record, pages }, inFlight, now, pace)
}

/** Removes the pages whose time is over, and follows a clock that was set back. Returns the same object if nothing changes. */
export function expire(stored: GateRecord, now: number, pace: CustomRate): GateRecord {
  let record = rebaseAfterClockRollback(stored, now)
  for (const [id, { inFlight, expiresAt, waitsUntil }] of Object.entries(record.pages)) {
    // Spent at `expiresAt`, not now: every page has to get the same result, however late it runs this.
    if ((inFlight > 0 ? expiresAt : waitsUntil) <= now) record = forgetPage(record, id, expiresAt, pace)
  }
  return record
}

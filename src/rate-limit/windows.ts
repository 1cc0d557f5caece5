import {
  type ClockSkew,
  type GateRecord,
  type GateWindow,
  rebaseAfterClockRollback,
  type UsageSlice,
} from './GateRecord.ts'
import { type CustomRate, day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

const maxWindows = 4

/** Services that count down to their reset round it differently from response to response. In ms. */
export const resetTolerance = 1_000

export function liveWindows(record: GateRecord, now: number): GateWindow[] {
  return record.windows.filter((window) => window.resetAt > now)
}

/**
 * The window that a response announces; `undefined` if it does not say how many requests are left.
 *
 * @param slack - ms to add to its end
 * @param unreportedUnits - units that are spent and that the response may not report
 */
export function announcedWindow(
  rateLimitHeaders: RateLimitHeaders,
  skew: ClockSkew,
  now: number,
  slack: number,
  unreportedUnits = 0,
): GateWindow | undefined {
  const { limit = 0, remaining, resetAt: reset } = rateLimitHeaders
  if (remaining === undefined) return undefined
  const left = Math.max(0, (limit > 0 ? Math.min(remaining, limit) : remaining) - unreportedUnits)
  const endsIn = reset === undefined ? minute : Math.min(day, reset - skew.min - now)
  const span = reset === undefined ? 0 : Math.min(day, Math.max(0, reset - skew.max - now))
  return { limit, remaining: left, reset: reset ?? 0, resetAt: endsIn > 0 ? now + endsIn + slack : now, span }
}

/**
 * Merges a window that a response announced. Within one window `remaining` only falls. The announced window already
 * counts the request; from every other one it takes a unit.
 *
 * @param heldUnit - whether the request was in flight until now: an expired one has spent its unit before
 */
export function mergeWindow(
  windows: readonly GateWindow[],
  announced: GateWindow,
  heldUnit: boolean,
  now: number,
): GateWindow[] {
  const known = windows.find((window) => window.limit === announced.limit)
  const spent = heldUnit ? windows.map((window) => spend(window, 1)) : windows
  const doubted = spent.map((window) => contradict(window, announced, !known, now))
  if (!known || known.resetAt <= now) return withWindow(doubted, announced)
  const { contradictions: _, ...trusted } = known
  const merged = tighterWindow(trusted, announced)
  return merged === trusted ? doubted : withWindow(doubted, merged)
}

/**
 * After a change of plan, the windows of the former plan must not hold the app up. A limit that was unknown until now,
 * with more units left and an earlier end, contradicts a window. The second response in a row that does so ends it. A
 * service that announces its limits in turn repeats the window in between, and so keeps it.
 */
function contradict(window: GateWindow, announced: GateWindow, isNewLimit: boolean, now: number): GateWindow {
  const { contradictions = 0, limit, remaining, resetAt } = window
  if (limit === announced.limit || remaining >= announced.remaining || resetAt <= announced.resetAt) return window
  if (contradictions > 0) return { ...window, resetAt: Math.min(resetAt, now) }
  return isNewLimit && announced.limit > 0 ? { ...window, contradictions: 1 } : window
}

/** Of two windows of one limit: the later one, or the smaller values of both if they are the same window. */
export function tighterWindow(one: GateWindow, other: GateWindow): GateWindow {
  if (one.reset > other.reset + resetTolerance) return one
  if (other.reset > one.reset + resetTolerance) return other
  return {
    ...one,
    remaining: Math.min(one.remaining, other.remaining),
    resetAt: Math.min(one.resetAt, other.resetAt),
    span: longerSpan(one, other),
  }
}

/** Replaces the window of the same limit. Of too many windows, keeps those that end last. */
export function withWindow(windows: readonly GateWindow[], window: GateWindow): GateWindow[] {
  const others = windows.filter((other) => other.limit !== window.limit).sort((a, b) => b.resetAt - a.resetAt)
  const known = windows.find((other) => other.limit === window.limit) ?? window
  return [{ ...window, span: longerSpan(window, known) }, ...others.slice(0, maxWindows - 1)]
}

function longerSpan(one: GateWindow, other: GateWindow): number {
  return Math.max(one.span ?? 0, other.span ?? 0)
}

/** Ends all windows now, for their limits to stay known. */
export function endWindows(windows: readonly GateWindow[], now: number): GateWindow[] {
  return windows.map((window) => ({ ...window, resetAt: Math.min(window.resetAt, now) }))
}

export function spend(window: GateWindow, units: number): GateWindow {
  return { ...window, remaining: Math.max(0, window.remaining - units) }
}

/** Adds units, and drops slices that are older than the pace's window. */
export function addLocalUsage(
  localUsage: readonly UsageSlice[],
  count: number,
  now: number,
  pace: CustomRate,
): UsageSlice[] {
  // One entry for each slice of time bounds the size of the record, whatever the pace.
  const slice = Math.ceil(pace.per / 600)
  const at = Math.ceil(now / slice) * slice
  const recent = recentSlices(localUsage, now, pace)
  const last = recent.at(-1)
  if (last && last.at >= at) return recent.with(-1, { at: last.at, count: last.count + count })
  return [...recent, { at, count }]
}

export function countUnits(localUsage: readonly UsageSlice[]): number {
  return localUsage.reduce((sum, { count }) => sum + count, 0)
}

/** When fewer than `room` units lie in the pace's window (epoch ms); infinite if `room` is not positive. */
export function paceOpensAt(localUsage: readonly UsageSlice[], room: number, pace: CustomRate, now: number): number {
  const recent = recentSlices(localUsage, now, pace)
  let count = countUnits(recent)
  if (count < room) return now
  for (const slice of recent) {
    count -= slice.count
    if (count < room) return slice.at + pace.per
  }
  return Infinity
}

function recentSlices(localUsage: readonly UsageSlice[], now: number, pace: CustomRate): UsageSlice[] {
  return localUsage.filter(({ at }) => at + pace.per > now)
}

/** Takes units from the quota, for requests that may have counted and whose responses do not say. */
export function spendUnits(record: GateRecord, count: number, now: number, pace: CustomRate): GateRecord {
  const spent = { ...record, lostUnits: record.lostUnits + count }
  if (liveWindows(record, now).length > 0) return { ...spent, windows: record.windows.map((one) => spend(one, count)) }
  return { ...spent, localUsage: addLocalUsage(record.localUsage, count, now, pace) }
}

/** A request that holds one unit of the quota. */
export interface UnitInFlight {
  /** The id of the requests that it counts with while it is in flight. */
  readonly batch: string
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
  /** The page or worker that sends it, where others can tell whether it still exists. */
  readonly owner?: string | undefined
}

/** Adds requests to a batch, new or not. Each holds one unit of the quota from now on. */
export function addInFlight(
  record: GateRecord,
  { batch, holdFor, owner }: UnitInFlight,
  now: number,
  more = 1,
): GateRecord {
  const { count = 0, since = now, until = 0 } = record.inFlight[batch] ?? {}
  const joined = { count: count + more, since, until: Math.max(until, now + holdFor), ...(owner && { owner }) }
  return { ...record, inFlight: { ...record.inFlight, [batch]: joined } }
}

/** Removes requests of a batch and frees their units. */
export function removeInFlight(record: GateRecord, batch: string, count = 1): GateRecord {
  const known = record.inFlight[batch]
  if (!known) return record
  const inFlight = { ...record.inFlight, [batch]: { ...known, count: known.count - count } }
  if (known.count <= count) delete inFlight[batch]
  return { ...record, inFlight }
}

export function countInFlight({ inFlight }: GateRecord): number {
  return Object.values(inFlight).reduce((sum, { count }) => sum + count, 0)
}

/** When the first batch in flight counts as lost (epoch ms); infinite if none is. */
export function nextLossAt({ inFlight }: GateRecord): number {
  return Object.values(inFlight).reduce((lossAt, { until }) => Math.min(lossAt, until), Infinity)
}

/** When the first of the requests in flight left (epoch ms); infinite if none is in flight. */
export function inFlightSince({ inFlight }: GateRecord): number {
  return Object.values(inFlight).reduce((first, { since }) => Math.min(first, since), Infinity)
}

/** Gives up requests that have been in flight for too long. Returns the same object if nothing expired. */
export function expire(stored: GateRecord, now: number, pace: CustomRate): GateRecord {
  let record = rebaseAfterClockRollback(stored, now)
  if (nextLossAt(record) > now) return record
  for (const [batch, { count, until }] of Object.entries(record.inFlight)) {
    // Spent at `until`, not now: every tab has to get the same result, however late it runs this.
    if (until <= now) record = spendUnits(removeInFlight(record, batch, count), count, until, pace)
  }
  return record
}

/** Gives up what pages hold that are gone: their requests count as spent, and they wait for no turn. */
export function expireOwners(record: GateRecord, gone: readonly string[], now: number, pace: CustomRate): GateRecord {
  const isGone = ({ owner }: { readonly owner?: string }) => owner !== undefined && gone.includes(owner)
  let expired = record
  for (const [batch, held] of Object.entries(record.inFlight)) {
    if (isGone(held)) expired = spendUnits(removeInFlight(expired, batch, held.count), held.count, now, pace)
  }
  const waiting = Object.fromEntries(Object.entries(record.waiting).filter(([, page]) => !isGone(page)))
  if (Object.keys(waiting).length < Object.keys(record.waiting).length) expired = { ...expired, waiting }
  return expired === record ? record : { ...expired, updatedAt: now }
}

/** The pages, other than one, that hold units or wait. */
export function otherOwners({ inFlight, waiting }: GateRecord, own: string | undefined): readonly string[] {
  const owners = [...Object.values(inFlight), ...Object.values(waiting)].flatMap(({ owner }) => owner ?? [])
  return [...new Set(owners)].filter((owner) => owner !== own)
}

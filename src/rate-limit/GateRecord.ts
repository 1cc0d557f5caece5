import { type Breaker, closedBreaker } from './breaker.ts'
import { day } from './plan.ts'

/** All that is known about one API key's quota: plain data, which tabs share. Times are epoch ms of this machine's clock. */
export interface GateRecord {
  /** When the record was last changed, in epoch ms. If the clock now shows an earlier time, it was set back. */
  readonly updatedAt: number
  /** How many times an app has reset the gate: of two records, the one with more resets counts. */
  readonly resets: number
  /** No request leaves before this time, in epoch ms: the service has refused one. */
  readonly cooldownUntil: number
  /** How many cool-downs came closely before the last one. */
  readonly consecutiveRefusals: number
  /** The windows that responses have announced, one for each limit. Ended windows stay, so that their limits are known. */
  readonly windows: readonly GateWindow[]
  /**
   * While no window is live: 1, and one more for each response that announces none. `concurrencyOf` derives from it how many
   * requests may be in flight then: twice as many with each step while they hang. After a calm window it ignores this number.
   */
  readonly concurrency: number
  /** Units that were spent while no window was live, the oldest first. */
  readonly localUsage: readonly UsageSlice[]
  /** Units that were ever spent by requests without a response that says what is left. Only the growth since a time matters. */
  readonly unreportedUnits: number
  /** The pages that have requests in flight or waiting, by their ids. */
  readonly pages: Readonly<Record<string, GatePage>>
  /** By how much the service's clock may be ahead of this machine's. */
  readonly skew: ClockSkew
  /** The circuit breaker, which counts calls that fail without a readable response. */
  readonly breaker: Breaker
}

/** A quota and the time in which it may be used. */
export interface GateWindow {
  /** How many requests may leave in the window; 0 where the service announced only the remaining ones. */
  readonly limit: number
  /** Requests left. Those in flight are not subtracted yet. */
  readonly remaining: number
  /** The announced end by the service's clock, in epoch ms: tells this window from the next. 0 if none was announced. */
  readonly serviceReset: number
  /** When the window has ended, at the latest. */
  readonly resetAt: number
  /** How long the window lasts, at least: the longest time from a response to the end that it announced. In ms. */
  readonly minLength: number
  /** When a response last announced it, or a trial left (`HoldReason`). Requests sent before do not raise `remaining`. */
  readonly checkedAt: number
}

/** Units that were spent at about the same time. */
export interface UsageSlice {
  /** When the last of the units was spent, at the latest. */
  readonly at: number
  /** How many units. */
  readonly count: number
}

/** What a page, worker or process does at the gate. */
export interface GatePage {
  /** Requests without a response. Each holds a unit. */
  readonly inFlight: number
  /** When the first of these requests left. */
  readonly since: number
  /** When these requests count as lost. Their units stay spent. */
  readonly expiresAt: number
  /** Until when the page counts as one whose requests wait. */
  readonly waitsUntil: number
  /** Whether a person's request waits there. */
  readonly hasUserRequest: boolean
}

/** The bounds between which the difference of two clocks lies, in ms. */
export interface ClockSkew {
  /** The lower bound, in ms. */
  readonly min: number
  /** The upper bound, in ms. */
  readonly max: number
}

/** A clock that nothing is known about is assumed to be right within two minutes. */
export const unknownClockSkew: ClockSkew = { min: -120_000, max: 120_000 }

export const emptyRecord: GateRecord = {
  updatedAt: 0,
  resets: 0,
  cooldownUntil: 0,
  consecutiveRefusals: 0,
  windows: [],
  concurrency: 1,
  localUsage: [],
  unreportedUnits: 0,
  pages: {},
  skew: unknownClockSkew,
  breaker: closedBreaker,
}

/** The longest wait that a record may hold: a day, plus jitter. In ms. */
const maxWait = day + 1_000
/** The clocks of two tabs differ by less than this, in ms. A larger difference means that the clock was set back. */
export const clockTolerance = 1_000
/** A record with a longer list is not read: it would cost time with every decision. */
const maxItems = 256

const anyNumber = { number: true }
/** The shape of a record. `[0]` means a list of numbers, and `{ '*': 0 }` an object that has numbers under any names. */
const model = {
  ...emptyRecord,
  windows: [{ limit: 0, remaining: 0, serviceReset: 0, resetAt: 0, minLength: 0, checkedAt: 0 }],
  localUsage: [{ at: 0, count: 0 }],
  pages: { '*': { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: 0, hasUserRequest: true } },
  skew: { min: anyNumber, max: anyNumber },
}

/**
 * Reads what a store holds, which may be anything. Of a value that has another shape than a record, only the end of a
 * cool-down counts. No record holds an app up for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!isLike(stored, { updatedAt: 0, cooldownUntil: 0 })) return emptyRecord
  const { updatedAt, cooldownUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, cooldownUntil }
  return mapTimes(record, (time) => Math.min(time, updatedAt + maxWait))
}

function isRecord(stored: unknown): stored is GateRecord {
  // Another version of the package may have stored further fields.
  const hasMore = Object.keys(Object(stored)).length > Object.keys(model).length
  return !hasMore && isLike(stored, model)
}

/** Whether a value has the fields of a model: finite numbers that are not negative, and short lists. */
function isLike<Like>(value: unknown, like: Like): value is Like {
  if (typeof like === 'number') return Number.isFinite(value) && Number(value) >= 0
  if (like === anyNumber) return Number.isFinite(value)
  if (typeof like !== 'object' || like === null) return typeof value === typeof like
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(like)) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  const isList = Array.isArray(like) || '*' in like
  const [anyItem] = Object.values(like)
  if (isList) return fields.size <= maxItems && [...fields.values()].every((field) => isLike(field, anyItem))
  return Object.entries(like).every(([name, item]) => isLike(fields.get(name), item))
}

/** Moves all times back where the machine's clock was set back, so that a wait of a minute stays a minute. */
export function rebaseAfterClockRollback(record: GateRecord, now: number): GateRecord {
  const back = record.updatedAt - now
  if (back <= clockTolerance) return record
  return { ...mapTimes(record, (time) => Math.max(0, time - back)), skew: unknownClockSkew }
}

/** Translates a record for a machine whose clock is ahead by so many ms. Another value stays as it is. */
export function shiftTimes(stored: unknown, by: number): unknown {
  if (by === 0 || !isRecord(stored)) return stored
  const { skew } = stored
  const shifted = mapTimes(stored, (time) => (time === 0 ? 0 : Math.max(0, time + by)))
  return { ...shifted, skew: { min: skew.min - by, max: skew.max - by } }
}

function mapTimes(record: GateRecord, map: (time: number) => number): GateRecord {
  const { updatedAt, cooldownUntil, windows, localUsage, pages, breaker } = record
  return {
    ...record,
    updatedAt: map(updatedAt),
    cooldownUntil: map(cooldownUntil),
    windows: windows.map((window) => ({
      ...window,
      resetAt: map(window.resetAt),
      checkedAt: map(window.checkedAt),
    })),
    localUsage: localUsage.map(({ at, count }) => ({ at: map(at), count })),
    pages: Object.fromEntries(
      Object.entries(pages).map(([id, { since, expiresAt, waitsUntil, ...page }]) => [
        id,
        { ...page, since: map(since), expiresAt: map(expiresAt), waitsUntil: map(waitsUntil) },
      ]),
    ),
    breaker: { ...breaker, since: map(breaker.since), until: map(breaker.until) },
  }
}

/**
 * Joins what a store knows with what a page knows, where either may lack something. If one was reset more often, it counts
 * alone. Else the gate opens no earlier than either allows, and skew and breaker are those of the newer record.
 */
export function joinRecords(stored: GateRecord, known: GateRecord, page: string): GateRecord {
  if (stored.resets !== known.resets) return stored.resets > known.resets ? stored : known
  const newer = stored.updatedAt >= known.updatedAt ? stored : known
  const cooldownUntil = Math.max(stored.cooldownUntil, known.cooldownUntil)
  // The windows of a record that has missed the last refusal are from before it, so they do not count.
  const windows = [stored, known].flatMap((record) => (record.cooldownUntil === cooldownUntil ? record.windows : []))
  // This page knows its own requests best, and the store those of all other pages.
  const { [page]: _, ...others } = stored.pages
  const own = known.pages[page]
  return {
    ...newer,
    cooldownUntil,
    consecutiveRefusals: Math.max(stored.consecutiveRefusals, known.consecutiveRefusals),
    // The windows that end first come first: later windows of the same limits replace them.
    windows: windows
      .sort((one, other) => one.resetAt - other.resetAt)
      .reduce<readonly GateWindow[]>((merged, window) => mergeWindow(merged, window, newer.updatedAt), []),
    concurrency: Math.min(stored.concurrency, known.concurrency),
    unreportedUnits: Math.max(stored.unreportedUnits, known.unreportedUnits),
    // Of two counts of one time, the larger one.
    localUsage: [...stored.localUsage, ...known.localUsage]
      .sort((one, other) => one.at - other.at || other.count - one.count)
      .filter(({ at }, index, all) => at !== all[index - 1]?.at)
      .slice(-maxItems),
    pages: own ? { ...stored.pages, [page]: own } : others,
  }
}

const maxWindows = 4
/** By how much two announcements of one reset may differ: services that count the seconds down round differently. In ms. */
const resetTolerance = 1_000

/**
 * Adds an announced window. Of two windows with one limit the later one counts. Of two announcements of one window the
 * smaller values count, unless the request of the second one left after the first one came.
 *
 * @param now - known windows that have ended by then are replaced
 * @param sentAt - when the request left whose response announces the window. Default: before all, so `remaining` does not rise
 */
export function mergeWindow(
  windows: readonly GateWindow[],
  window: GateWindow,
  now: number,
  sentAt = -1,
): readonly GateWindow[] {
  const known = windows.find(({ limit }) => limit === window.limit)
  const others = windows.filter((other) => other !== known)
  if (!known) return [window, ...others].sort((one, other) => other.resetAt - one.resetAt).slice(0, maxWindows)
  const minLength = Math.max(known.minLength, window.minLength)
  const isLater = window.serviceReset > known.serviceReset + resetTolerance
  if (isLater || known.resetAt <= now) return [{ ...window, minLength }, ...others]
  // An announcement without a reset is about the window that is known.
  const hasReset = window.serviceReset > 0
  if (hasReset && known.serviceReset > window.serviceReset + resetTolerance) return [{ ...known, minLength }, ...others]
  // A request that left after the last announcement may be told more: units that were taken for spent may not have counted.
  const isInOrder = sentAt >= known.checkedAt
  const remaining = isInOrder ? window.remaining : Math.min(known.remaining, window.remaining)
  const resetAt = hasReset ? Math.min(known.resetAt, window.resetAt) : known.resetAt
  const checkedAt = Math.max(known.checkedAt, window.checkedAt)
  return [{ ...known, minLength, remaining, resetAt, checkedAt }, ...others]
}

export function unitsOf(usage: readonly UsageSlice[]): number {
  return usage.reduce((sum, { count }) => sum + count, 0)
}

import { type Breaker, closedBreaker } from './breaker.ts'
import { day } from './plan.ts'

/**
 * All that is known about one API key's quota: plain data, which tabs share. Times are epoch ms of this machine's clock,
 * unless a field names the service's clock.
 */
export interface GateRecord {
  /** When it was last changed, in epoch ms. If the clock reads less, it was set back. */
  readonly updatedAt: number
  /** How many times an app has reset the gate: of two records, that of the last reset counts. */
  readonly resets: number
  /** No request leaves before this time, in epoch ms: the service has said so. */
  readonly cooldownUntil: number
  /** How many cool-downs came closely before the last one. */
  readonly consecutiveRefusals: number
  /** The windows that responses have announced, one for each limit. Ended ones stay for their limits. */
  readonly windows: readonly GateWindow[]
  /** How many may be in flight where no window is known: 1, and one more for each response in a row that names none. */
  readonly concurrency: number
  /** Units spent where no window was known, the oldest first. */
  readonly localUsage: readonly UsageSlice[]
  /** Units that were ever spent by requests whose response did not say what is left. Only differences matter. */
  readonly unreportedUnits: number
  /** The pages that have requests in flight or waiting, by their ids. */
  readonly pages: Readonly<Record<string, GatePage>>
  /** By how much the service's clock may be ahead of this machine's. */
  readonly skew: ClockSkew
  /** Counts calls that fail without a readable response. */
  readonly breaker: Breaker
}

/** A quota and the time in which it may be used. */
export interface GateWindow {
  /** Its number of requests; 0 where the service announced only the remaining ones. */
  readonly limit: number
  /** Requests left, those in flight included. */
  readonly remaining: number
  /** Its end by the service's clock, in epoch ms: tells this window from the next. 0 if none was announced. */
  readonly serviceReset: number
  /** When it has ended, at the latest, in epoch ms. */
  readonly resetAt: number
  /** The longest time from a response to its end, in ms: it lasts at least as long. */
  readonly length: number
  /** When a response announced it last, or a person's call tried whether it is still used up, in epoch ms. */
  readonly checkedAt: number
}

/** Units that were spent at about the same time. */
export interface UsageSlice {
  /** When the last of the units was spent, at the latest, in epoch ms. */
  readonly at: number
  /** How many units. */
  readonly count: number
}

/** What a page, worker or process does at the gate. */
export interface GatePage {
  /** Requests without a response. Each holds a unit. */
  readonly inFlight: number
  /** When the first of them left, in epoch ms. */
  readonly since: number
  /** When they count as lost, in epoch ms. Their units stay spent. */
  readonly expiresAt: number
  /** Until when it counts as one that waits, in epoch ms. */
  readonly waitsUntil: number
  /** Whether a person waits there. */
  readonly hasUserRequest: boolean
}

/** The bounds between which the difference of two clocks lies. */
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

/** Waits are at most a day, plus jitter. In ms. */
const maxWait = day + 1_000
/** Clocks of two tabs differ by less; a clock that was set back differs by more. In ms. */
export const clockTolerance = 1_000
/** Longer lists cost time with every decision. */
const maxItems = 256

const anyNumber = { number: true }
/** A record with one item in each list. */
const model = {
  ...emptyRecord,
  windows: [{ limit: 0, remaining: 0, serviceReset: 0, resetAt: 0, length: 0, checkedAt: 0 }],
  localUsage: [{ at: 0, count: 0 }],
  pages: { '*': { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: 0, hasUserRequest: true } },
  skew: { min: anyNumber, max: anyNumber },
}

/**
 * Reads what a store holds, which may be anything. Of what has another shape, only the end of a cool-down counts. No record
 * holds an app up for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!isLike(stored, { updatedAt: 0, cooldownUntil: 0 })) return emptyRecord
  const { updatedAt, cooldownUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, cooldownUntil }
  const end = updatedAt + maxWait
  const { breaker, windows } = record
  const latest = Math.max(cooldownUntil, breaker.until, ...windows.map(({ resetAt }) => resetAt))
  return latest > end ? mapTimes(record, (time) => Math.min(time, end)) : record
}

function isRecord(stored: unknown): stored is GateRecord {
  // More fields are of another version, or were added by somebody else.
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
  const [[name, item] = [], ...more] = Object.entries(like)
  const isList = Array.isArray(like) || name === '*'
  if (isList) return fields.size <= maxItems && [...fields.values()].every((field) => isLike(field, item))
  return isLike(fields.get(name ?? ''), item) && more.every(([key, one]) => isLike(fields.get(key), one))
}

/** After the machine's clock was set back, moves all times back: a wait of a minute stays one. */
export function rebaseAfterClockRollback(record: GateRecord, now: number): GateRecord {
  const back = record.updatedAt - now
  if (back <= clockTolerance) return record
  return { ...mapTimes(record, (time) => Math.max(0, time - back)), skew: unknownClockSkew }
}

/** The same record by a clock that is ahead by so much. What is no record stays as it is. */
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
 * Joins what a store knows with what a page knows, where either may lack something. A record that was reset more often counts
 * alone. Else the gate opens no earlier than either allows, and of clock skew and breaker the newer one counts.
 */
export function joinRecords(stored: GateRecord, known: GateRecord, page: string): GateRecord {
  if (stored.resets !== known.resets) return stored.resets > known.resets ? stored : known
  const newer = stored.updatedAt >= known.updatedAt ? stored : known
  const cooldownUntil = Math.max(stored.cooldownUntil, known.cooldownUntil)
  // A record that has missed the last refusal has windows from before it.
  const windows = [stored, known].flatMap((record) => (record.cooldownUntil === cooldownUntil ? record.windows : []))
  // Each page knows its own requests: what this one has heard of the others is old.
  const { [page]: _, ...others } = stored.pages
  const own = known.pages[page]
  return {
    ...newer,
    cooldownUntil,
    consecutiveRefusals: Math.max(stored.consecutiveRefusals, known.consecutiveRefusals),
    // What was over by then comes first, to be replaced.
    windows: windows
      .sort((one, other) => one.resetAt - other.resetAt)
      .reduce<readonly GateWindow[]>((merged, window) => mergeWindow(merged, window, newer.updatedAt), []),
    concurrency: Math.min(stored.concurrency, known.concurrency),
    unreportedUnits: Math.max(stored.unreportedUnits, known.unreportedUnits),
    localUsage: unitsOf(stored.localUsage) > unitsOf(known.localUsage) ? stored.localUsage : known.localUsage,
    pages: own ? { ...others, [page]: own } : others,
  }
}

const maxWindows = 4
/** Services that count down to their reset round it differently from response to response. In ms. */
const resetTolerance = 1_000

/**
 * Adds what is known of a window. Of one limit the later window counts, unless it is over. Of one window its smallest values count,
 * but what a later request was told may be more.
 *
 * @param now - what had ended by then is replaced
 * @param sentAt - when the request left whose response announces the window (epoch ms)
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
  const length = Math.max(known.length, window.length)
  const isOver = known.resetAt <= now
  // Without a reset, it speaks of the window that is known.
  const hasReset = window.serviceReset > 0
  if (!isOver && hasReset && known.serviceReset > window.serviceReset + resetTolerance)
    return [{ ...known, length }, ...others]
  if (window.serviceReset > known.serviceReset + resetTolerance || isOver) return [{ ...window, length }, ...others]
  // Its request left after the last announcement: the service may not have counted all units that were taken for spent.
  const isInOrder = sentAt >= known.checkedAt
  const remaining = isInOrder ? window.remaining : Math.min(known.remaining, window.remaining)
  const resetAt = hasReset ? Math.min(known.resetAt, window.resetAt) : known.resetAt
  const checkedAt = Math.max(known.checkedAt, window.checkedAt)
  return [{ ...known, length, remaining, resetAt, checkedAt }, ...others]
}

export function unitsOf(usage: readonly UsageSlice[]): number {
  return usage.reduce((sum, { count }) => sum + count, 0)
}

import { day } from './plan.ts'
import { endWindows, tighterWindow } from './windows.ts'

/**
 * All that is known about one API key's quota: plain data, so that it can be stored and shared between tabs. Times are
 * epoch ms of this machine's clock, unless they are said to be the service's.
 */
export interface GateRecord {
  /** When the record was last changed. A clock that reads less has been set back. */
  readonly updatedAt: number
  /** No request leaves before this time. */
  readonly cooldownUntil: number
  /** When the last cool-down began. A response to a request that left earlier belongs to the same episode. */
  readonly cooldownStartedAt: number
  /** How many cool-downs followed each other closely. */
  readonly consecutive429s: number
  /** The windows that responses have announced, one for each limit. */
  readonly windows: readonly GateWindow[]
  /** How many requests may be under way where no window is known: 1 at first, then 2, 4, … while nothing is announced. */
  readonly maxInFlight: number
  /** Units spent while no window was known, the oldest first. */
  readonly localUsage: readonly UsageSlice[]
  /** Requests under way, by id. */
  readonly inFlight: Readonly<Record<string, InFlightRequest>>
  /** By how much the service's clock may be ahead of this machine's, in ms. */
  readonly skew: ClockSkew
}

export interface GateWindow {
  /** X-RateLimit-Limit; 0 where only the remaining requests were announced. */
  readonly limit: number
  /** Requests left, those under way included. */
  readonly remaining: number
  /** X-RateLimit-Reset by the service's clock: tells this window from the next. */
  readonly reset: number
  /** No earlier than that: when the window ends. */
  readonly resetAt: number
}

/** A request under way holds one unit of the quota. */
export interface InFlightRequest {
  readonly sentAt: number
  /** When it is given up for lost (its tab may be gone). The unit stays spent: the request may have counted. */
  readonly until: number
  /** Units spent meanwhile by requests that were lost: its response may not tell of them. */
  readonly unreportedUnits?: number
}

export interface UsageSlice {
  /** No earlier than that: when the last of them was spent. */
  readonly at: number
  readonly count: number
}

export interface ClockSkew {
  readonly min: number
  readonly max: number
}

/** A clock that nothing is known of is taken to be right within two minutes. */
export const unknownClockSkew: ClockSkew = { min: -120_000, max: 120_000 }

export const emptyRecord: GateRecord = {
  updatedAt: 0,
  cooldownUntil: 0,
  cooldownStartedAt: 0,
  consecutive429s: 0,
  windows: [],
  maxInFlight: 1,
  localUsage: [],
  inFlight: {},
  skew: unknownClockSkew,
}

/** Waits are at most a day, and the slack that is added to them. In ms. */
const maxRecordedWait = day + 1_000

/**
 * A record out of a store, which may hold anything: another version's record, a stranger's data, nothing. Of what is not
 * ours the cool-down alone counts. Whatever it says, nothing keeps an app waiting for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!hasNumbers(stored, 'updatedAt', 'cooldownUntil')) return emptyRecord
  const { updatedAt, cooldownUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, cooldownUntil }
  return mapTimes(record, (time) => Math.min(time, updatedAt + maxRecordedWait))
}

function isRecord(stored: object): stored is GateRecord {
  const { windows, localUsage, inFlight, skew }: { readonly [Field in keyof GateRecord]?: unknown } = stored
  return (
    hasNumbers(stored, 'cooldownStartedAt', 'consecutive429s', 'maxInFlight') &&
    stored.maxInFlight >= 1 &&
    Array.isArray(windows) &&
    windows.every((window) => hasNumbers(window, 'limit', 'remaining', 'reset', 'resetAt')) &&
    Array.isArray(localUsage) &&
    localUsage.every((units) => hasNumbers(units, 'at', 'count')) &&
    isObject(inFlight) &&
    Object.values(inFlight).every(isInFlightRequest) &&
    isObject(skew) &&
    Number.isFinite(skew['min']) &&
    Number.isFinite(skew['max'])
  )
}

function isInFlightRequest(value: unknown): value is InFlightRequest {
  return hasNumbers(value, 'sentAt', 'until') && hasNumbers({ unreportedUnits: 0, ...value }, 'unreportedUnits')
}

/** Whether it has these fields, with finite numbers of 0 or more. */
function hasNumbers<Name extends string>(value: unknown, ...names: readonly Name[]): value is Record<Name, number> {
  return isObject(value) && names.every((name) => Number.isFinite(value[name]) && Number(value[name]) >= 0)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The record with all its times changed alike. */
export function mapTimes(record: GateRecord, change: (time: number) => number): GateRecord {
  return {
    ...record,
    updatedAt: change(record.updatedAt),
    cooldownUntil: change(record.cooldownUntil),
    cooldownStartedAt: change(record.cooldownStartedAt),
    windows: record.windows.map((window) => ({ ...window, resetAt: change(window.resetAt) })),
    localUsage: record.localUsage.map(({ at, count }) => ({ at: change(at), count })),
    inFlight: mapInFlight(record.inFlight, (held) => ({
      ...held,
      sentAt: change(held.sentAt),
      until: change(held.until),
    })),
  }
}

export function mapInFlight(
  inFlight: GateRecord['inFlight'],
  change: (held: InFlightRequest) => InFlightRequest,
): GateRecord['inFlight'] {
  return Object.fromEntries(Object.entries(inFlight).map(([id, held]) => [id, change(held)]))
}

/** The record without a request under way. */
export function withdraw(record: GateRecord, id: string): GateRecord {
  const { [id]: _, ...inFlight } = record.inFlight
  return { ...record, inFlight }
}

/** What must hold if either record does: for when a tab went on alone because the common store did not respond. */
export function mergeRecords(one: GateRecord, other: GateRecord): GateRecord {
  const newer = one.updatedAt >= other.updatedAt ? one : other
  const cooldownStartedAt = Math.max(one.cooldownStartedAt, other.cooldownStartedAt)
  // What a record says that has not heard of the last cool-down is over: a probe has to find out.
  const windowsOf = (record: GateRecord) =>
    record.cooldownStartedAt === cooldownStartedAt ? record.windows : endWindows(record.windows, cooldownStartedAt)
  return {
    ...newer,
    cooldownUntil: Math.max(one.cooldownUntil, other.cooldownUntil),
    cooldownStartedAt,
    consecutive429s: Math.max(one.consecutive429s, other.consecutive429s),
    maxInFlight: Math.min(one.maxInFlight, other.maxInFlight),
    windows: mergeWindows(windowsOf(one), windowsOf(other)),
    // Most of what one of them knows the other knows too: to add them up would double the units each time.
    localUsage: countUnits(one.localUsage) >= countUnits(other.localUsage) ? one.localUsage : other.localUsage,
    // One that has run out was spent where it was known.
    inFlight: Object.fromEntries(
      Object.entries({ ...one.inFlight, ...other.inFlight }).filter(([, { until }]) => until > newer.updatedAt),
    ),
  }
}

function mergeWindows(ones: readonly GateWindow[], others: readonly GateWindow[]): GateWindow[] {
  const alike = (windows: readonly GateWindow[], { limit }: GateWindow) =>
    windows.find((window) => window.limit === limit)
  const joined = ones.map((window) => tighterWindow(window, alike(others, window) ?? window))
  return [...joined, ...others.filter((window) => !alike(ones, window))]
}

export function countUnits(spent: readonly UsageSlice[]): number {
  return spent.reduce((sum, { count }) => sum + count, 0)
}

import { day } from './plan.ts'
import { endWindows, laterOrLess } from './windows.ts'

/**
 * All that is known about one API key's quota: plain data, so that it can be stored and shared between tabs. Times are
 * epoch ms of this machine's clock, unless they are said to be the service's.
 */
export interface GateRecord {
  /** When the record was last changed. A clock that reads less has been set back. */
  readonly updatedAt: number
  /** No request leaves before this time. */
  readonly coolUntil: number
  /** When the last cool-down began. An answer to a request that left earlier belongs to the same episode. */
  readonly limitedAt: number
  /** How many cool-downs followed each other closely. */
  readonly strikes: number
  /** The windows that answers have announced, one for each limit. */
  readonly windows: readonly GateWindow[]
  /** How many requests may be under way where no window is known: 1 at first, then 2, 4, … while nothing is announced. */
  readonly step: number
  /** Units spent while no window was known, the oldest first. */
  readonly unannounced: readonly SpentUnits[]
  /** Requests under way, by id. */
  readonly leases: Readonly<Record<string, Lease>>
  /** By how much the service's clock may be ahead of this machine's, in ms. */
  readonly skew: Skew
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
export interface Lease {
  readonly sentAt: number
  /** When it is given up for lost (its tab may be gone). The unit stays spent: the request may have counted. */
  readonly until: number
  /** Units spent meanwhile by requests that were lost: its answer may not tell of them. */
  readonly missed?: number
}

export interface SpentUnits {
  /** No earlier than that: when the last of them was spent. */
  readonly at: number
  readonly count: number
}

export interface Skew {
  readonly least: number
  readonly most: number
}

/** A clock that nothing is known of is taken to be right within two minutes. */
export const unknownSkew: Skew = { least: -120_000, most: 120_000 }

export const emptyRecord: GateRecord = {
  updatedAt: 0,
  coolUntil: 0,
  limitedAt: 0,
  strikes: 0,
  windows: [],
  step: 1,
  unannounced: [],
  leases: {},
  skew: unknownSkew,
}

/** Waits are at most a day, and the slack that is added to them. In ms. */
const longestWait = day + 1_000

/**
 * A record out of a store, which may hold anything: another version's record, a stranger's data, nothing. Of what is not
 * ours the cool-down alone counts. Whatever it says, nothing keeps an app waiting for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!hasNumbers(stored, 'updatedAt', 'coolUntil')) return emptyRecord
  const { updatedAt, coolUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, coolUntil }
  return mapTimes(record, (time) => Math.min(time, updatedAt + longestWait))
}

function isRecord(stored: object): stored is GateRecord {
  const { windows, unannounced, leases, skew }: { readonly [Field in keyof GateRecord]?: unknown } = stored
  return (
    hasNumbers(stored, 'limitedAt', 'strikes', 'step') &&
    stored.step >= 1 &&
    Array.isArray(windows) &&
    windows.every((window) => hasNumbers(window, 'limit', 'remaining', 'reset', 'resetAt')) &&
    Array.isArray(unannounced) &&
    unannounced.every((units) => hasNumbers(units, 'at', 'count')) &&
    isObject(leases) &&
    Object.values(leases).every(isLease) &&
    isObject(skew) &&
    Number.isFinite(skew['least']) &&
    Number.isFinite(skew['most'])
  )
}

function isLease(value: unknown): value is Lease {
  return hasNumbers(value, 'sentAt', 'until') && hasNumbers({ missed: 0, ...value }, 'missed')
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
    coolUntil: change(record.coolUntil),
    limitedAt: change(record.limitedAt),
    windows: record.windows.map((window) => ({ ...window, resetAt: change(window.resetAt) })),
    unannounced: record.unannounced.map(({ at, count }) => ({ at: change(at), count })),
    leases: mapLeases(record.leases, (lease) => ({
      ...lease,
      sentAt: change(lease.sentAt),
      until: change(lease.until),
    })),
  }
}

export function mapLeases(leases: GateRecord['leases'], change: (lease: Lease) => Lease): GateRecord['leases'] {
  return Object.fromEntries(Object.entries(leases).map(([id, lease]) => [id, change(lease)]))
}

/** The record without a request under way. */
export function withdraw(record: GateRecord, id: string): GateRecord {
  const { [id]: _, ...leases } = record.leases
  return { ...record, leases }
}

/** What must hold if either record does: for when a tab went on alone because the common store did not answer. */
export function mergeRecords(one: GateRecord, other: GateRecord): GateRecord {
  const newer = one.updatedAt >= other.updatedAt ? one : other
  const limitedAt = Math.max(one.limitedAt, other.limitedAt)
  // What a record says that has not heard of the last cool-down is over: a probe has to find out.
  const windowsOf = (record: GateRecord) =>
    record.limitedAt === limitedAt ? record.windows : endWindows(record.windows, limitedAt)
  return {
    ...newer,
    coolUntil: Math.max(one.coolUntil, other.coolUntil),
    limitedAt,
    strikes: Math.max(one.strikes, other.strikes),
    step: Math.min(one.step, other.step),
    windows: mergeWindows(windowsOf(one), windowsOf(other)),
    // Most of what one of them knows the other knows too: to add them up would double the units each time.
    unannounced: countUnits(one.unannounced) >= countUnits(other.unannounced) ? one.unannounced : other.unannounced,
    // One that has run out was spent where it was known.
    leases: Object.fromEntries(
      Object.entries({ ...one.leases, ...other.leases }).filter(([, { until }]) => until > newer.updatedAt),
    ),
  }
}

function mergeWindows(ones: readonly GateWindow[], others: readonly GateWindow[]): GateWindow[] {
  const alike = (windows: readonly GateWindow[], { limit }: GateWindow) =>
    windows.find((window) => window.limit === limit)
  const joined = ones.map((window) => laterOrLess(window, alike(others, window) ?? window))
  return [...joined, ...others.filter((window) => !alike(ones, window))]
}

export function countUnits(spent: readonly SpentUnits[]): number {
  return spent.reduce((sum, { count }) => sum + count, 0)
}

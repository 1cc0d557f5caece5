import { endWindows } from './windows.ts'

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
  readonly windows: readonly QuotaWindow[]
  /** How many requests may be under way where no window is known: 1 at first, then 2, 4, … while nothing is announced. */
  readonly step: number
  /** Units spent while no window was known, the oldest first. */
  readonly unannounced: readonly SpentUnits[]
  /** Requests under way, by id. */
  readonly leases: Readonly<Record<string, Lease>>
  /** By how much the service's clock may be ahead of this machine's, in ms. */
  readonly skew: Skew
}

export interface QuotaWindow {
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

/** More strikes than these make no wait longer. */
export const mostStrikes = 6

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

/** A record out of a store, which may hold anything: another version's record, a stranger's data, nothing. */
export function readRecord(stored: unknown): GateRecord {
  const fields = objectFields(stored)
  return {
    updatedAt: time(fields['updatedAt']),
    coolUntil: time(fields['coolUntil']),
    limitedAt: time(fields['limitedAt']),
    strikes: time(fields['strikes']),
    step: Math.max(1, time(fields['step'])),
    windows: list(fields['windows']).map((window) => ({
      limit: time(window['limit']),
      remaining: time(window['remaining']),
      reset: time(window['reset']),
      resetAt: time(window['resetAt']),
    })),
    unannounced: list(fields['unannounced']).map(({ at, count }) => ({ at: time(at), count: time(count) })),
    leases: Object.fromEntries(
      Object.entries(objectFields(fields['leases'])).map(([id, value]) => {
        const lease = objectFields(value)
        const missed = time(lease['missed'])
        return [id, { sentAt: time(lease['sentAt']), until: time(lease['until']), ...(missed > 0 && { missed }) }]
      }),
    ),
    skew: readSkew(objectFields(fields['skew'])),
  }
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
    unannounced: countUnits(one) >= countUnits(other) ? one.unannounced : other.unannounced,
    // One that has run out was spent where it was known.
    leases: Object.fromEntries(
      Object.entries({ ...one.leases, ...other.leases }).filter(([, { until }]) => until > newer.updatedAt),
    ),
  }
}

/** Of two windows of one limit the later one counts. */
function mergeWindows(ones: readonly QuotaWindow[], others: readonly QuotaWindow[]): QuotaWindow[] {
  const joined = ones.map((window) => {
    const theirs = others.find(({ limit }) => limit === window.limit)
    if (!theirs || theirs.reset < window.reset) return window
    if (theirs.reset > window.reset) return theirs
    return {
      ...window,
      remaining: Math.min(window.remaining, theirs.remaining),
      resetAt: Math.min(window.resetAt, theirs.resetAt),
    }
  })
  return [...joined, ...others.filter((window) => !ones.some(({ limit }) => limit === window.limit))]
}

function countUnits({ unannounced }: GateRecord): number {
  return unannounced.reduce((sum, { count }) => sum + count, 0)
}

function readSkew({ least, most }: Fields): Skew {
  return isNumber(least) && isNumber(most) && least <= most ? { least, most } : unknownSkew
}

type Fields = Readonly<Record<string, unknown>>

function objectFields(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(objectFields) : []
}

function time(value: unknown): number {
  return isNumber(value) && value > 0 ? value : 0
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

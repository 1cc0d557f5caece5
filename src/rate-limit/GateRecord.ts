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
        return [id, { sentAt: time(lease['sentAt']), until: time(lease['until']) }]
      }),
    ),
    skew: readSkew(objectFields(fields['skew'])),
  }
}

/** What must hold if either record does: for when a tab went on alone because the common store did not answer. */
export function mergeRecords(one: GateRecord, other: GateRecord): GateRecord {
  const newer = one.updatedAt >= other.updatedAt ? one : other
  const same = (a: QuotaWindow, b: QuotaWindow) => a.limit === b.limit && a.reset === b.reset
  const onlyOther = other.windows.filter((window) => !one.windows.some((mine) => same(mine, window)))
  return {
    ...newer,
    coolUntil: Math.max(one.coolUntil, other.coolUntil),
    limitedAt: Math.max(one.limitedAt, other.limitedAt),
    strikes: Math.max(one.strikes, other.strikes),
    step: Math.min(one.step, other.step),
    windows: [
      ...one.windows.map((window) => {
        const theirs = other.windows.find((candidate) => same(candidate, window))
        return theirs && theirs.remaining < window.remaining ? { ...window, remaining: theirs.remaining } : window
      }),
      ...onlyOther,
    ],
    unannounced: [...one.unannounced, ...other.unannounced].sort((a, b) => a.at - b.at),
    leases: { ...one.leases, ...other.leases },
  }
}

function readSkew({ least, most }: Fields): Skew {
  const known = typeof least === 'number' && typeof most === 'number' && Number.isFinite(least) && Number.isFinite(most)
  return known && least <= most ? { least, most } : unknownSkew
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
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/**
 * All that is known about one API key's quota: plain data, so that it can be stored and shared between tabs. Times are
 * epoch ms of this machine's clock, unless a field names the service's clock.
 */
export interface GateRecord {
  /** When the record was last changed, in epoch ms. If the clock reads less, it was set back. */
  readonly updatedAt: number
  /** When an app last reset the gate, in epoch ms. What happened earlier is forgotten. */
  readonly clearedAt: number
  /** No request leaves before this time, in epoch ms. */
  readonly cooldownUntil: number
  /** When the last cool-down started, in epoch ms. A response to a request that left earlier belongs to the same episode. */
  readonly cooldownStartedAt: number
  /** The page or worker whose request was refused then, as the `owner` of a batch; empty where they cannot be told apart. */
  readonly cooldownOwner: string
  /** How many cool-downs followed each other closely. */
  readonly consecutiveRefusals: number
  /** The evidence of requests that failed without an explanation. */
  readonly failures: Failures
  /** The windows that responses have announced, one for each limit. */
  readonly windows: readonly GateWindow[]
  /** How many requests may be in flight at once where no window is known: 1 at first, then one more with each response. */
  readonly maxInFlight: number
  /** Units spent while no window was known, the oldest first. */
  readonly localUsage: readonly UsageSlice[]
  /** Requests in flight: those of one page that left within a second together, by the id of the first of them. */
  readonly inFlight: Readonly<Record<string, InFlightBatch>>
  /** How many units requests without a response, or whose response did not report them, have ever spent. */
  readonly lostUnits: number
  /** The pages in which requests wait, by the id of the first request of each page. */
  readonly waiting: Readonly<Record<string, WaitingPage>>
  /** By how much the service's clock may be ahead of this machine's, in ms. */
  readonly skew: ClockSkew
  /**
   * The users that each process of a fleet serves, by the id of its first request. Written by handlers alone, and checked
   * where it is read: pages have no code for it.
   */
  readonly users?: Readonly<Record<string, ProcessUsers>>
}

/** The users of one process: numbers, and no ids. */
export interface ProcessUsers {
  /** How many active users have used no more than their share of the window. */
  readonly within: number
  /** How many units they have used. */
  readonly usedWithin: number
  /** How many active users have used more. */
  readonly beyond: number
  /** How many units those have used. */
  readonly usedBeyond: number
  /** How many users were told that they may take a unit of those that cannot be divided. */
  readonly promised: number
  /** How many units are kept for users to whom they were announced. They count as used above. */
  readonly kept: number
  /** The `reset` of the window that this is about, in epoch ms; 0 where none is known. */
  readonly reset: number
  /** When the process counts as gone if it says nothing more, in epoch ms. */
  readonly until: number
}

/** Failures without an explanation. Of the key they speak only as long as nothing succeeds. */
export interface Failures {
  /** When a response last showed that the key works, in epoch ms; 0 if none has. */
  readonly succeededAt: number
  /** How many calls have failed since. */
  readonly count: number
  /** The status of the last failure; 0 if it had no response. */
  readonly status: number
  /** How many pauses there have been since the last success. */
  readonly pauses: number
  /** When the last pause began, in epoch ms; 0 without one. */
  readonly pausedAt: number
  /** When it ends, in epoch ms; 0 without one. */
  readonly pauseUntil: number
  /** When a request last left since the pauses began, to find out whether they are over, in epoch ms. */
  readonly probedAt: number
  /** How many addresses have failed since the pauses began that had not failed before. */
  readonly newAddresses: number
  /** The addresses whose last request failed, by their ids. */
  readonly addresses: Readonly<Record<string, FailedAddress>>
  /** Whether a gateway's rate refuses requests, and how far apart they leave then. */
  readonly gateway: GatewayPace
}

/** An address whose last request failed. */
export interface FailedAddress {
  /** In epoch ms. */
  readonly failedAt: number
  /** Its Retry-After: no request to it leaves before, in epoch ms. */
  readonly retryAt: number
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
}

/** The pace of requests where a gateway has refused several that left within a second. */
export interface GatewayPace {
  /** When the first of the last second's requests left, in epoch ms. */
  readonly burstAt: number
  /** How many of them failed, each address once. */
  readonly refused: number
  /** How many of them failed in a row; with a pace, how many have since it began. */
  readonly row: number
  /** How many of them have passed; with a pace, how many have since `changedAt`. */
  readonly passed: number
  /** The time between two requests, in ms; 0 without a pace. */
  readonly gap: number
  /** When `gap` last changed, in epoch ms. */
  readonly changedAt: number
  /** When a request last left, in epoch ms. */
  readonly sentAt: number
}

/** A quota and the time in which it may be used. */
export interface GateWindow {
  /** X-RateLimit-Limit; 0 where the service announced only the remaining requests. */
  readonly limit: number
  /** Requests left, those in flight included. */
  readonly remaining: number
  /** X-RateLimit-Reset by the service's clock, in epoch ms: tells this window from the next. */
  readonly reset: number
  /** When the window has ended, at the latest, in epoch ms. */
  readonly resetAt: number
  /** The longest time from a response to its end, in ms: it lasts at least as long. */
  readonly span?: number
  /** How many responses in a row contradicted it, since a limit appeared that was unknown before. */
  readonly contradictions?: number
}

/** Requests that hold one unit of the quota each until their responses. */
export interface InFlightBatch {
  /** How many requests. */
  readonly count: number
  /** When the first of them left, in epoch ms. */
  readonly since: number
  /** The page or worker that has sent them, where others can tell whether it still exists. */
  readonly owner?: string
  /** When they count as lost, in epoch ms (their tab may be gone). The units stay spent: the service may have counted the requests. */
  readonly until: number
}

/** A page in which requests wait, so that other pages leave it its share. */
export interface WaitingPage {
  /** Whether requests of users wait. */
  readonly user: boolean
  /** Whether background requests wait. */
  readonly background: boolean
  /** When it can have its turn, at the earliest, in epoch ms. It counts as waiting for a second from then. */
  readonly from: number
  /** How many units it has got while other pages waited, to compare with theirs. */
  readonly served: number
  /** As that of a batch in flight. */
  readonly owner?: string
}

/** The longest list of pages that wait. */
export const maxWaitingPages = 33

/** Units that were spent at about the same time. */
export interface UsageSlice {
  /** When the last of them was spent, at the latest, in epoch ms. */
  readonly at: number
  /** How many units. */
  readonly count: number
}

/** The bounds between which the difference of two clocks lies, in ms. */
export interface ClockSkew {
  /** ms. */
  readonly min: number
  /** ms. */
  readonly max: number
}

/** A clock that nothing is known about is assumed to be right within two minutes. */
export const unknownClockSkew: ClockSkew = { min: -120_000, max: 120_000 }

export const noFailures: Failures = {
  succeededAt: 0,
  count: 0,
  status: 0,
  pauses: 0,
  pausedAt: 0,
  pauseUntil: 0,
  probedAt: 0,
  newAddresses: 0,
  addresses: {},
  gateway: { burstAt: 0, refused: 0, row: 0, passed: 0, gap: 0, changedAt: 0, sentAt: 0 },
}

export const emptyRecord: GateRecord = {
  updatedAt: 0,
  clearedAt: 0,
  cooldownUntil: 0,
  cooldownStartedAt: 0,
  cooldownOwner: '',
  consecutiveRefusals: 0,
  failures: noFailures,
  windows: [],
  maxInFlight: 1,
  localUsage: [],
  inFlight: {},
  lostUnits: 0,
  waiting: {},
  skew: unknownClockSkew,
}

/** The fields that hold a time of this machine's clock; `reset` and `skew` are about the service's. */
const timeName = /(At|Until)$|^(at|from|since|until)$/

/** Changes all times of this machine's clock in a record. */
export function mapTimes(record: GateRecord, change: (time: number) => number): GateRecord {
  function map(value: unknown, name: string): unknown {
    if (typeof value === 'number') return timeName.test(name) ? change(value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => map(item, ''))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item, key)]))
  }
  // Numbers become numbers and all else stays, but a function over any fields has no type for that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return map(record, '') as GateRecord
}

/** Clocks of two tabs differ by less; a clock that was set back differs by more. In ms. */
export const clockTolerance = 1_000

/** Moves all times back after the machine's clock was set back, so that a wait of a minute does not become an hour. */
export function rebaseAfterClockRollback(record: GateRecord, now: number): GateRecord {
  const rollback = record.updatedAt - now
  if (rollback <= clockTolerance) return record
  return { ...mapTimes(record, (time) => Math.max(0, time - rollback)), skew: unknownClockSkew }
}

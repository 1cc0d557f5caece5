import type { OwnBatches } from '../RateLimitStore.ts'
import type { GateRecord } from '../GateRecord.ts'
import { addInFlight, liveWindows, removeInFlight, spendUnits } from '../windows.ts'
import { hasRivals } from '../turns.ts'
import type { CustomRate } from '../plan.ts'
import { isOutage } from '../failures.ts'
import { unitsLeft } from '../gate.ts'

/** Units that a process holds for its next requests. In the record they are in flight, as if they had left. */
interface Allotment {
  readonly batch: string
  readonly count: number
  /** When the process has to give back what it has not used, in ms of the monotonic clock. */
  readonly until: number
}

export const noAllotment: Allotment = { batch: '', count: 0, until: 0 }

/** An allotment that is the process's once the update of the store has succeeded. */
export interface ProposedAllotment extends Allotment {
  /** How many units of the allotment before were used when it was proposed: the record still holds them. */
  readonly usedBefore: number
}

/** Counts the units that a process holds ahead of its requests, also while an update changes them. */
export interface HeldUnits {
  readonly batch: string
  /** How many the store holds for the process that it has not used. */
  readonly unused: number
  /** How many the process may use without asking the store, whatever becomes of an update that is under way. */
  readonly available: () => number
  /** Whether few are left of those that it took, and no update takes others yet. */
  readonly isLow: boolean
  readonly propose: (allotment: Allotment) => ProposedAllotment
  /** Remembers the last proposal of the update that is under way. */
  readonly begin: (proposed: ProposedAllotment | undefined) => void
  readonly commit: (proposed: ProposedAllotment) => void
  readonly use: (units: number) => void
}

/** A process takes units again once it has one part of so many left: its calls do not wait for the store then. */
const lowParts = 8

/** @param monotonic - ms since some moment */
export function createHeldUnits(monotonic: () => number): HeldUnits {
  /** As it is in the store. */
  let allotment = noAllotment
  /** How many of its units have been used since. */
  let used = 0
  let proposal: ProposedAllotment | undefined

  return {
    get batch() {
      return allotment.batch
    },
    get unused() {
      return allotment.count - used
    },
    available: () => {
      if (monotonic() >= allotment.until) return 0
      const unused = allotment.count - used
      if (!proposal) return unused
      const left = proposal.count - (used - proposal.usedBefore)
      return proposal.batch === allotment.batch ? Math.min(unused, left) : 0
    },
    get isLow() {
      const { count } = allotment
      return proposal === undefined && count > 0 && (count - used) * lowParts <= count
    },
    propose: (next) => ({ ...next, usedBefore: used }),
    begin: (proposed) => {
      proposal = proposed
    },
    commit: (proposed) => {
      allotment = proposed
      used -= proposed.usedBefore
      proposal = undefined
    },
    use: (units) => {
      used += units
    },
  }
}

/** Older batches are over. */
const maxBatches = 64

export function createOwnBatches(): OwnBatches {
  const own = new Set<string>()
  const filter = (record: GateRecord, isKept: (id: string) => boolean): GateRecord => ({
    ...record,
    inFlight: Object.fromEntries(Object.entries(record.inFlight).filter(([id]) => isKept(id))),
  })
  return {
    note: (before, after) => {
      if (before.inFlight === after.inFlight) return
      for (const id of Object.keys(after.inFlight)) if (!(id in before.inFlight)) own.add(id)
      for (const id of own) if (own.size > maxBatches) own.delete(id)
    },
    divide: (stored, inMemory, hasLost) => [
      filter(stored, (id) => !own.has(id)),
      hasLost ? inMemory : filter(inMemory, (id) => own.has(id)),
    ],
  }
}

/**
 * How long the units of a process count as in flight if it says nothing more, in ms. A process that was killed holds
 * others up for so long, and loses the units that it held.
 */
export const leaseTime = 5_000
/** The longest lease, in ms. */
const maxLeaseTime = 60_000
/** A long lease ends so long before its window, in ms: it is to hold nothing of the next one. */
const leaseMargin = 1_000
/** How long before that the process gives back what it has not used, in ms. */
const renewalMargin = 500

/** How long a process holds units. Times in ms. */
export interface Lease {
  readonly time: number
  /** When the process has to renew it. */
  readonly renewal: number
  /** Whether nobody needs what is held: what a killed process loses until the reset is small. */
  readonly isLong: boolean
  /** Whether a process goes on to hold units when all its requests have ended. */
  readonly outlastsRequests: boolean
}

const shortLease: Lease = { time: leaseTime, renewal: leaseTime / 2, isLong: false, outlastsRequests: false }

/** Where most of a window is left and nobody waits, a lease lasts as long as the window: a renewal would tell nobody anything. */
export function leaseOf(record: GateRecord, page: string, now: number): Lease {
  const windows = liveWindows(record, now)
  const isTight = windows.length === 0 || windows.some(({ limit, remaining }) => remaining * 2 < limit)
  const endsIn = Math.min(...windows.map(({ resetAt }) => resetAt)) - now - leaseMargin
  if (isTight || isOutage(record) || hasRivals(record, page, now)) return shortLease
  if (endsIn <= leaseTime) return { ...shortLease, outlastsRequests: true }
  const long = { isLong: true, outlastsRequests: true }
  if (endsIn <= maxLeaseTime) return { ...long, time: endsIn, renewal: endsIn - renewalMargin }
  return { ...long, time: maxLeaseTime, renewal: maxLeaseTime / 2 }
}

/** Renews batches that a process still holds. Those that have expired are spent, and stay so. */
export function renewLeases(record: GateRecord, batches: Iterable<string>, now: number, { time }: Lease): GateRecord {
  let { inFlight } = record
  for (const id of batches) {
    const batch = inFlight[id]
    const until = now + time
    if (batch && until - batch.until >= leaseTime / 4) inFlight = { ...inFlight, [id]: { ...batch, until } }
  }
  return inFlight === record.inFlight ? record : { ...record, inFlight, updatedAt: now }
}

/** Adds units that no request uses yet to a batch, new or not. */
export function holdUnits(record: GateRecord, batch: string, count: number, now: number, { time }: Lease): GateRecord {
  return { ...addInFlight(record, { batch, holdFor: time }, now, count), updatedAt: now }
}

/**
 * Spends the batches of other processes, where nobody can say how they end: else this one would wait for them. Their units
 * were spent when they were renewed last, perhaps in an earlier window.
 */
export function spendOthers(record: GateRecord, own: ReadonlySet<string>, now: number, pace: CustomRate): GateRecord {
  const others = Object.entries(record.inFlight).filter(([id]) => !own.has(id))
  return others.reduce((known, [id, { count, until }]) => {
    const spentAt = Math.min(now, until - leaseTime)
    const { lostUnits } = known
    // No response to another process has to leave them out: its own responses count them.
    return { ...spendUnits(removeInFlight(known, id, count), count, spentAt, pace), lostUnits }
  }, record)
}

/** Counts what has been used in the current period and in the one before. */
interface RecentUsage {
  readonly count: (units: number) => void
  readonly total: () => number
}

/**
 * @param period - in ms
 * @param monotonic - ms since some moment
 */
export function createRecentUsage(period: number, monotonic: () => number): RecentUsage {
  let current = 0
  let before = 0
  let startedAt = 0

  function advance(): void {
    const passed = Math.floor((monotonic() - startedAt) / period)
    if (passed < 1) return
    before = passed === 1 ? current : 0
    current = 0
    startedAt += passed * period
  }

  return {
    count: (units) => {
      advance()
      current += units
    },
    total: () => {
      advance()
      return current + before
    },
  }
}

/** A process takes one part of so many of what is left. Near the end that is nothing, and each unit is asked for. */
const parts = 8
/** With a long lease it takes fewer: others may need them later. */
const partsOfLongLease = 16

/** How many units a process takes ahead, by how many it has used lately. */
export function allotmentSize(
  record: GateRecord,
  page: string,
  used: number,
  now: number,
  pace: CustomRate,
  { isLong }: Lease,
): number {
  if (liveWindows(record, now).length === 0 || isOutage(record)) return 0
  if (hasRivals(record, page, now)) return 0
  // The only call of a process may be its last.
  if (used <= 1) return 0
  // Background requests leave a part to people, and so does what is taken ahead.
  const left = unitsLeft(record, 'background', now, pace)
  return Math.max(0, Math.min(used, Math.floor(left / (isLong ? partsOfLongLease : parts))))
}

import type { GateRecord } from '../GateRecord.ts'
import { removeInFlight, spendUnits } from '../windows.ts'
import type { CustomRate } from '../plan.ts'

/**
 * How long the units of a process count as in flight if it says nothing more, in ms. A process that was killed holds
 * others up for so long, and loses the units that it held.
 */
export const leaseTime = 5_000

/** A process renews what it holds after this time, in ms. */
export const renewalTime: number = leaseTime / 2

/** Renews batches that a process still holds. Those that have expired are spent, and stay so. */
export function renewLeases(record: GateRecord, batches: Iterable<string>, now: number): GateRecord {
  let { inFlight } = record
  for (const id of batches) {
    const batch = inFlight[id]
    const until = now + leaseTime
    if (batch && until - batch.until >= renewalTime / 2) inFlight = { ...inFlight, [id]: { ...batch, until } }
  }
  return inFlight === record.inFlight ? record : { ...record, inFlight, updatedAt: now }
}

/** Adds units to a batch, new or not. */
export function holdUnits(record: GateRecord, batch: string, count: number, now: number): GateRecord {
  const { count: held = 0, since = now } = record.inFlight[batch] ?? {}
  const inFlight = { ...record.inFlight, [batch]: { count: held + count, since, until: now + leaseTime } }
  return { ...record, inFlight, updatedAt: now }
}

/**
 * Spends the batches of other processes, where nobody can say how they end: else this one would wait for them. Their units
 * were spent when they were renewed last, perhaps in an earlier window.
 */
export function spendOthers(record: GateRecord, own: ReadonlySet<string>, now: number, pace: CustomRate): GateRecord {
  const others = Object.entries(record.inFlight).filter(([id]) => !own.has(id))
  return others.reduce((known, [id, { count, until }]) => {
    const spentAt = Math.min(now, until - leaseTime)
    return spendUnits(removeInFlight(known, id, count), count, spentAt, pace)
  }, record)
}

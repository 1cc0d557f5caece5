import type { GateRecord } from './GateRecord.ts'
import { nextLossAt, removeInFlight } from './inFlight.ts'
import type { CustomRate } from './plan.ts'
import { rebaseAfterClockRollback } from './rebaseAfterClockRollback.ts'
import { spendUnits } from './spendUnits.ts'

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

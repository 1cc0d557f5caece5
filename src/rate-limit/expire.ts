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

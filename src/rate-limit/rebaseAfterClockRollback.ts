import { type GateRecord, unknownClockSkew } from './GateRecord.ts'
import { mapTimes } from './mapTimes.ts'

/** Clocks of two tabs differ by less; a clock that was set back differs by more. In ms. */
export const clockTolerance = 1_000

/** Moves all times back after the machine's clock was set back, so that a wait of a minute does not become an hour. */
export function rebaseAfterClockRollback(record: GateRecord, now: number): GateRecord {
  const rollback = record.updatedAt - now
  if (rollback <= clockTolerance) return record
  return { ...mapTimes(record, (time) => Math.max(0, time - rollback)), skew: unknownClockSkew }
}

import { type GateRecord, mapInFlight, mapTimes, unknownClockSkew, withdraw } from './GateRecord.ts'
import type { Pace } from './plan.ts'
import { liveWindows, spendOne } from './windows.ts'

/** The clocks of two tabs differ by less; a clock that was set back, by more. In ms. */
export const clockTolerance = 1_000

/** What time alone has done to a record. The same object where that is nothing. */
export function expire(stored: GateRecord, now: number, pace: Pace): GateRecord {
  let record = rebaseAfterClockRollback(stored, now)
  for (const [id, { until }] of Object.entries(record.inFlight)) {
    // Spent then, not now: who looks again later must come to the same end.
    if (until <= now) record = spendUnit(withdraw(record, id), until, pace)
  }
  return record
}

/** Takes one unit from what is left: of a request that may have counted, and whose response does not tell. */
export function spendUnit(record: GateRecord, now: number, pace: Pace): GateRecord {
  const inFlight = mapInFlight(record.inFlight, (held) => ({
    ...held,
    unreportedUnits: (held.unreportedUnits ?? 0) + 1,
  }))
  if (liveWindows(record, now).length > 0) return { ...record, inFlight, windows: record.windows.map(spendOne) }
  // In slices of time, so that no pace makes a long record.
  const slice = Math.ceil(pace.per / 600)
  const at = Math.ceil(now / slice) * slice
  const recent = record.localUsage.filter((units) => units.at + pace.per > now)
  const last = recent.at(-1)
  const localUsage =
    last && last.at >= at ? recent.with(-1, { at: last.at, count: last.count + 1 }) : [...recent, { at, count: 1 }]
  return { ...record, inFlight, localUsage }
}

/** A machine's clock was set back: what was a wait of a minute then must not become one of an hour. */
export function rebaseAfterClockRollback(record: GateRecord, now: number): GateRecord {
  const by = record.updatedAt - now
  if (by <= clockTolerance) return record
  return { ...mapTimes(record, (time) => Math.max(0, time - by)), skew: unknownClockSkew }
}

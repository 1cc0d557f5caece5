import type { GateRecord } from './GateRecord.ts'
import { mapInFlight } from './inFlight.ts'
import { addLocalUsage } from './localUsage.ts'
import type { CustomRate } from './plan.ts'
import { liveWindows, spendOne } from './windows.ts'

/** Takes one unit from the quota, for a request that may have counted and whose response does not say. */
export function spendUnit(record: GateRecord, now: number, pace: CustomRate): GateRecord {
  const inFlight = mapInFlight(record.inFlight, (request) => ({
    ...request,
    unreportedUnits: (request.unreportedUnits ?? 0) + 1,
  }))
  if (liveWindows(record, now).length > 0) return { ...record, inFlight, windows: record.windows.map(spendOne) }
  return { ...record, inFlight, localUsage: addLocalUsage(record.localUsage, now, pace) }
}

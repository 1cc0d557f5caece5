import type { GateRecord } from './GateRecord.ts'
import { addLocalUsage } from './localUsage.ts'
import type { CustomRate } from './plan.ts'
import { liveWindows, spend } from './windows.ts'

/** Takes units from the quota, for requests that may have counted and whose responses do not say. */
export function spendUnits(record: GateRecord, count: number, now: number, pace: CustomRate): GateRecord {
  const spent = { ...record, lostUnits: record.lostUnits + count }
  if (liveWindows(record, now).length > 0) return { ...spent, windows: record.windows.map((one) => spend(one, count)) }
  return { ...spent, localUsage: addLocalUsage(record.localUsage, count, now, pace) }
}

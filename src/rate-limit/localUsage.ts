import type { UsageSlice } from './GateRecord.ts'
import type { CustomRate } from './plan.ts'

/** Adds units, and drops slices that are older than the pace's window. */
export function addLocalUsage(
  localUsage: readonly UsageSlice[],
  count: number,
  now: number,
  pace: CustomRate,
): UsageSlice[] {
  // One entry for each slice of time bounds the size of the record, whatever the pace.
  const slice = Math.ceil(pace.per / 600)
  const at = Math.ceil(now / slice) * slice
  const recent = recentSlices(localUsage, now, pace)
  const last = recent.at(-1)
  if (last && last.at >= at) return recent.with(-1, { at: last.at, count: last.count + count })
  return [...recent, { at, count }]
}

export function countUnits(localUsage: readonly UsageSlice[]): number {
  return localUsage.reduce((sum, { count }) => sum + count, 0)
}

/** When fewer than `room` units lie in the pace's window (epoch ms); infinite if `room` is not positive. */
export function paceOpensAt(localUsage: readonly UsageSlice[], room: number, pace: CustomRate, now: number): number {
  const recent = recentSlices(localUsage, now, pace)
  let count = countUnits(recent)
  if (count < room) return now
  for (const slice of recent) {
    count -= slice.count
    if (count < room) return slice.at + pace.per
  }
  return Infinity
}

function recentSlices(localUsage: readonly UsageSlice[], now: number, pace: CustomRate): UsageSlice[] {
  return localUsage.filter(({ at }) => at + pace.per > now)
}

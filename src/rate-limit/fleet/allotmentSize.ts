import { isOutage } from '../failures.ts'
import { unitsLeft } from '../gate.ts'
import type { GateRecord } from '../GateRecord.ts'
import type { CustomRate } from '../plan.ts'
import { liveWindows } from '../windows.ts'

/** A process takes one part of so many of what is left. Near the end that is nothing, and each unit is asked for. */
const parts = 8

/** How many units a process takes ahead, by how many it has used lately. */
export function allotmentSize(record: GateRecord, page: string, used: number, now: number, pace: CustomRate): number {
  if (liveWindows(record, now).length === 0 || isOutage(record)) return 0
  if (hasRivals(record, page, now)) return 0
  // The only call of a process may be its last.
  if (used <= 1) return 0
  // Background requests leave a part to people, and so does what is taken ahead.
  return Math.max(0, Math.min(used, Math.floor(unitsLeft(record, 'background', now, pace) / parts)))
}

/** Whether another process waits, or is about to. Then units are taken in turns. */
export function hasRivals({ waiting }: GateRecord, page: string, now: number): boolean {
  return Object.entries(waiting).some(
    ([id, { user, background, from }]) => id !== page && (user || background) && from + 1_000 > now,
  )
}

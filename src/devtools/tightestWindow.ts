import type { GateRecord, GateWindow } from '../rate-limit/GateRecord.ts'
import { liveWindows } from '../rate-limit/windows.ts'

/** The window that holds requests back first; `undefined` if none is known. */
export function tightestWindow(record: GateRecord, now: number): GateWindow | undefined {
  const [first] = liveWindows(record, now).sort((one, other) => one.remaining - other.remaining)
  return first
}

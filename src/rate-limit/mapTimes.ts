import type { GateRecord } from './GateRecord.ts'
import { mapInFlight } from './inFlight.ts'

/** Changes all times of this machine's clock in a record. */
export function mapTimes(record: GateRecord, change: (time: number) => number): GateRecord {
  return {
    ...record,
    updatedAt: change(record.updatedAt),
    clearedAt: change(record.clearedAt),
    cooldownUntil: change(record.cooldownUntil),
    cooldownStartedAt: change(record.cooldownStartedAt),
    windows: record.windows.map((window) => ({ ...window, resetAt: change(window.resetAt) })),
    localUsage: record.localUsage.map(({ at, count }) => ({ at: change(at), count })),
    inFlight: mapInFlight(record.inFlight, (request) => ({
      ...request,
      sentAt: change(request.sentAt),
      until: change(request.until),
    })),
  }
}

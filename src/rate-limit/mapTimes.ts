import type { GateRecord } from './GateRecord.ts'

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
    inFlight: mapValues(record.inFlight, ({ count, until }) => ({ count, until: change(until) })),
    waiting: mapValues(record.waiting, (page) => ({ ...page, from: change(page.from) })),
  }
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

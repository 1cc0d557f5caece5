import type { Failures, GateRecord } from './GateRecord.ts'

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
    inFlight: mapValues(record.inFlight, (batch) => ({
      ...batch,
      since: change(batch.since),
      until: change(batch.until),
    })),
    failures: mapFailures(record.failures, change),
    waiting: mapValues(record.waiting, (page) => ({ ...page, from: change(page.from) })),
  }
}

function mapFailures(failures: Failures, change: (time: number) => number): Failures {
  const { gateway } = failures
  return {
    ...failures,
    succeededAt: change(failures.succeededAt),
    pausedAt: change(failures.pausedAt),
    pauseUntil: change(failures.pauseUntil),
    probedAt: change(failures.probedAt),
    addresses: mapValues(failures.addresses, (address) => ({
      ...address,
      failedAt: change(address.failedAt),
      retryAt: change(address.retryAt),
    })),
    gateway: {
      ...gateway,
      burstAt: change(gateway.burstAt),
      changedAt: change(gateway.changedAt),
      sentAt: change(gateway.sentAt),
    },
  }
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

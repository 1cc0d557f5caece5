import { mergeFailures } from './failures.ts'
import { emptyRecord, type GateRecord, type GateWindow } from './GateRecord.ts'
import { countUnits } from './localUsage.ts'
import { maxWaitingPages } from './turns.ts'
import { endWindows, tighterWindow } from './windows.ts'

/** Merges two records of one key so that the gate opens no earlier than either of them allows. */
export function mergeRecords(first: GateRecord, second: GateRecord): GateRecord {
  const clearedAt = Math.max(first.clearedAt, second.clearedAt)
  const one = clear(first, clearedAt)
  const other = clear(second, clearedAt)
  const newer = one.updatedAt >= other.updatedAt ? one : other
  const cooldownStartedAt = Math.max(one.cooldownStartedAt, other.cooldownStartedAt)
  // A record without the last cool-down has outdated windows: a probe has to find out what is left.
  const windowsOf = (record: GateRecord) =>
    record.cooldownStartedAt === cooldownStartedAt ? record.windows : endWindows(record.windows, cooldownStartedAt)
  return {
    ...newer,
    clearedAt,
    cooldownUntil: Math.max(one.cooldownUntil, other.cooldownUntil),
    cooldownStartedAt,
    consecutiveRefusals: Math.max(one.consecutiveRefusals, other.consecutiveRefusals),
    failures: mergeFailures(one.failures, other.failures),
    maxInFlight: Math.min(one.maxInFlight, other.maxInFlight),
    windows: mergeWindows(windowsOf(one), windowsOf(other)),
    // Not the sum: both records know most of the units, and a sum would double them with each merge.
    localUsage: countUnits(one.localUsage) >= countUnits(other.localUsage) ? one.localUsage : other.localUsage,
    // Expired requests are left out: the record that knew them has spent their units.
    inFlight: Object.fromEntries(
      Object.entries(mergeInFlight(one.inFlight, other.inFlight)).filter(([, { until }]) => until > newer.updatedAt),
    ),
    lostUnits: Math.max(one.lostUnits, other.lostUnits),
    waiting: Object.fromEntries(
      Object.entries({ ...one.waiting, ...other.waiting, ...newer.waiting }).slice(-maxWaitingPages),
    ),
  }
}

/** Of a batch that both know, one record is outdated. Too many in flight only cost units. */
function mergeInFlight(ones: GateRecord['inFlight'], others: GateRecord['inFlight']): GateRecord['inFlight'] {
  const merged = { ...others }
  for (const [id, batch] of Object.entries(ones)) if (batch.count > (others[id]?.count ?? 0)) merged[id] = batch
  return merged
}

/** Forgets what a record knows from before a reset that it has missed. */
function clear(record: GateRecord, clearedAt: number): GateRecord {
  if (record.clearedAt === clearedAt || record.cooldownStartedAt > clearedAt) return record
  const { updatedAt, inFlight, lostUnits, skew } = record
  return { ...emptyRecord, updatedAt, inFlight, lostUnits, skew }
}

function mergeWindows(ones: readonly GateWindow[], others: readonly GateWindow[]): GateWindow[] {
  const sameLimit = (windows: readonly GateWindow[], { limit }: GateWindow) =>
    windows.find((window) => window.limit === limit)
  const merged = ones.map((window) => tighterWindow(window, sameLimit(others, window) ?? window))
  return [...merged, ...others.filter((window) => !sameLimit(ones, window))]
}

import type { CacheEntry } from './cacheEntries.ts'
import { causeOf } from './timeline.ts'
import { describeRecord } from './describeRecord.ts'
import { explainWait } from './explainWait.ts'
import type { GateHistory } from './gateHistory.ts'

/**
 * What the panel shows, as JSON text for a bug report. Has no API key, no body, no input, and no scope, which may name a
 * user.
 */
export function reportText({ calls, timeline, inspection, hasStoreFailed }: GateHistory, cache: readonly CacheEntry[]) {
  const cause = inspection && causeOf(timeline, inspection.record)
  const report = {
    at: inspection?.at,
    hasStoreFailed,
    gate: inspection && describeRecord(inspection, cause),
    record: inspection?.record,
    waiting: inspection?.waiting.map((call) => ({ ...call, why: explainWait(call, inspection, cause) })),
    calls,
    cache: cache.map(({ operation, status, problem, updatedAt }) => ({ operation, status, problem, updatedAt })),
    timeline: { slots: timeline.slots, cooldowns: timeline.cooldowns },
  }
  return JSON.stringify(report, undefined, 2)
}

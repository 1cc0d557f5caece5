import { day } from '../plan.ts'

/** Names the records that were last written two days before the newest: all of their waits are over. */
export function outdatedNames(records: Iterable<readonly [name: string, record: unknown]>, newest: unknown): string[] {
  const before = updatedAt(newest) - 2 * day
  return [...records].filter(([, record]) => updatedAt(record) < before).map(([name]) => name)
}

function updatedAt(record: unknown): number {
  const isRecord = typeof record === 'object' && record !== null && 'updatedAt' in record
  return isRecord && typeof record.updatedAt === 'number' ? record.updatedAt : 0
}

import { day } from '../plan.ts'

/** Whether a record was last written two days before the newest one: all of its waits are over. */
export function isOutdated(record: unknown, newest: unknown): boolean {
  return updatedAt(record) < updatedAt(newest) - 2 * day
}

function updatedAt(record: unknown): number {
  const isRecord = typeof record === 'object' && record !== null && 'updatedAt' in record
  return isRecord && typeof record.updatedAt === 'number' ? record.updatedAt : 0
}

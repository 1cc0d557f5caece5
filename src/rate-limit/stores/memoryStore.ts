import { createListeners } from '../listeners.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import { day } from '../plan.ts'

/** That a record was written. */
export interface RecordChange {
  readonly name: string
  readonly record: unknown
}

/** A store of its own, for tests and for stories that must not meet. */
export function createMemoryStore(): RateLimitStore {
  const records = new Map<string, unknown>()
  const listeners = createListeners<RecordChange>()
  return {
    update: async (name, change) => {
      const stored = records.get(name)
      const changed = change(stored)
      if (changed === stored) return
      if (stored === undefined) for (const old of outdatedNames(records, changed)) records.delete(old)
      records.set(name, changed)
      listeners.call({ name, record: changed })
    },
    subscribe: (name, listener) =>
      listeners.add((news) => {
        if (news.name === name) listener(news.record)
      }),
  }
}

const shared = Symbol.for('petstore-react.memory-store')

/**
 * The one memory store of this page or process: clients that did not share it would not know of each other's
 * cool-downs. Registered under a global symbol, so that two copies of the package share it too.
 */
export function memoryStore(): RateLimitStore {
  const globals: typeof globalThis & { [shared]?: RateLimitStore } = globalThis
  globals[shared] ??= createMemoryStore()
  return globals[shared]
}

/** Records that nothing was heard of for two days: whatever they say is over by now. */
export function outdatedNames(records: Iterable<readonly [name: string, record: unknown]>, newest: unknown): string[] {
  const before = updatedAt(newest) - 2 * day
  return [...records].filter(([, record]) => updatedAt(record) < before).map(([name]) => name)
}

function updatedAt(record: unknown): number {
  const isRecord = typeof record === 'object' && record !== null && 'updatedAt' in record
  return isRecord && typeof record.updatedAt === 'number' ? record.updatedAt : 0
}

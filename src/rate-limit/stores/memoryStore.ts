import { createListeners } from '../../base/listeners.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import { isOutdated } from '../records.ts'

/** A store sends it to its listeners when a record has been written. */
export interface RecordChange {
  readonly name: string
  readonly record: unknown
}

/** Creates a store that shares nothing with other stores, for tests and stories. */
export function createMemoryStore(): RateLimitStore {
  const records = new Map<string, unknown>()
  const listeners = createListeners<RecordChange>()
  return {
    inMemory: true,
    update: async (name, change) => {
      const stored = records.get(name)
      const changed = change(stored)
      if (changed === stored) return
      if (stored === undefined) {
        for (const [other, record] of records) if (isOutdated(record, changed)) records.delete(other)
      }
      records.set(name, changed)
      listeners.call({ name, record: changed })
    },
    subscribe: (name, listener) =>
      listeners.add((change) => {
        if (change.name === name) listener(change.record)
      }),
  }
}

const shared = Symbol.for('petstore-react.memory-store')

/**
 * The one memory store of this page or process: clients with stores of their own would not know each other's cool-downs.
 * A global symbol holds it, so that two copies of the package share it.
 */
export function memoryStore(): RateLimitStore {
  const globals: typeof globalThis & { [shared]?: RateLimitStore } = globalThis
  globals[shared] ??= createMemoryStore()
  return globals[shared]
}

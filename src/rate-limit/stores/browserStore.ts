import { createListeners } from '../../base/listeners.ts'
import { isOutdated, type RateLimitStore, type RecordChange } from '../RateLimitStore.ts'
import { createRecordDatabase } from './recordDatabase.ts'

const storeName = 'petstore-rate-limit'

/**
 * Creates a store that all tabs and workers of an origin share and that survives a reload. It uses IndexedDB because its
 * read-write transactions are atomic across tabs; a lock around localStorage is not enough, because other tabs see its
 * writes late. A BroadcastChannel carries each new record to the other tabs.
 */
export function createBrowserStore(): RateLimitStore {
  const listeners = createListeners<RecordChange>()
  const database = createRecordDatabase(storeName)
  let isFirst = true
  let channel: BroadcastChannel | undefined

  return {
    update: async (name, change) => {
      const written = await database.update(name, change)
      if (written === undefined) return
      const sender = channel ?? new BroadcastChannel(storeName)
      const recordChange: RecordChange = { name, record: written }
      sender.postMessage(recordChange)
      if (sender !== channel) sender.close()
      listeners.call(recordChange)
      if (!isFirst) return
      isFirst = false
      // A failure does no harm, since outdated records only take space.
      void database.deleteWhere((record) => isOutdated(record, written)).catch(() => {})
    },
    subscribe: (name, listener) => {
      const remove = listeners.add((change) => {
        if (change.name === name) listener(change.record)
      })
      if (!channel) {
        channel = new BroadcastChannel(storeName)
        channel.onmessage = ({ data }: MessageEvent<unknown>) => {
          if (isRecordChange(data)) listeners.call(data)
        }
      }
      return () => {
        remove()
        if (!listeners.isEmpty) return
        channel?.close()
        channel = undefined
      }
    },
  }
}

/** Whether this page or worker can use a browser store. */
export function hasBrowserStore(): boolean {
  try {
    return typeof indexedDB !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  } catch {
    return false // sandboxed frames and strict privacy settings throw
  }
}

let shared: RateLimitStore | undefined

/** The one browser store of this page or worker. */
export function browserStore(): RateLimitStore {
  shared ??= createBrowserStore()
  return shared
}

function isRecordChange(data: unknown): data is RecordChange {
  const change: { readonly name?: unknown } = Object(data)
  return typeof change.name === 'string' && 'record' in change
}

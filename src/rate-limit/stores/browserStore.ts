import { createStore, delMany, entries, update, type UseStore } from 'idb-keyval'
import { createListeners } from '../listeners.ts'
import { outdatedNames, type RecordChange } from './memoryStore.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'

const storeName = 'petstore-rate-limit'

/**
 * A store that all tabs of an origin share, and that outlives a reload: IndexedDB, whose read-write transactions are
 * atomic across tabs (locks around localStorage are not: its writes reach other tabs late), and a BroadcastChannel that
 * carries each new record to the others.
 */
export function createBrowserStore(): RateLimitStore {
  const listeners = createListeners<RecordChange>()
  let database: UseStore | undefined
  let channel: BroadcastChannel | undefined

  async function sweep(newest: unknown): Promise<void> {
    if (database) await delMany(outdatedNames(await entries<string>(database), newest), database)
  }

  return {
    update: async (name, change) => {
      const isFirst = !database
      database ??= createStore(storeName, 'records')
      let written: unknown
      await update<unknown>(
        name,
        (stored) => {
          const changed = change(stored)
          written = changed === stored ? undefined : changed
          return changed
        },
        database,
      )
      if (written === undefined) return
      const sender = channel ?? new BroadcastChannel(storeName)
      const news: RecordChange = { name, record: written }
      sender.postMessage(news)
      if (sender !== channel) sender.close()
      listeners.call(news)
      if (isFirst) await sweep(written).catch(() => {}) // untidy, but no reason to go on in memory
    },
    subscribe: (name, listener) => {
      const remove = listeners.add((news) => {
        if (news.name === name) listener(news.record)
      })
      channel ??= openChannel(listeners.call)
      return () => {
        remove()
        if (!listeners.isEmpty) return
        channel?.close()
        channel = undefined
      }
    },
  }
}

/** Whether this is a page that could have a store shared with other tabs. */
export function hasBrowserStore(): boolean {
  return typeof document !== 'undefined' && typeof indexedDB !== 'undefined' && typeof BroadcastChannel !== 'undefined'
}

let shared: RateLimitStore | undefined

/** The one browser store of this page. */
export function browserStore(): RateLimitStore {
  shared ??= createBrowserStore()
  return shared
}

function openChannel(receive: (news: RecordChange) => void): BroadcastChannel {
  const channel = new BroadcastChannel(storeName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isRecordChange(data)) receive(data)
  }
  return channel
}

function isRecordChange(data: unknown): data is RecordChange {
  return (
    typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string' && 'record' in data
  )
}

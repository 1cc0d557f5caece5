import { update, type UseStore } from 'idb-keyval'
import { createListeners } from '../../base/listeners.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import { isOutdated } from '../records.ts'
import type { RecordChange } from './memoryStore.ts'
import { createPresence, presence, type PresentStore } from './presence.ts'

const storeName = 'petstore-rate-limit'

/**
 * Creates a store that all tabs and workers of an origin share and that survives a reload. It uses IndexedDB because its
 * read-write transactions are atomic across tabs; a lock around localStorage is not enough, because other tabs see its
 * writes late. A BroadcastChannel carries each new record to the other tabs.
 */
export function createBrowserStore(): PresentStore {
  const listeners = createListeners<RecordChange>()
  const database = createRecordDatabase(storeName)
  let isFirst = true
  let channel: BroadcastChannel | undefined

  function sweep(newest: unknown): void {
    // A failure does no harm, since outdated records only take space.
    void database('readwrite', (records) => {
      const request = records.openCursor()
      request.onsuccess = () => {
        const cursor = request.result
        if (!cursor) return
        if (isOutdated(cursor.value, newest)) cursor.delete()
        cursor.continue()
      }
    }).catch(() => {})
  }

  return {
    [presence]: createPresence(),
    update: async (name, change) => {
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
      const recordChange: RecordChange = { name, record: written }
      sender.postMessage(recordChange)
      if (sender !== channel) sender.close()
      listeners.call(recordChange)
      if (!isFirst) return
      isFirst = false
      sweep(written)
    },
    subscribe: (name, listener) => {
      const remove = listeners.add((change) => {
        if (change.name === name) listener(change.record)
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

/** Whether this page or worker can share a store with the tabs of its origin. */
export function hasBrowserStore(): boolean {
  return typeof indexedDB !== 'undefined' && typeof BroadcastChannel !== 'undefined'
}

let shared: RateLimitStore | undefined

/** The one browser store of this page or worker. */
export function browserStore(): RateLimitStore {
  shared ??= createBrowserStore()
  return shared
}

function openChannel(onChange: (change: RecordChange) => void): BroadcastChannel {
  const channel = new BroadcastChannel(storeName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isRecordChange(data)) onChange(data)
  }
  return channel
}

export function isRecordChange(data: unknown): data is RecordChange {
  return (
    typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string' && 'record' in data
  )
}

const objectStoreName = 'records'

/**
 * Creates access to a database of records, for the functions of `idb-keyval`. That package's own `createStore` keeps its
 * connection, so an app that deletes all databases on log-out would wait until every other tab is closed. Here the
 * connection closes for the deletion, and the next use opens another one.
 *
 * Where another program has a database of this name, all tabs use another name.
 */
export function createRecordDatabase(name: string): UseStore {
  let connection: Promise<IDBDatabase> | undefined

  function connect(): Promise<IDBDatabase> {
    const forget = () => {
      connection = undefined
    }
    connection = openDatabase(name, forget).then((database) => {
      if (isOurs(database)) return database
      database.close()
      return openDatabase(`petstore-react ${name}`, forget)
    })
    connection.catch(forget)
    return connection
  }

  return async (mode, use) => {
    const database = await (connection ?? connect())
    let transaction: IDBTransaction
    try {
      transaction = database.transaction(objectStoreName, mode)
    } catch {
      database.close() // no longer usable, probably because it was closed after it was opened
      transaction = (await connect()).transaction(objectStoreName, mode)
    }
    return use(transaction.objectStore(objectStoreName))
  }
}

function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onupgradeneeded = () => void request.result.createObjectStore(objectStoreName)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      database.onclose = onClose
      database.onversionchange = () => {
        onClose()
        database.close()
      }
      resolve(database)
    }
  })
}

/** Whether the database can hold records by their names. */
function isOurs(database: IDBDatabase): boolean {
  if (!database.objectStoreNames.contains(objectStoreName)) return false
  return database.transaction(objectStoreName).objectStore(objectStoreName).keyPath === null
}

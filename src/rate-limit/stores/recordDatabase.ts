const objectStoreName = 'records'

/** A database of records that all pages and workers of an origin share. */
export interface RecordDatabase {
  /** Changes a record in one transaction: no other update runs between reading and writing it. */
  readonly update: (name: string, change: (stored: unknown) => unknown) => Promise<void>
  readonly deleteWhere: (isOutdated: (record: unknown) => boolean) => Promise<void>
}

type Use = (records: IDBObjectStore, reject: (reason: unknown) => void) => void

/**
 * Connects to the database of that name with the first use. The connection closes when an app deletes the database, on
 * log-out for example: else the deletion would wait until every other tab is closed. The next use opens another one.
 */
export function createRecordDatabase(name: string): RecordDatabase {
  let connection: Promise<IDBDatabase> | undefined

  function connect(): Promise<IDBDatabase> {
    const forget = () => {
      connection = undefined
    }
    connection = openDatabase(name, forget)
    connection.catch(forget)
    return connection
  }

  async function transact(use: Use): Promise<void> {
    const database = await (connection ?? connect())
    let transaction: IDBTransaction
    try {
      transaction = database.transaction(objectStoreName, 'readwrite')
    } catch {
      database.close() // no longer usable, probably because it was closed after it was opened
      transaction = (await connect()).transaction(objectStoreName, 'readwrite')
    }
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      use(transaction.objectStore(objectStoreName), reject)
    })
  }

  return {
    update: (record, change) =>
      transact((records, reject) => {
        const request = records.get(record)
        request.onsuccess = () => {
          try {
            const changed = change(request.result)
            if (changed !== request.result) records.put(changed, record)
          } catch (error) {
            reject(error)
            records.transaction.abort()
          }
        }
      }),
    deleteWhere: (isOutdated) =>
      transact((records) => {
        const request = records.openCursor()
        request.onsuccess = () => {
          const cursor = request.result
          if (!cursor) return
          if (isOutdated(cursor.value)) cursor.delete()
          cursor.continue()
        }
      }),
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

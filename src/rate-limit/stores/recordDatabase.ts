import type { UseStore } from 'idb-keyval'

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

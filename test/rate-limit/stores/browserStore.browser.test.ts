import { describe, expect, it, vi } from 'vitest'
import { createBrowserStore, hasBrowserStore } from '../../../src/rate-limit/stores/browserStore.ts'
import { createRecordDatabase } from '../../../src/rate-limit/stores/recordDatabase.ts'
import { storeChecks } from './storeChecks.ts'

// Each store has its own connection to the database and the channel, as each tab does.
const day = 86_400_000
const databaseName = 'petstore-rate-limit'
let nameCount = 0
const uniqueName = () => `record ${nameCount++}`
const countOf = (stored: unknown) => (typeof stored === 'number' ? stored : 0)

/** Deletes the database as an app does on log-out. Tells whether another connection was in the way. */
function deleteDatabase(): Promise<'deleted' | 'blocked'> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName)
    request.onsuccess = () => resolve('deleted')
    request.onblocked = () => resolve('blocked')
    request.onerror = () => reject(request.error)
  })
}

it('lets an app delete the database while tabs are open, and opens it again for the next update', async () => {
  const name = uniqueName()
  const tabs = [createBrowserStore(), createBrowserStore()]
  const increment = (stored: unknown) => countOf(stored) + 1
  for (const tab of tabs) await tab.update(name, increment)
  expect(await deleteDatabase()).toBe('deleted')
  let total: unknown
  for (const tab of tabs) {
    await tab.update(name, (stored) => {
      total = increment(stored)
      return total
    })
  }
  expect(total).toBe(2)
})

it('finishes all updates while the database is being deleted', async () => {
  const name = uniqueName()
  const tabs = [createBrowserStore(), createBrowserStore()]
  const updateAll = () => Promise.all(tabs.map((tab) => tab.update(name, (stored) => countOf(stored) + 1)))
  // Three of the 60 steps delete it.
  const steps = Array.from({ length: 60 }, (_, step) => (step % 20 === 10 ? deleteDatabase() : updateAll()))
  const outcomes = await Promise.all(steps)
  expect(outcomes.filter((outcome) => outcome === 'blocked')).toEqual([])
  expect(outcomes.filter((outcome) => outcome === 'deleted')).toHaveLength(3)
})

it('holds no transaction while the page is in the back/forward cache, and repeats the update after it', async () => {
  const store = createBrowserStore()
  let calls = 0
  const settled = vi.fn<() => void>()
  const updated = store.update(uniqueName(), () => {
    calls += 1
    if (calls === 1) queueMicrotask(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
    return calls
  })
  void updated.then(settled)
  await expect.poll(() => calls).toBe(1)
  expect(await deleteDatabase()).toBe('deleted')
  expect(settled).not.toHaveBeenCalled()
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await updated
  expect(calls).toBe(2)
})

it('tells its own tab of a new record', async () => {
  const name = uniqueName()
  const store = createBrowserStore()
  const listener = vi.fn<(stored: unknown) => void>()
  const unsubscribe = store.subscribe(name, listener)
  await store.update(name, () => ({ updatedAt: 5 }))
  expect(listener.mock.calls).toEqual([[{ updatedAt: 5 }]])
  unsubscribe()
})

it('closes its channel when nobody listens any more, and after an update that nobody listens to', async () => {
  const close = vi.spyOn(BroadcastChannel.prototype, 'close')
  const store = createBrowserStore()
  store.subscribe(uniqueName(), () => {})()
  expect(close).toHaveBeenCalledTimes(1)
  await store.update(uniqueName(), () => ({ updatedAt: 1 }))
  expect(close).toHaveBeenCalledTimes(2)
  close.mockRestore()
})

it('ignores messages of other programs on its channel', async () => {
  const name = uniqueName()
  const store = createBrowserStore()
  const listener = vi.fn<(stored: unknown) => void>()
  const unsubscribe = store.subscribe(name, listener)
  const channel = new BroadcastChannel(databaseName)
  for (const message of [null, 'text', { name }, { record: 1 }, { name: 3, record: 1 }]) channel.postMessage(message)
  channel.postMessage({ name, record: 'the last' })
  await expect.poll(() => listener.mock.calls).toEqual([['the last']])
  channel.close()
  unsubscribe()
})

it('removes records that were last written more than two days ago', async () => {
  const database = createRecordDatabase(databaseName)
  const now = 100 * day
  const [outdated, recent, name] = [uniqueName(), uniqueName(), uniqueName()]
  await database.update(outdated, () => ({ updatedAt: now - 3 * day, name: outdated }))
  await database.update(recent, () => ({ updatedAt: now - day, name: recent }))
  await createBrowserStore().update(name, () => ({ updatedAt: now, name }))
  const stored: unknown[] = []
  await database.deleteWhere((record) => {
    stored.push(Object(record).name)
    return false
  })
  expect(stored).toContain(recent)
  expect(stored).toContain(name)
  expect(stored).not.toContain(outdated)
})

it('writes nothing and tells nobody where an update changes nothing', async () => {
  const name = uniqueName()
  const store = createBrowserStore()
  await store.update(name, () => ({ updatedAt: 1 }))
  const put = vi.spyOn(IDBObjectStore.prototype, 'put')
  const listener = vi.fn<(stored: unknown) => void>()
  const unsubscribe = createBrowserStore().subscribe(name, listener)
  await store.update(name, (stored) => stored)
  expect(put).not.toHaveBeenCalled()
  await store.update(name, () => ({ updatedAt: 2 }))
  await expect.poll(() => listener.mock.calls).toEqual([[{ updatedAt: 2 }]])
  put.mockRestore()
  unsubscribe()
})

it('rejects with what a change throws, and with what cannot be stored, and stores nothing of it', async () => {
  const name = uniqueName()
  const database = createRecordDatabase(databaseName)
  await database.update(name, () => 'first')
  const mistake = new Error('mistake')
  await expect(
    database.update(name, () => {
      throw mistake
    }),
  ).rejects.toBe(mistake)
  await expect(database.update(name, () => () => {})).rejects.toThrow(/clone/)
  let stored: unknown
  expect(await database.update(name, (known) => (stored = known))).toBeUndefined()
  expect(stored).toBe('first')
})

describe('keeps the rules of a store', () => {
  it.each(storeChecks(createBrowserStore))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

it('opens the database again if all transactions of its connection abort from some time on', async () => {
  const name = uniqueName()
  const store = createBrowserStore()
  await store.update(name, () => 1)
  const spoiled = new Set<IDBDatabase>()
  // oxlint-disable-next-line typescript/unbound-method -- called with the database below
  const { transaction: begin } = IDBDatabase.prototype
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...rest) {
    const transaction = begin.apply(this, rest)
    if (spoiled.size === 0) spoiled.add(this)
    if (spoiled.has(this)) setTimeout(() => transaction.abort())
    return transaction
  })
  /** Blocks the thread, so that the abort is due before the transaction can complete. */
  const slowly = (stored: unknown) => {
    const end = performance.now() + 20
    while (performance.now() < end);
    return countOf(stored) + 1
  }
  await expect(Promise.all([store.update(name, slowly), store.update(name, slowly)])).rejects.toBeDefined()
  await store.update(name, (stored) => countOf(stored) + 1)
  spy.mockRestore()
  expect(spoiled.size).toBe(1)
})

it('a page whose `indexedDB` throws has no browser store', () => {
  vi.spyOn(globalThis, 'indexedDB', 'get').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError')
  })
  expect(hasBrowserStore()).toBe(false)
  vi.restoreAllMocks()
  expect(hasBrowserStore()).toBe(true)
})

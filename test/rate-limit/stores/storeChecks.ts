import type { RateLimitStore } from '../../../src/rate-limit/RateLimitStore.ts'

type CheckedStore = Pick<RateLimitStore, 'update' | 'subscribe'>

/** Creates a store as another tab or process would, on the same data. */
type StoreFactory = () => CheckedStore | Promise<CheckedStore>

/** How long a check waits for a listener to be called, in ms. */
const timeout = 10_000

/** What every store has to do. Each check uses names of its own. */
export function storeChecks(createStore: StoreFactory): readonly { name: string; run: () => Promise<void> }[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    run: () => check(createStore, () => `check-${crypto.randomUUID()}`),
  }))
}

type Check = (createStore: StoreFactory, newName: () => string) => Promise<void>

const checks: Readonly<Record<string, Check>> = {
  'A new record is undefined': async (createStore, newName) => {
    const store = await createStore()
    expectEqual(await read(store, newName()), undefined)
  },

  'A record is stored as it is, for all stores': async (createStore, newName) => {
    const [one, other] = [await createStore(), await createStore()]
    const name = newName()
    const record = { number: 1.5, text: 'ä "\\\n\u2028', list: [true, null], nested: { '': {} } }
    await one.update(name, () => record)
    expectEqual(await read(one, name), record)
    expectEqual(await read(other, name), record)
  },

  'Each name has a record of its own': async (createStore, newName) => {
    const store = await createStore()
    const [one, other] = [newName(), newName()]
    await store.update(one, () => ({ record: 'one' }))
    expectEqual(await read(store, other), undefined)
    expectEqual(await read(store, one), { record: 'one' })
  },

  'Updates at the same time lose no change': async (createStore, newName) => {
    const stores = [await createStore(), await createStore(), await createStore()]
    const name = newName()
    const increment = (stored: unknown) => ({ count: countOf(stored) + 1 })
    await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, async () => store.update(name, increment))))
    for (const store of stores) expectEqual(await read(store, name), { count: 60 })
  },

  'An update whose change throws rejects and stores nothing': async (createStore, newName) => {
    const store = await createStore()
    const name = newName()
    await store.update(name, () => ({ count: 1 }))
    const failure = new Error('The change failed.')
    const outcome = await store
      .update(name, () => {
        throw failure
      })
      .then(
        () => 'resolved',
        () => 'rejected',
      )
    expectEqual(outcome, 'rejected')
    expectEqual(await read(store, name), { count: 1 })
  },

  'Listeners of all stores are called with new records of their name': async (createStore, newName) => {
    const [one, other] = [await createStore(), await createStore()]
    const [name, otherName] = [newName(), newName()]
    const listening = listen(other, name)
    await one.update(otherName, () => ({ name: 'other' }))
    // A listener may miss what is stored before its connection is open, but not for long.
    await listening.expectAfter(() => one.update(name, (stored) => ({ count: countOf(stored) + 1 })))
    expectEqual(
      listening.received.every((record) => countOf(record) > 0),
      true,
    )
    listening.stop()
  },

  'A listener is not called when an update changes nothing, or after it was removed': async (createStore, newName) => {
    const [one, other] = [await createStore(), await createStore()]
    const name = newName()
    const [removed, listening] = [listen(other, name), listen(other, name)]
    const increment = () => one.update(name, (stored) => ({ count: countOf(stored) + 1 }))
    await listening.expectAfter(increment)
    removed.stop()
    const countBefore = removed.received.length
    await one.update(name, (stored) => stored)
    await listening.expectAfter(increment)
    expectEqual(removed.received.length, countBefore)
    const counts = listening.received.map(countOf)
    expectEqual(new Set(counts).size, counts.length)
    listening.stop()
  },
}

/** The stored record, unchanged. */
export async function read(store: CheckedStore, name: string): Promise<unknown> {
  let record: unknown
  await store.update(name, (stored) => {
    record = stored
    return stored
  })
  return record
}

function countOf(stored: unknown): number {
  const hasCount = typeof stored === 'object' && stored !== null && 'count' in stored
  return hasCount ? Number(stored.count) : 0
}

interface Listening {
  readonly received: readonly unknown[]
  /** Repeats an action until the listener is called with what it has stored. */
  readonly expectAfter: (action: () => Promise<void>) => Promise<void>
  readonly stop: () => void
}

function listen(store: CheckedStore, name: string): Listening {
  const received: unknown[] = []
  let onRecord = () => {}
  const stop = store.subscribe(name, (record) => {
    received.push(record)
    onRecord()
  })
  return {
    received,
    stop,
    expectAfter: async (action) => {
      const before = received.length
      const isCalled = new Promise<true>((resolve) => {
        onRecord = () => resolve(true)
      })
      for (let waited = 0; waited < timeout; waited += 100) {
        await action()
        if (received.length > before || (await Promise.race([isCalled, delay(100)]))) return
      }
      throw new Error(`The listener was not called within ${timeout} ms.`)
    },
  }
}

function delay(ms: number): Promise<false> {
  return new Promise((resolve) => void setTimeout(() => resolve(false), ms))
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(`Expected ${JSON.stringify(expected)}, and got ${JSON.stringify(actual)}.`)
}

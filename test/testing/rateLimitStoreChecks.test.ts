import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { type CheckedStore, rateLimitStoreChecks, type StoreCheck } from '../../src/testing.ts'

const memory = createMemoryStore()

describe('the memory store', () => {
  test.each(rateLimitStoreChecks(() => memory))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

const sleep = () => new Promise<void>((resolve) => void setTimeout(resolve, 1))

/** Stores that do one thing wrong, by the check that finds it. */
const broken: readonly (readonly [check: string, createStore: () => CheckedStore])[] = [
  ['A record is stored as it is, for all stores', createMemoryStore],
  [
    'A new record is undefined',
    () => withUpdate((store) => (name, change) => store.update(name, (stored) => change(stored ?? null))),
  ],
  ['Each name has a record of its own', () => withUpdate((store) => (_, change) => store.update('same', change))],
  [
    'Updates at the same time lose no change',
    () =>
      withUpdate((store) => async (name, change) => {
        let changed: unknown
        await store.update(name, (stored) => {
          changed = change(stored)
          return stored
        })
        await sleep()
        await store.update(name, () => changed)
      }),
  ],
  [
    'An update whose change throws rejects and stores nothing',
    () => withUpdate((store) => (name, change) => store.update(name, change).catch(() => {})),
  ],
  [
    'A listener is not called when an update changes nothing, or after it was removed',
    () => ({
      ...shared,
      subscribe: (name, listener) => {
        shared.subscribe(name, listener)
        return () => {}
      },
    }),
  ],
]

const shared = createMemoryStore()

function withUpdate(createUpdate: (store: RateLimitStore) => CheckedStore['update']): CheckedStore {
  return { ...shared, update: createUpdate(shared) }
}

test.each(broken)('%s: a store that does not is found', async (name, createStore) => {
  const check: StoreCheck | undefined = rateLimitStoreChecks(createStore).find((one) => one.name === name)
  await expect(check?.run()).rejects.toThrow(Error)
})

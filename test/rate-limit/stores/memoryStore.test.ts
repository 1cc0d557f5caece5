import { describe, expect, it, vi } from 'vitest'
import { createMemoryStore, memoryStore, outdatedNames } from '../../../src/rate-limit/stores/memoryStore.ts'
import { day } from '../../../src/rate-limit/plan.ts'
import type { RateLimitStore } from '../../../src/rate-limit/RateLimitStore.ts'

const now = 1_000_000_000_000

async function read(store: RateLimitStore, name: string): Promise<unknown> {
  let found: unknown
  await store.update(name, (stored) => {
    found = stored
    return stored
  })
  return found
}

it('what is stored under a name is found under it, in the same step', async () => {
  const store = createMemoryStore()
  const steps = [store.update('a', () => 1), store.update('a', (stored) => Number(stored) + 1)]
  await Promise.all(steps)
  expect(await read(store, 'a')).toBe(2)
  expect(await read(store, 'b')).toBeUndefined()
})

it('listeners hear of each change of their record, and of nothing else', async () => {
  const store = createMemoryStore()
  const heard: unknown[] = []
  const stop = store.subscribe('a', (record) => heard.push(record))
  await store.update('a', () => 'first')
  await store.update('b', () => 'other')
  await store.update('a', (stored) => stored)
  await store.update('a', () => 'second')
  stop()
  await store.update('a', () => 'third')
  expect(heard).toEqual(['first', 'second'])
})

it('a change that fails is a rejection, and changes nothing', async () => {
  const store = createMemoryStore()
  await store.update('a', () => 1)
  const failing = store.update('a', () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await read(store, 'a')).toBe(1)
})

describe('records of long ago', () => {
  it('are those that nothing was heard of for two days before the newest', () => {
    const records: [string, unknown][] = [
      ['old', { updatedAt: now - 2 * day - 1 }],
      ['kept', { updatedAt: now - 2 * day }],
      ['new', { updatedAt: now }],
      ['text', 'updatedAt'],
      ['null', null],
      ['undefined', undefined],
      ['empty', {}],
      ['junk', { updatedAt: `${now}` }],
    ]
    expect(outdatedNames(records, { updatedAt: now })).toEqual(['old', 'text', 'null', 'undefined', 'empty', 'junk'])
  })

  it('go when a record is stored for the first time', async () => {
    const store = createMemoryStore()
    await store.update('old', () => ({ updatedAt: now - 3 * day }))
    await store.update('young', () => ({ updatedAt: now - day }))
    await store.update('young', () => ({ updatedAt: now }))
    expect(await read(store, 'old')).toEqual({ updatedAt: now - 3 * day })
    await store.update('new', () => ({ updatedAt: now }))
    expect(await read(store, 'old')).toBeUndefined()
    expect(await read(store, 'young')).toEqual({ updatedAt: now })
  })

  it('stay while the newest has no time', () => {
    expect(outdatedNames([['old', { updatedAt: 1 }]], 'junk')).toEqual([])
  })
})

describe('the store of the process', () => {
  it('is one', async () => {
    await memoryStore().update('shared', () => 1)
    expect(memoryStore()).toBe(memoryStore())
    expect(await read(memoryStore(), 'shared')).toBe(1)
  })

  it('also for a second copy of the package', async () => {
    const first = memoryStore()
    vi.resetModules()
    const copy = await import('../../../src/rate-limit/stores/memoryStore.ts')
    expect(copy.memoryStore).not.toBe(memoryStore)
    expect(copy.memoryStore()).toBe(first)
    expect(Object.getOwnPropertySymbols(globalThis)).toContain(Symbol.for('petstore-react.memory-store'))
  })
})

import { describe, expect, it, vi } from 'vitest'
import { day } from '../../../src/rate-limit/plan.ts'
import { createMemoryStore, memoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import { read, storeChecks } from './storeChecks.ts'

const now = 1_000_000_000_000

const shared = createMemoryStore()

it.each(storeChecks(() => shared))('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined()
})

it('removes outdated records when a new record is stored', async () => {
  const store = createMemoryStore()
  await store.update('outdated', () => ({ updatedAt: now - 3 * day }))
  await store.update('recent', () => ({ updatedAt: now - day }))
  await store.update('recent', () => ({ updatedAt: now }))
  expect(await read(store, 'outdated')).toEqual({ updatedAt: now - 3 * day })
  await store.update('new', () => ({ updatedAt: now }))
  expect(await read(store, 'outdated')).toBeUndefined()
  expect(await read(store, 'recent')).toEqual({ updatedAt: now })
})

describe('the store of the process', () => {
  it('exists once', async () => {
    await memoryStore().update('shared', () => 1)
    expect(memoryStore()).toBe(memoryStore())
    expect(await read(memoryStore(), 'shared')).toBe(1)
  })

  it('is shared with a second copy of the package', async () => {
    const first = memoryStore()
    vi.resetModules()
    const copy = await import('../../../src/rate-limit/stores/memoryStore.ts')
    expect(copy.memoryStore).not.toBe(memoryStore)
    expect(copy.memoryStore()).toBe(first)
    expect(Object.getOwnPropertySymbols(globalThis)).toContain(Symbol.for('petstore-react.memory-store'))
  })
})

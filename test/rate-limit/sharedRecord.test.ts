import { expect, test } from 'vitest'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import type { RateLimitStore, StoreStatus } from '../../src/rate-limit/RateLimitStore.ts'
import { createSharedRecord } from '../../src/rate-limit/sharedRecord.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { now } from './gate.setup.ts'
import { createVirtualClock } from './virtualClock.ts'

function setup(
  options: { readonly fails?: () => boolean; readonly repeats?: boolean; readonly hangs?: () => boolean } = {},
) {
  const clock = createVirtualClock(now)
  const memory = createMemoryStore()
  const statuses: StoreStatus[] = []
  let tries = 0
  const store: RateLimitStore = {
    ...memory,
    update: async (name, change) => {
      tries += 1
      if (options.fails?.()) throw new Error('The store is broken.')
      if (options.hangs?.()) return new Promise(() => {})
      return memory.update(name, (stored) => {
        if (options.repeats) change(stored)
        return change(stored)
      })
    },
  }
  const create = (page: string) =>
    createSharedRecord({
      store,
      name: 'key',
      clock,
      page: () => page,
      decide: (record) => ({ record }),
      onDecision: () => {},
      onIdle: () => {},
      onStoreStatus: (status) => statuses.push(status),
    })
  const close = (until: number) => (record: typeof emptyRecord, at: number) => ({
    ...record,
    updatedAt: at,
    cooldownUntil: Math.max(record.cooldownUntil, until),
  })
  return {
    clock,
    memory,
    statuses,
    create,
    close,
    tries: () => tries,
    run: (ms: number) => clock.run(clock.now() + ms),
  }
}

test('a change is known at once, and to other pages with the next message', async () => {
  const { create, close, run } = setup()
  const [one, other] = [create('a'), create('b')]
  one.open(() => {})
  other.open(() => {})
  await Promise.all([one.update(), other.update(), run(10)])
  const updated = one.update(close(now + 5_000))
  expect(one.latest.cooldownUntil).toBe(now + 5_000)
  await Promise.all([updated, run(10)])
  expect(other.latest.cooldownUntil).toBe(now + 5_000)
})

test('a store that repeats a change makes it once', async () => {
  const { create, run } = setup({ repeats: true })
  const record = create('a')
  await Promise.all([record.update((known, at) => ({ ...known, updatedAt: at, resets: known.resets + 1 })), run(10)])
  expect(record.latest.resets).toBe(1)
})

test('G21: what failed is kept in memory, tried again, and joined', async () => {
  let isBroken = true
  const { create, close, run, statuses, memory } = setup({ fails: () => isBroken })
  const record = create('a')
  record.open(() => {})
  await Promise.all([record.update(close(now + 60_000)), run(10)])
  expect(record.latest.cooldownUntil).toBe(now + 60_000)
  expect(statuses).toEqual(['failed'])
  // Meanwhile another page has stored a shorter one.
  await memory.update('key', () => close(now + 9_000)(emptyRecord, now + 50))
  isBroken = false
  await run(2_000)
  expect(statuses).toEqual(['failed', 'recovered'])
  let stored: unknown
  await memory.update('key', (value) => (stored = value))
  expect(stored).toMatchObject({ cooldownUntil: now + 60_000 })
})

test('G21: pauses between tries grow to a minute', async () => {
  const { create, run, tries } = setup({ fails: () => true })
  const record = create('a')
  record.open(() => {})
  await Promise.all([record.update(), run(10)])
  await run(64_000)
  expect(tries()).toBeLessThanOrEqual(7)
  await run(10 * 60_000)
  expect(tries()).toBeLessThanOrEqual(18)
})

test('a store that hangs holds nobody up for more than two seconds', async () => {
  const { create, close, run, clock } = setup({ hangs: () => true })
  const record = create('a')
  let doneAt = 0
  void record.update(close(now + 60_000)).then(() => (doneAt = clock.now()))
  await run(5_000)
  expect(doneAt - now).toBeLessThanOrEqual(2_000)
  expect(record.latest.cooldownUntil).toBe(now + 60_000)
})

test('a store that has lost its record gets back what the page knows', async () => {
  const { create, close, run, memory } = setup()
  const record = create('a')
  await Promise.all([record.update(close(now + 60_000)), run(10)])
  await memory.update('key', () => undefined)
  await Promise.all([record.update((known, at) => ({ ...known, updatedAt: at })), run(10)])
  expect(record.latest.cooldownUntil).toBe(now + 60_000)
})

import { expect, test } from 'vitest'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { createSharedRecord } from '../../src/rate-limit/sharedRecord.ts'
import { day, minute } from '../../src/rate-limit/plan.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { calmScenario } from './calmScenario.ts'
import { now } from './gate.setup.ts'
import { simulate } from './simulate.ts'
import { createVirtualClock } from './virtualClock.ts'

function setup(
  options: { readonly repeats?: boolean; readonly hangs?: () => boolean; readonly latency?: number } = {},
) {
  const clock = createVirtualClock(now)
  const memory = createMemoryStore()
  const store: RateLimitStore = {
    ...memory,
    update: async (name, change) => {
      if (options.hangs?.()) return new Promise(() => {})
      if (options.latency) await new Promise<void>((resolve) => clock.wakeAfter(options.latency ?? 0, resolve))
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
      page,
      decide: (record) => ({ record }),
      onDecision: () => {},
      onChange: () => {},
    })
  const coolDown = (until: number) => (record: GateRecord, at: number) => ({
    ...record,
    updatedAt: at,
    cooldownUntil: Math.max(record.cooldownUntil, until),
  })
  return { clock, memory, create, coolDown, run: (ms: number) => clock.run(clock.now() + ms) }
}

test('a page knows its own change at once, and other pages as soon as the store tells them', async () => {
  const { create, coolDown, run } = setup()
  const [one, other] = [create('a'), create('b')]
  one.open()
  other.open()
  await Promise.all([one.update(), other.update(), run(10)])
  const updated = one.update(coolDown(now + 5_000))
  expect(one.latest.cooldownUntil).toBe(now + 5_000)
  await Promise.all([updated, run(10)])
  expect(other.latest.cooldownUntil).toBe(now + 5_000)
})

test('a change that the store repeats counts once', async () => {
  const { create, run } = setup({ repeats: true })
  const record = create('a')
  await Promise.all([record.update((known, at) => ({ ...known, updatedAt: at, resets: known.resets + 1 })), run(10)])
  expect(record.latest.resets).toBe(1)
})

test('a store that hangs holds nobody up for more than two seconds', async () => {
  const { create, coolDown, run, clock } = setup({ hangs: () => true })
  const record = create('a')
  let doneAt = 0
  void record.update(coolDown(now + 60_000)).then(() => (doneAt = clock.now()))
  await run(5_000)
  expect(doneAt - now).toBeLessThanOrEqual(2_000)
  expect(record.latest.cooldownUntil).toBe(now + 60_000)
})

test('a slow store is used again after an update that it has never ended', async () => {
  let updates = 0
  const { create, coolDown, run } = setup({ hangs: () => (updates += 1) === 1, latency: 10 })
  const [record, other] = [create('a'), create('b')]
  void record.update()
  await run(5_000)
  void record.update(coolDown(now + 60_000))
  await run(1_000)
  void other.update()
  await run(1_000)
  expect(other.latest.cooldownUntil).toBe(now + 60_000)
  expect(record.retryAt()).toBe(Infinity)
})

test('a store that has lost its record gets back what the page knows', async () => {
  const { create, coolDown, run, memory } = setup()
  const record = create('a')
  await Promise.all([record.update(coolDown(now + 60_000)), run(10)])
  await memory.update('key', () => undefined)
  await Promise.all([record.update((known, at) => ({ ...known, updatedAt: at })), run(10)])
  expect(record.latest.cooldownUntil).toBe(now + 60_000)
})

test('tabs whose store is late come to rest: a late write wakes the others only if it changes the record', async () => {
  // A counterexample that a property found: its numbers mean nothing more.
  const call = { count: 1, priority: 'background', maxWait: Infinity } as const
  const slow = { changeDelay: 500, resolveDelay: 500, notifyDelay: 500, isRepeated: false }
  const quick = { changeDelay: 10, resolveDelay: 10, notifyDelay: 10, isRepeated: false }
  const { isEndless } = await simulate({
    ...calmScenario,
    service: {
      ...calmScenario.service,
      plan: [
        { limit: 1, per: minute },
        { limit: 2, per: day },
      ],
    },
    isPlanKnown: true,
    calls: [
      { ...call, at: 0, tab: 0, count: 3 },
      { ...call, at: 1_000, tab: 1 },
      { ...call, at: 1_000, tab: 2 },
    ],
    trips: [{ requestDelay: 100, responseDelay: 100 }],
    storeUpdates: [quick, quick, slow, { ...slow, changeDelay: 4_789 }],
    storeBreaks: [{ at: 41_895, tab: 2 }],
  })
  expect(isEndless).toBe(false)
})

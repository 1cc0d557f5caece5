import { beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/base/Clock.ts'
import { createFleetStore, type SharedStore } from '../../../src/rate-limit/fleet/createFleetStore.ts'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { fleetOf } from '../../../src/rate-limit/pageGate.ts'
import type { RateLimitStore } from '../../../src/rate-limit/RateLimitStore.ts'
import { createFallbackStore } from '../../../src/rate-limit/stores/fallbackStore.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import { headersWith, setup, start } from '../rateLimiter.setup.ts'
import { createVirtualClock, type VirtualClock } from '../virtualClock.ts'

const name = 'key'
const alone = { count: 1, areComplete: true }

let clock: VirtualClock
let statuses: string[]

beforeEach(() => {
  clock = createVirtualClock(start)
  statuses = []
})

const withFallback = (store: RateLimitStore, on: Clock = clock) =>
  createFallbackStore(store, name, on, (status) => statuses.push(status), fleetOf(store))
const record = (fields: Partial<GateRecord> = {}): GateRecord => ({ ...emptyRecord, updatedAt: start, ...fields })
const coolDownUntil =
  (until: number) =>
  (before: GateRecord): GateRecord => ({
    ...before,
    updatedAt: start,
    cooldownUntil: Math.max(before.cooldownUntil, until),
  })
const count429 = (before: GateRecord): GateRecord => ({
  ...before,
  updatedAt: start,
  consecutiveRefusals: before.consecutiveRefusals + 1,
})
const keep = (before: GateRecord): GateRecord => before

/** A store whose updates the test applies, finishes or fails one by one. */
function createManualStore(stored?: unknown) {
  const updates: { apply: () => void; finish: () => void; fail: () => void }[] = []
  const listeners = new Set<(record: unknown) => void>()
  const manual = {
    stored,
    updates,
    listeners,
    store: {
      update: (_, change) =>
        new Promise((finish, reject) => {
          updates.push({
            apply: () => {
              manual.stored = change(manual.stored)
            },
            finish,
            fail: () => reject(new Error('out of order')),
          })
        }),
      subscribe: (_, listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    } satisfies RateLimitStore,
    /** Applies and finishes the update with that index. */
    commit: (index: number) => {
      updates[index]?.apply()
      updates[index]?.finish()
    },
    /** Calls the listeners as after a change by another tab. */
    notify: (changed: unknown) => {
      for (const listener of listeners) listener(changed)
    },
  }
  return manual
}

/** Tells whether a promise has resolved. */
function watch(promise: Promise<void>): { isDone: boolean } {
  const watched = { isDone: false }
  void promise.then(() => {
    watched.isDone = true
  })
  return watched
}

describe('with a working store', () => {
  it('the record is empty before the first update', () => {
    expect(withFallback(createMemoryStore()).latest).toEqual(emptyRecord)
  })

  it('a change is made on the stored record, and resolves when the store has finished', async () => {
    const manual = createManualStore(record({ consecutiveRefusals: 2 }))
    const fallback = withFallback(manual.store)
    const done = watch(fallback.update(count429))
    manual.updates[0]?.apply()
    await clock.run(start + 1_000)
    expect([manual.stored, fallback.latest, done.isDone]).toEqual([
      record({ consecutiveRefusals: 3 }),
      record({ consecutiveRefusals: 3 }),
      false,
    ])
    manual.updates[0]?.finish()
    await clock.run(start + 1_000)
    expect(done.isDone).toBe(true)
    expect(statuses).toEqual([])
  })

  it('an invalid stored value reads as an empty record, and is not overwritten without a change', async () => {
    const manual = createManualStore('invalid')
    const fallback = withFallback(manual.store)
    void fallback.update(keep)
    manual.commit(0)
    expect([manual.stored, fallback.latest]).toEqual(['invalid', emptyRecord])
  })

  it('a record that the store returns unchanged stays the same object', async () => {
    const fallback = withFallback(createMemoryStore())
    await fallback.update(count429)
    const { latest } = fallback
    await fallback.update(keep)
    expect(fallback.latest).toBe(latest)
  })

  it('no timer is left after an update', async () => {
    await withFallback(createMemoryStore()).update(count429)
    await clock.run()
    expect(clock.now()).toBe(start)
  })
})

describe('with a slow store', () => {
  it('a change is made in memory after two seconds', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    const done = watch(fallback.update(count429))
    await clock.run(start + 1_999)
    expect([done.isDone, fallback.latest]).toEqual([false, emptyRecord])
    await clock.run(start + 2_000)
    expect([done.isDone, fallback.latest]).toEqual([true, record({ consecutiveRefusals: 1 })])
    expect(statuses).toEqual([])
  })

  it('is given up as after a failure, while the update that was too slow goes on', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    const first = watch(fallback.update(count429))
    await clock.run(start + 2_000)
    const others = [1, 2, 3].map(() => watch(fallback.update(count429)))
    await clock.run(start + 2_000)
    expect([first, ...others].map(({ isDone }) => isDone)).toEqual([true, true, true, true])
    expect([fallback.latest.consecutiveRefusals, fallback.isCutOff, statuses]).toEqual([4, true, ['failed']])
    // In the pause, the store is left alone.
    const { length } = manual.updates
    await fallback.update(count429)
    expect(manual.updates).toHaveLength(length)
    for (let index = 0; index < length; index += 1) manual.commit(index)
    await clock.run(start + 2_000)
    expect([fallback.isCutOff, statuses]).toEqual([false, ['failed', 'recovered']])
    await clock.run(start + 3_000)
    void fallback.update(keep)
    manual.commit(length)
    expect(manual.stored).toMatchObject({ consecutiveRefusals: 5 })
  })

  it('a late update merges both records and makes no change twice', async () => {
    const manual = createManualStore(
      record({
        cooldownUntil: start + 9_000,
        inFlight: { a: { count: 1, since: start, until: start + 5_000 } },
      }),
    )
    const fallback = withFallback(manual.store)
    void fallback.update((before) => ({
      ...count429(before),
      inFlight: { b: { count: 1, since: start, until: start + 6_000 } },
    }))
    await clock.run(start + 2_000)
    manual.commit(0)
    const merged = record({
      updatedAt: start + 1,
      consecutiveRefusals: 1,
      cooldownUntil: start + 9_000,
      inFlight: {
        a: { count: 1, since: start, until: start + 5_000 },
        b: { count: 1, since: start, until: start + 6_000 },
      },
    })
    expect([manual.stored, fallback.latest]).toEqual([merged, merged])
    await clock.run(start + 2_000)
    expect(statuses).toEqual([])
  })

  it('an update that is applied in time and finished late counts as made in the store', async () => {
    const manual = createManualStore(record({ consecutiveRefusals: 1 }))
    const fallback = withFallback(manual.store)
    void fallback.update(count429)
    manual.updates[0]?.apply()
    await clock.run(start + 2_000)
    expect(fallback.latest.consecutiveRefusals).toBe(2)
  })

  it('the next update stores the changes from memory, even if it changes nothing itself', async () => {
    const manual = createManualStore(record({ consecutiveRefusals: 4 }))
    const fallback = withFallback(manual.store)
    void fallback.update(coolDownUntil(start + 9_000))
    await clock.run(start + 2_000)
    void fallback.update(keep)
    manual.commit(1)
    expect([manual.stored, fallback.latest]).toEqual([
      record({ updatedAt: start + 1, consecutiveRefusals: 4, cooldownUntil: start + 9_000 }),
      record({ updatedAt: start + 1, consecutiveRefusals: 4, cooldownUntil: start + 9_000 }),
    ])
  })

  it('changes from memory are merged once: a later reset by others holds', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    void fallback.update(coolDownUntil(start + 9_000))
    await clock.run(start + 2_000)
    manual.commit(0)
    manual.stored = record({ clearedAt: start, consecutiveRefusals: 5 })
    void fallback.update(keep)
    manual.commit(1)
    expect([manual.stored, fallback.latest]).toEqual([
      record({ clearedAt: start, consecutiveRefusals: 5 }),
      record({ clearedAt: start, consecutiveRefusals: 5 }),
    ])
  })

  it('an update that the store repeats merges again', async () => {
    const manual = createManualStore(record({ consecutiveRefusals: 1 }))
    const fallback = withFallback(manual.store)
    void fallback.update(coolDownUntil(start + 9_000))
    await clock.run(start + 2_000)
    void fallback.update(count429)
    manual.updates[1]?.apply()
    manual.stored = record({ consecutiveRefusals: 3 })
    manual.commit(1)
    expect(manual.stored).toEqual(record({ consecutiveRefusals: 4, cooldownUntil: start + 9_000 }))
  })

  it('a stored record from before the clock was set back is rebased before the merge', async () => {
    const ahead = start + 50_000
    const manual = createManualStore(record({ updatedAt: ahead, cooldownUntil: ahead + 1_000 }))
    const fallback = withFallback(manual.store)
    void fallback.update(count429)
    await clock.run(start + 2_000)
    manual.commit(0)
    expect(fallback.latest).toMatchObject({
      consecutiveRefusals: 1,
      updatedAt: start + 2_001,
      cooldownUntil: start + 3_000,
    })
  })

  it('a record in memory from before the clock was set back is rebased before the merge', async () => {
    const manual = createManualStore()
    let setBackBy = 0
    const fallback = withFallback(manual.store, { ...clock, now: () => clock.now() - setBackBy })
    void fallback.update(coolDownUntil(start + 9_000))
    await clock.run(start + 2_000)
    setBackBy = 62_000
    manual.commit(0)
    expect(fallback.latest).toMatchObject({ updatedAt: start - 59_999, cooldownUntil: start - 51_000 })
  })
})

describe('with a failing store', () => {
  it('changes are made in memory after the first failure, and it is reported once', async () => {
    const manual = createManualStore(record({ consecutiveRefusals: 7 }))
    const fallback = withFallback(manual.store)
    const first = watch(fallback.update(count429))
    manual.updates[0]?.fail()
    await clock.run()
    expect([first.isDone, fallback.latest.consecutiveRefusals, statuses]).toEqual([true, 1, ['failed']])
    await fallback.update(count429)
    expect([fallback.latest.consecutiveRefusals, manual.updates.length, statuses]).toEqual([2, 1, ['failed']])
  })

  it('a synchronous error counts as a failure', async () => {
    const throwing: RateLimitStore = {
      update: () => {
        throw new Error('out of order')
      },
      subscribe: () => () => {},
    }
    const fallback = withFallback(throwing)
    await fallback.update(coolDownUntil(start + 5_000))
    expect(fallback.latest.cooldownUntil).toBe(start + 5_000)
    expect(statuses).toEqual(['failed'])
  })

  it('several failures are reported once', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    const both = Promise.all([fallback.update(count429), fallback.update(count429)])
    manual.updates[0]?.fail()
    manual.updates[1]?.fail()
    await both
    expect([fallback.latest.consecutiveRefusals, statuses]).toEqual([2, ['failed']])
  })

  it('a change that was applied before the failure is not made twice', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    const done = fallback.update(count429)
    manual.updates[0]?.apply()
    manual.updates[0]?.fail()
    await done
    expect([fallback.latest.consecutiveRefusals, statuses]).toEqual([1, ['failed']])
  })

  it('a failure after the timeout is noticed when it happens', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    void fallback.update(count429)
    await clock.run(start + 2_000)
    expect(statuses).toEqual([])
    manual.updates[0]?.fail()
    await clock.run(start + 2_000)
    expect(statuses).toEqual(['failed'])
    await fallback.update(count429)
    expect([fallback.latest.consecutiveRefusals, manual.updates.length]).toEqual([2, 1])
  })

  it('a failing subscription counts as a failure', async () => {
    const fallback = withFallback({
      ...createMemoryStore(),
      subscribe: () => {
        throw new Error('no channel')
      },
    })
    const close = fallback.open(() => {})
    expect(statuses).toEqual(['failed'])
    close()
    await fallback.update(count429)
    expect(fallback.latest.consecutiveRefusals).toBe(1)
  })

  it('changes by others are known, together with those in memory', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    const seen: number[] = []
    fallback.open(() => seen.push(fallback.latest.cooldownUntil))
    const done = fallback.update(coolDownUntil(start + 5_000))
    manual.updates[0]?.fail()
    await done
    manual.notify(record({ cooldownUntil: start + 9_000 }))
    manual.notify(record({ updatedAt: start + 5, cooldownUntil: start + 3_000 }))
    expect(seen).toEqual([start + 9_000, start + 5_000])
  })
})

describe('a store that has failed', () => {
  /** Opens the store, and fails the first update. */
  async function failOnce(manual = createManualStore()) {
    const fallback = withFallback(manual.store)
    const seen: number[] = []
    const close = fallback.open(() => seen.push(fallback.latest.cooldownUntil))
    const done = fallback.update(coolDownUntil(start + 5_000))
    manual.updates[0]?.fail()
    await done
    return { manual, fallback, close, seen }
  }

  it('is tried again after 1 s, 2 s, 4 s, and so on, up to once a minute', async () => {
    const { manual } = await failOnce()
    const triedAfter: number[] = []
    for (let tries = 1; tries < 10; tries += 1) {
      const before = clock.now()
      while (manual.updates.length === tries) await clock.run(clock.now() + 500)
      triedAfter.push(clock.now() - before)
      manual.updates[tries]?.fail()
      await clock.run(clock.now())
    }
    expect(triedAfter).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
    expect(statuses).toEqual(['failed'])
  })

  it('gets what this page knows when it works again, and this page gets what it knows', async () => {
    const { manual, fallback, seen } = await failOnce()
    manual.stored = record({ cooldownUntil: start + 3_000, cooldownStartedAt: start, consecutiveRefusals: 2 })
    await clock.run(start + 1_000)
    manual.commit(1)
    await clock.run(start + 1_000)
    expect(manual.stored).toMatchObject({ cooldownUntil: start + 5_000, consecutiveRefusals: 2 })
    expect(fallback.latest).toBe(manual.stored)
    expect(seen).toEqual([start + 5_000])
    void fallback.update(coolDownUntil(start + 6_000))
    expect(manual.updates).toHaveLength(3)
  })

  it('gets a change that it made and did not keep', async () => {
    const manual = createManualStore(record({ cooldownUntil: start + 1_000 }))
    const fallback = withFallback(manual.store)
    const done = fallback.update(coolDownUntil(start + 9_000))
    manual.updates[0]?.apply()
    manual.stored = record({ cooldownUntil: start + 1_000 })
    manual.updates[0]?.fail()
    await done
    await clock.run(start + 1_000)
    void fallback.update(keep)
    manual.commit(1)
    expect(manual.stored).toMatchObject({ cooldownUntil: start + 9_000 })
  })

  it('opens no earlier than the store allows when it works again', async () => {
    const { manual, seen } = await failOnce()
    manual.stored = record({ cooldownUntil: start + 9_000 })
    await clock.run(start + 1_000)
    manual.commit(1)
    await clock.run(start + 1_000)
    expect(seen).toEqual([start + 9_000])
    expect(manual.stored).toMatchObject({ cooldownUntil: start + 9_000 })
  })

  it('starts over with a pause of 1 s when it fails again later', async () => {
    const { manual, fallback } = await failOnce()
    await clock.run(start + 1_000)
    manual.updates[1]?.fail()
    await clock.run(start + 3_000)
    manual.commit(2)
    await clock.run(start + 10_000)
    const done = fallback.update(coolDownUntil(start + 20_000))
    manual.updates[3]?.fail()
    await done
    await clock.run(start + 11_000)
    expect(manual.updates).toHaveLength(5)
  })

  it('is not tried while nobody uses it, but by the first update after the pause', async () => {
    const { manual, fallback, close } = await failOnce()
    close()
    await clock.run()
    expect(manual.updates).toHaveLength(1)
    await clock.run(start + 1_000)
    void fallback.update(keep)
    manual.commit(1)
    expect(manual.stored).toMatchObject({ cooldownUntil: start + 5_000 })
  })

  it('is tried again when it is opened again', async () => {
    const { manual, fallback, close } = await failOnce()
    close()
    fallback.open(() => {})
    await clock.run(start + 1_000)
    expect(manual.updates).toHaveLength(2)
  })

  it('is listened to until it works, also while nobody uses it', async () => {
    const { manual, fallback, close, seen } = await failOnce()
    close()
    expect(manual.listeners.size).toBe(1)
    manual.notify(record({ cooldownUntil: start + 8_000 }))
    expect(fallback.latest.cooldownUntil).toBe(start + 8_000)
    expect(seen).toEqual([])
    await clock.run(start + 1_000)
    void fallback.update(keep)
    manual.commit(1)
    await clock.run(start + 1_000)
    expect(manual.listeners.size).toBe(0)
  })

  it('is not listened to any more after the pause, unless it is used', async () => {
    const { manual, fallback, close } = await failOnce()
    close()
    await clock.run(start + 999)
    expect(manual.listeners.size).toBe(1)
    await clock.run(start + 1_000)
    expect(manual.listeners.size).toBe(0)
    expect(manual.updates).toHaveLength(1)
    fallback.open(() => {})
    expect(manual.listeners.size).toBe(1)
  })

  it('is tried again after the clock was set back', async () => {
    const manual = createManualStore()
    let setBackBy = 0
    const fallback = withFallback(manual.store, { ...clock, now: () => clock.now() - setBackBy })
    const done = fallback.update(coolDownUntil(start + 5_000))
    manual.updates[0]?.fail()
    await done
    setBackBy = 3_600_000
    void fallback.update(keep)
    expect(manual.updates).toHaveLength(2)
  })

  it('is subscribed to again if that was what failed', async () => {
    let isWorking = false
    const memory = createMemoryStore()
    const fallback = withFallback({
      ...memory,
      subscribe: (...args) => {
        if (!isWorking) throw new Error('no channel')
        return memory.subscribe(...args)
      },
    })
    const seen: number[] = []
    fallback.open(() => seen.push(fallback.latest.cooldownUntil))
    isWorking = true
    await clock.run(start + 1_000)
    await memory.update(name, () => record({ updatedAt: start + 1_000, cooldownUntil: start + 7_000 }))
    expect(seen.at(-1)).toBe(start + 7_000)
  })
})

describe('two tabs, one of which failed once to use their store', () => {
  it('the tab waits for the cool-down that the other tab meets later', async () => {
    const { clock: time, createLimiter, enter, flushPromises } = setup()
    const memory = createMemoryStore()
    let failures = 1
    const onceFailing: RateLimitStore = {
      ...memory,
      update: async (...args) => {
        if (failures-- > 0) throw new Error('out of order')
        await memory.update(...args)
      },
    }
    const [failed, other] = [createLimiter({ store: onceFailing }), createLimiter({ store: memory })]
    const first = enter(failed, 'first')
    await flushPromises()
    await first.permit?.release({ rateLimitHeaders: headersWith(9), status: 200 })
    await time.run(start + 10_000)
    const refused = enter(other, 'refused')
    await flushPromises()
    await refused.permit?.release({ rateLimitHeaders: { retryIn: 60_000 }, status: 429 })

    const waiting = enter(failed, 'waiting')
    await time.run(start + 69_000)
    expect(waiting.permit).toBeUndefined()
    await time.run(start + 72_000)
    expect(waiting.permit?.sentAt).toBeGreaterThanOrEqual(start + 70_000)
  })
})

describe('a store that has lost the record', () => {
  it('gets what this page knows, as after an app has deleted all databases', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    void fallback.update(coolDownUntil(start + 9_000))
    manual.commit(0)
    manual.stored = undefined
    void fallback.update(keep)
    manual.commit(1)
    expect([manual.stored, fallback.latest]).toMatchObject(Array(2).fill({ cooldownUntil: start + 9_000 }))
  })

  it('keeps an update that it repeats on no record, without making it twice', () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    void fallback.update(count429)
    manual.updates[0]?.apply()
    manual.stored = undefined
    manual.commit(0)
    expect(fallback.latest.consecutiveRefusals).toBe(1)
  })
})

describe('a store whose subscribe returns nothing', () => {
  it('can be closed, and has one listener when it is opened again', () => {
    const listeners: ((stored: unknown) => void)[] = []
    const fallback = withFallback({
      ...createMemoryStore(),
      // @ts-expect-error An app without types may forget the function.
      subscribe: (_, listener) => void listeners.push(listener),
    })
    let calls = 0
    const onChange = () => (calls += 1)
    fallback.open(onChange)()
    for (const listener of listeners) listener(record())
    expect(calls).toBe(0)
    fallback.open(onChange)
    for (const listener of listeners) listener(record({ updatedAt: start + 1 }))
    expect([calls, listeners.length, statuses]).toEqual([1, 1, []])
  })
})

describe('a change by others', () => {
  it('is known when onChange is called, until the subscription is closed', () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    const seen: number[] = []
    const close = fallback.open(() => seen.push(fallback.latest.consecutiveRefusals))
    manual.notify(record({ consecutiveRefusals: 1 }))
    manual.notify(record({ consecutiveRefusals: 2 }))
    close()
    expect(seen).toEqual([1, 2])
    expect(manual.listeners.size).toBe(0)
  })

  it('may be an invalid value', () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    fallback.open(() => {})
    manual.notify(null)
    expect(fallback.latest).toEqual(emptyRecord)
  })

  it('does not include the changes of this page', async () => {
    const fallback = withFallback(createMemoryStore())
    let calls = 0
    fallback.open(() => (calls += 1))
    await fallback.update(count429)
    expect(calls).toBe(0)
  })

  it('is merged with changes that are not stored yet', async () => {
    const manual = createManualStore()
    const fallback = withFallback(manual.store)
    fallback.open(() => {})
    void fallback.update(coolDownUntil(start + 9_000))
    await clock.run(start + 2_000)
    manual.notify(record({ consecutiveRefusals: 2 }))
    expect(fallback.latest).toEqual(
      record({ updatedAt: start + 1, consecutiveRefusals: 2, cooldownUntil: start + 9_000 }),
    )
  })

  it('is ignored if it is older than the known record, unless the clock was set back since', async () => {
    const manual = createManualStore()
    let setBackBy = 0
    const fallback = withFallback(manual.store, { ...clock, now: () => clock.now() - setBackBy })
    let calls = 0
    fallback.open(() => (calls += 1))
    manual.notify(record({ consecutiveRefusals: 1 }))
    manual.notify(record({ consecutiveRefusals: 2, updatedAt: start - 1 }))
    expect([fallback.latest.consecutiveRefusals, calls]).toEqual([1, 1])
    manual.notify(record({ consecutiveRefusals: 3 }))
    expect([fallback.latest.consecutiveRefusals, calls]).toEqual([3, 2])
    setBackBy = 1_000 // not more than the clocks of two tabs may differ
    manual.notify(record({ consecutiveRefusals: 2, updatedAt: start - 1 }))
    expect([fallback.latest.consecutiveRefusals, calls]).toEqual([3, 2])
    setBackBy = 1_001
    manual.notify(record({ consecutiveRefusals: 4, updatedAt: start - 1 }))
    expect([fallback.latest.consecutiveRefusals, calls]).toEqual([4, 3])
  })
})

describe('requests in flight after a failure of a store of a fleet', () => {
  const inFlight = (counts: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(counts).map(([id, count]) => [id, { count, since: start, until: start + 60_000 }]),
    )
  const counts = (stored: unknown) =>
    Object.entries((stored as GateRecord).inFlight)
      .map(([id, { count }]) => `${count} ${id}`)
      .toSorted()
  const set = (batches: Readonly<Record<string, number>>) => (before: GateRecord) => ({
    ...before,
    updatedAt: start,
    inFlight: inFlight(batches),
  })

  /** The process has 5 requests in flight and knows of 7 of another one, when the store fails. */
  async function failing() {
    const manual = createManualStore(record({ inFlight: inFlight({ other: 7 }) }))
    const fallback = withFallback(createFleetStore({ ...manual.store, now: clock.now, processes: () => alone }))
    fallback.open(() => {})
    void fallback.update((before) => ({ ...before, inFlight: inFlight({ other: 7, own: 5 }) }))
    manual.commit(0)
    await clock.run(start)
    const done = fallback.update(keep)
    manual.updates[1]?.fail()
    await done
    return { manual, fallback }
  }

  it('are those that the process knows of its own, and those that the store knows of others', async () => {
    const { manual, fallback } = await failing()
    await fallback.update(set({ other: 7, own: 2 }))
    manual.stored = record({ updatedAt: start + 1, inFlight: inFlight({ other: 3, third: 1, own: 5 }) })
    await clock.run(start + 1_000)
    manual.commit(2)
    expect(counts(manual.stored)).toEqual(['1 third', '2 own', '3 other'])
  })

  it('are all that the process knows where the store has lost its data', async () => {
    const { manual } = await failing()
    manual.stored = undefined
    await clock.run(start + 1_000)
    manual.commit(2)
    expect(counts(manual.stored)).toEqual(['5 own', '7 other'])
  })
})

describe('a store of a fleet', () => {
  const impatient = (manual: ReturnType<typeof createManualStore>, more: Partial<SharedStore> = {}) => {
    const fallback = withFallback(
      createFleetStore({ ...manual.store, now: clock.now, processes: () => alone, ...more }),
    )
    fallback.open(() => {})
    return fallback
  }

  it('is tried again after 1 s, 2 s, and so on, up to every half minute', async () => {
    const manual = createManualStore()
    void impatient(manual).update(keep)
    const triedAt: number[] = []
    for (let tries = 1; tries < 9; tries += 1) {
      manual.updates.at(-1)?.fail()
      while (manual.updates.length === tries) await clock.run(clock.now() + 500)
      triedAt.push(clock.now() - start)
    }
    const pauses = triedAt.map((time, index) => (time - (triedAt[index - 1] ?? 0)) / 1_000)
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  })

  it('is tried again at once when something comes from it, but once in an outage', async () => {
    const manual = createManualStore()
    const fallback = impatient(manual)
    const fail = async () => {
      manual.updates.at(-1)?.fail()
      await clock.run(clock.now())
    }
    void fallback.update(count429)
    await fail()
    manual.notify(undefined)
    expect(manual.updates).toHaveLength(2)
    await fail()
    manual.notify(undefined)
    expect(manual.updates).toHaveLength(2)
    await clock.run(start + 2_000)
    manual.commit(2)
    await clock.run(start + 2_000)
    expect(statuses).toEqual(['failed', 'recovered'])
    void fallback.update(count429)
    await fail()
    manual.notify(undefined)
    expect(manual.updates).toHaveLength(5)
  })

  it('makes a change once that it may have stored, and merges it when it repeats the update late', async () => {
    const manual = createManualStore(record({ consecutiveRefusals: 3 }))
    const fallback = impatient(manual)
    void fallback.update(count429)
    manual.updates[0]?.apply()
    await clock.run(start + 2_000)
    expect(fallback.latest.consecutiveRefusals).toBe(4)
    // Another process was faster, so the store repeats the update.
    manual.stored = record({ cooldownUntil: start + 9_000, updatedAt: start + 1 })
    manual.commit(0)
    await clock.run(start + 2_000)
    expect(manual.stored).toMatchObject({ consecutiveRefusals: 4, cooldownUntil: start + 9_000 })
    expect(statuses).toEqual([])
  })

  it('is cut off from the others while it fails', async () => {
    const manual = createManualStore()
    const fallback = impatient(manual)
    const done = fallback.update(count429)
    expect(fallback.isCutOff).toBe(false)
    manual.updates[0]?.fail()
    await done
    expect(fallback.isCutOff).toBe(true)
    await clock.run(start + 1_000)
    manual.commit(1)
    await clock.run(start + 1_000)
    expect([fallback.isCutOff, statuses]).toEqual([false, ['failed', 'recovered']])
  })
})

describe('a store with a clock of its own', () => {
  const hour = 3_600_000

  it.each([hour, -hour])('keeps a wait that was learned before its clock was known (%d ms)', async (ahead) => {
    const manual = createManualStore()
    let isKnown = false
    const now = () => clock.now() + (isKnown ? ahead : 0)
    const fallback = withFallback(createFleetStore({ ...manual.store, now, processes: () => alone }), { ...clock, now })
    fallback.open(() => {})
    const done = fallback.update(coolDownUntil(start + 9_000))
    manual.updates[0]?.fail()
    await done
    await clock.run(start + 1_000)
    isKnown = true
    manual.commit(1)
    expect(manual.stored).toMatchObject({ cooldownUntil: start + ahead + 9_000, clearedAt: 0 })
  })

  it('gets back what it has lost', async () => {
    const manual = createManualStore()
    const fallback = withFallback(createFleetStore({ ...manual.store, now: clock.now, processes: () => alone }))
    void fallback.update(coolDownUntil(start + 9_000))
    manual.commit(0)
    await clock.run(start)
    manual.stored = record({ updatedAt: start - 5_000, consecutiveRefusals: 1 })
    void fallback.update(keep)
    manual.commit(1)
    expect(manual.stored).toMatchObject({ cooldownUntil: start + 9_000, consecutiveRefusals: 1 })
  })
})

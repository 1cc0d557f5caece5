import { beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/rate-limit/Clock.ts'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import type { RateLimitStore } from '../../../src/rate-limit/RateLimitStore.ts'
import { createFallbackStore } from '../../../src/rate-limit/stores/fallbackStore.ts'
import { createVirtualClock, type VirtualClock } from '../virtualClock.ts'

const start = Date.UTC(2026, 0, 1)
const name = 'key'

let clock: VirtualClock
let warnings: string[]

beforeEach(() => {
  clock = createVirtualClock(start)
  warnings = []
})

const resilient = (store: RateLimitStore, on: Clock = clock) =>
  createFallbackStore(store, name, on, (message) => warnings.push(message))
const record = (fields: Partial<GateRecord> = {}): GateRecord => ({ ...emptyRecord, updatedAt: start, ...fields })
const cool =
  (until: number) =>
  (before: GateRecord): GateRecord => ({
    ...before,
    updatedAt: start,
    cooldownUntil: Math.max(before.cooldownUntil, until),
  })
const strike = (before: GateRecord): GateRecord => ({
  ...before,
  updatedAt: start,
  consecutive429s: before.consecutive429s + 1,
})

/** A store whose updates are made, finished or failed by hand. */
function createHandStore(stored?: unknown) {
  const steps: { make: () => void; finish: () => void; fail: () => void }[] = []
  const listeners = new Set<(record: unknown) => void>()
  const hand = {
    stored,
    steps,
    listeners,
    store: {
      update: (_, change) =>
        new Promise((finish, reject) => {
          steps.push({
            make: () => {
              hand.stored = change(hand.stored)
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
    /** Makes and finishes the update of that number. */
    commit: (number: number) => {
      steps[number]?.make()
      steps[number]?.finish()
    },
    tell: (news: unknown) => {
      for (const listener of listeners) listener(news)
    },
  }
  return hand
}

/** Whether a promise has been kept by now. */
function watch(promise: Promise<void>): { isDone: boolean } {
  const watched = { isDone: false }
  void promise.then(() => {
    watched.isDone = true
  })
  return watched
}

describe('a store that works', () => {
  it('nothing is known at first', () => {
    expect(resilient(createMemoryStore()).latest).toEqual(emptyRecord)
  })

  it('holds each change, made of what it held', async () => {
    const hand = createHandStore(record({ consecutive429s: 2 }))
    const kept = resilient(hand.store)
    const done = watch(kept.update(strike))
    hand.steps[0]?.make()
    await clock.run(start + 1_000)
    expect([hand.stored, kept.latest, done.isDone]).toEqual([
      record({ consecutive429s: 3 }),
      record({ consecutive429s: 3 }),
      false,
    ])
    hand.steps[0]?.finish()
    await clock.run(start + 1_000)
    expect(done.isDone).toBe(true)
    expect(warnings).toEqual([])
  })

  it('what it holds may be anything; nothing is written where nothing changes', async () => {
    const hand = createHandStore('junk')
    const kept = resilient(hand.store)
    void kept.update((before) => before)
    hand.commit(0)
    expect([hand.stored, kept.latest]).toEqual(['junk', emptyRecord])
  })

  it('that gives back the record as it was given keeps it the very same', async () => {
    const kept = resilient(createMemoryStore())
    await kept.update(strike)
    const { latest } = kept
    await kept.update((before) => before)
    expect(kept.latest).toBe(latest)
  })

  it('no timer stays behind', async () => {
    await resilient(createMemoryStore()).update(strike)
    await clock.run()
    expect(clock.now()).toBe(start)
  })
})

describe('a slow store', () => {
  it('is waited for two seconds; then the change is made in memory', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    const done = watch(kept.update(strike))
    await clock.run(start + 1_999)
    expect([done.isDone, kept.latest]).toEqual([false, emptyRecord])
    await clock.run(start + 2_000)
    expect([done.isDone, kept.latest]).toEqual([true, record({ consecutive429s: 1 })])
    expect(warnings).toEqual([])
  })

  it('that comes after all joins both, and makes no change twice', async () => {
    const hand = createHandStore(
      record({ cooldownUntil: start + 9_000, inFlight: { a: { sentAt: 1, until: start + 5_000 } } }),
    )
    const kept = resilient(hand.store)
    void kept.update((before) => ({ ...strike(before), inFlight: { b: { sentAt: 1, until: start + 6_000 } } }))
    await clock.run(start + 2_000)
    hand.commit(0)
    const merged = record({
      updatedAt: start + 1,
      consecutive429s: 1,
      cooldownUntil: start + 9_000,
      inFlight: { a: { sentAt: 1, until: start + 5_000 }, b: { sentAt: 1, until: start + 6_000 } },
    })
    expect([hand.stored, kept.latest]).toEqual([merged, merged])
    await clock.run(start + 2_000)
    expect(warnings).toEqual([])
  })

  it('that has begun to make the change makes it, however late', async () => {
    const hand = createHandStore(record({ consecutive429s: 1 }))
    const kept = resilient(hand.store)
    void kept.update(strike)
    hand.steps[0]?.make()
    await clock.run(start + 2_000)
    expect(kept.latest.consecutive429s).toBe(2)
  })

  it('gets with the next update what it has missed, even if that changes nothing', async () => {
    const hand = createHandStore(record({ consecutive429s: 4 }))
    const kept = resilient(hand.store)
    void kept.update(cool(start + 9_000))
    await clock.run(start + 2_000)
    void kept.update((before) => before)
    hand.commit(1)
    expect([hand.stored, kept.latest]).toEqual([
      record({ updatedAt: start + 1, consecutive429s: 4, cooldownUntil: start + 9_000 }),
      record({ updatedAt: start + 1, consecutive429s: 4, cooldownUntil: start + 9_000 }),
    ])
  })

  it('what it has got is joined no more: what others end, ends', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    void kept.update(cool(start + 9_000))
    await clock.run(start + 2_000)
    hand.commit(0)
    hand.stored = record({ consecutive429s: 5 })
    void kept.update((before) => before)
    hand.commit(1)
    expect([hand.stored, kept.latest]).toEqual([record({ consecutive429s: 5 }), record({ consecutive429s: 5 })])
  })

  it('a step that has to be repeated joins again', async () => {
    const hand = createHandStore(record({ consecutive429s: 1 }))
    const kept = resilient(hand.store)
    void kept.update(cool(start + 9_000))
    await clock.run(start + 2_000)
    void kept.update(strike)
    hand.steps[1]?.make()
    hand.stored = record({ consecutive429s: 3 })
    hand.commit(1)
    expect(hand.stored).toEqual(record({ consecutive429s: 4, cooldownUntil: start + 9_000 }))
  })

  it('a record from before the clock was set back has its times moved before it is joined', async () => {
    const unsynced = start + 50_000
    const hand = createHandStore(record({ updatedAt: unsynced, cooldownUntil: unsynced + 1_000 }))
    const kept = resilient(hand.store)
    void kept.update(strike)
    await clock.run(start + 2_000)
    hand.commit(0)
    expect(kept.latest).toMatchObject({ consecutive429s: 1, updatedAt: start + 2_001, cooldownUntil: start + 3_000 })
  })

  it('so has what is in memory', async () => {
    const hand = createHandStore()
    let setBackBy = 0
    const kept = resilient(hand.store, { ...clock, now: () => clock.now() - setBackBy })
    void kept.update(cool(start + 9_000))
    await clock.run(start + 2_000)
    setBackBy = 62_000
    hand.commit(0)
    expect(kept.latest).toMatchObject({ updatedAt: start - 59_999, cooldownUntil: start - 51_000 })
  })
})

describe('a store that fails', () => {
  const warning = ['The rate-limit store failed; from now on this page keeps the rate limit in memory, for itself.']

  it('is given up, with one warning; the change is made in memory, and all that follow', async () => {
    const hand = createHandStore(record({ consecutive429s: 7 }))
    const kept = resilient(hand.store)
    const first = watch(kept.update(strike))
    hand.steps[0]?.fail()
    await clock.run()
    expect([first.isDone, kept.latest.consecutive429s, warnings]).toEqual([true, 1, warning])
    await kept.update(strike)
    expect([kept.latest.consecutive429s, hand.steps.length, warnings]).toEqual([2, 1, warning])
  })

  it('may fail at once, by throwing', async () => {
    const throwing: RateLimitStore = {
      update: () => {
        throw new Error('out of order')
      },
      subscribe: () => () => {},
    }
    const store = resilient(throwing)
    await store.update(cool(start + 5_000))
    expect(store.latest.cooldownUntil).toBe(start + 5_000)
    expect(warnings).toHaveLength(1)
  })

  it('several failures are one warning', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    const both = Promise.all([kept.update(strike), kept.update(strike)])
    hand.steps[0]?.fail()
    hand.steps[1]?.fail()
    await both
    expect([kept.latest.consecutive429s, warnings]).toEqual([2, warning])
  })

  it('after it has made the change, keeps it: it is not made twice', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    const done = kept.update(strike)
    hand.steps[0]?.make()
    hand.steps[0]?.fail()
    await done
    expect([kept.latest.consecutive429s, warnings]).toEqual([1, warning])
  })

  it('late is given up then', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    void kept.update(strike)
    await clock.run(start + 2_000)
    expect(warnings).toEqual([])
    hand.steps[0]?.fail()
    await clock.run(start + 2_000)
    expect(warnings).toEqual(warning)
    await kept.update(strike)
    expect([kept.latest.consecutive429s, hand.steps.length]).toEqual([2, 1])
  })

  it('to tell of changes is given up too', async () => {
    const kept = resilient({
      ...createMemoryStore(),
      subscribe: () => {
        throw new Error('no channel')
      },
    })
    const close = kept.open(() => {})
    expect(warnings).toEqual(warning)
    close()
    await kept.update(strike)
    expect(kept.latest.consecutive429s).toBe(1)
  })

  it('is not listened to any more', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    let calls = 0
    kept.open(() => (calls += 1))
    const done = kept.update(strike)
    hand.steps[0]?.fail()
    await done
    hand.tell(record({ updatedAt: start + 5, consecutive429s: 9 }))
    expect([calls, kept.latest.consecutive429s]).toEqual([0, 1])
  })
})

describe('what others change', () => {
  it('is known at once, and told, until it is closed', () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    const seen: number[] = []
    const close = kept.open(() => seen.push(kept.latest.consecutive429s))
    hand.tell(record({ consecutive429s: 1 }))
    hand.tell(record({ consecutive429s: 2 }))
    close()
    expect(seen).toEqual([1, 2])
    expect(hand.listeners.size).toBe(0)
  })

  it('may be anything', () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    kept.open(() => {})
    hand.tell(null)
    expect(kept.latest).toEqual(emptyRecord)
  })

  it('is not what this page has changed itself', async () => {
    const kept = resilient(createMemoryStore())
    let calls = 0
    kept.open(() => (calls += 1))
    await kept.update(strike)
    expect(calls).toBe(0)
  })

  it('is joined with what the store has not got yet', async () => {
    const hand = createHandStore()
    const kept = resilient(hand.store)
    kept.open(() => {})
    void kept.update(cool(start + 9_000))
    await clock.run(start + 2_000)
    hand.tell(record({ consecutive429s: 2 }))
    expect(kept.latest).toEqual(record({ updatedAt: start + 1, consecutive429s: 2, cooldownUntil: start + 9_000 }))
  })

  it('is no news if more is known here, unless the clock was set back since', async () => {
    const hand = createHandStore()
    let setBackBy = 0
    const kept = resilient(hand.store, { ...clock, now: () => clock.now() - setBackBy })
    let calls = 0
    kept.open(() => (calls += 1))
    hand.tell(record({ consecutive429s: 1 }))
    hand.tell(record({ consecutive429s: 2, updatedAt: start - 1 }))
    expect([kept.latest.consecutive429s, calls]).toEqual([1, 1])
    hand.tell(record({ consecutive429s: 3 }))
    expect([kept.latest.consecutive429s, calls]).toEqual([3, 2])
    setBackBy = 1_000 // by less two clocks may differ
    hand.tell(record({ consecutive429s: 2, updatedAt: start - 1 }))
    expect([kept.latest.consecutive429s, calls]).toEqual([3, 2])
    setBackBy = 1_001
    hand.tell(record({ consecutive429s: 4, updatedAt: start - 1 }))
    expect([kept.latest.consecutive429s, calls]).toEqual([4, 3])
  })
})

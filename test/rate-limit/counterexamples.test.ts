import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { calmScenario } from './calmScenario.ts'
import { type InvariantName, invariants } from './invariants.ts'
import { type CallPlan, type Scenario, simulate } from './simulate.ts'
import { createVirtualClock } from './virtualClock.ts'

// Scenarios in which properties once failed, as fast-check shrank them.

const minute = 60_000
const day = 86_400_000

const call = (fields: Partial<CallPlan> = {}): CallPlan => ({
  at: 0,
  tab: 0,
  count: 1,
  priority: 'user',
  maxWait: 65_000,
  ...fields,
})

const aMinuteOf = (limit: number) => [{ limit, per: minute }]

type Fields = Partial<Omit<Scenario, 'service'>> & { readonly service?: Partial<Scenario['service']> }

async function brokenInvariants(names: readonly InvariantName[], { service, ...fields }: Fields): Promise<string[]> {
  const trace = await simulate({
    ...calmScenario,
    service: { ...calmScenario.service, ...service },
    calls: [call()],
    trips: [],
    jitter: [],
    ...fields,
  })
  return names.flatMap((invariant) => {
    const { violation } = invariants[invariant](trace)
    return violation === undefined ? [] : [`${invariant}: ${violation}`]
  })
}

describe('with a slow store', () => {
  it('a page does not try it again while it catches up', async () => {
    const calls = [call({ count: 2, maxWait: Number.POSITIVE_INFINITY }), call({ tab: 1 }), call({ abortAfter: 0 })]
    const service = { plan: [...aMinuteOf(1), { limit: 2, per: day }] }
    const visible = { limits: false, retryAfter: false, date: false }
    const store = [{ changeDelay: 2_015, resolveDelay: 1_525, notifyDelay: 355 }]
    expect(await brokenInvariants(['G16'], { calls, service, visible, store, jitter: [0.999] })).toEqual([])
  })

  it('a process does not merge again and again what is always late', async () => {
    const service = { plan: [...aMinuteOf(1), { limit: 2, per: day }] }
    const calls = [call({ count: 3, maxWait: Number.POSITIVE_INFINITY })]
    const store = [{ changeDelay: 0, resolveDelay: 2_001, notifyDelay: 0 }]
    const fleet = { isFleet: true, processClocks: [0, 0, 0] }
    expect(await brokenInvariants(['G16'], { calls, service, store, ...fleet })).toEqual([])
  })

  it('an admission is not decided again and again', async () => {
    const store = [{ changeDelay: 0, resolveDelay: 1_001, notifyDelay: 0 }]
    expect(await brokenInvariants(['G16'], { store, lateness: [1] })).toEqual([])
  })

  it('the unit of an expired request is spent once', async () => {
    const calls = [call({ count: 2, maxWait: Number.POSITIVE_INFINITY })]
    const common = { calls, service: { plan: aMinuteOf(1) }, isPlanKnown: true }
    const noDate = { limits: true, retryAfter: false, date: false }
    expect(
      await brokenInvariants(['G16'], {
        ...common,
        store: [{ changeDelay: 1_534, resolveDelay: 933, notifyDelay: 0 }],
      }),
    ).toEqual([])
    expect(
      await brokenInvariants(['G16'], {
        ...common,
        visible: noDate,
        store: [{ changeDelay: 2_001, resolveDelay: 0, notifyDelay: 0 }],
      }),
    ).toEqual([])
  })

  it('a cool-down in memory is kept when the clock is set back', async () => {
    const scenario: Fields = {
      service: { plan: aMinuteOf(1) },
      visible: { limits: false, retryAfter: false, date: false },
      calls: [call({ abortAfter: 2_001 }), call({ count: 2, maxWait: Number.POSITIVE_INFINITY })],
      store: [{ changeDelay: 2_001, resolveDelay: 0, notifyDelay: 0 }],
      clockJumps: [{ at: 72_501, by: -124_500 }],
    }
    expect(await brokenInvariants(['G1', 'G16'], scenario)).toEqual([])
  })

  it('changes in memory are merged each time that the store repeats an update', async () => {
    const scenario: Fields = {
      service: { plan: aMinuteOf(1), retryAfter: { text: '' }, usedBefore: 1 },
      visible: { limits: false, retryAfter: false, date: false },
      calls: [call(), call({ at: 16_128, tab: 1, prioritizeAfter: 18_873 })],
      trips: [
        { requestDelay: 0, responseDelay: 0 },
        { requestDelay: 0, responseDelay: 0 },
        { requestDelay: 0, responseDelay: 0 },
        { requestDelay: 0, responseDelay: 0, lost: 'before' },
      ],
      store: [
        { changeDelay: 4_001, resolveDelay: 0, notifyDelay: 0, isRepeated: true },
        { changeDelay: 0, resolveDelay: 0, notifyDelay: 0 },
        { changeDelay: 0, resolveDelay: 0, notifyDelay: 0 },
      ],
    }
    expect(await brokenInvariants(['G1', 'G10'], scenario)).toEqual([])
  })

  it('an older change by another tab does not end a cool-down', async () => {
    const quick = { changeDelay: 0, resolveDelay: 0, notifyDelay: 0 }
    const scenario: Fields = {
      service: { plan: [...aMinuteOf(1), { limit: 2, per: day }], usedBefore: 1 },
      calls: [
        call({ tab: 1 }),
        call({ abortAfter: 0 }),
        call({ abortAfter: 0 }),
        call({ tab: 2, maxWait: 20_000, abortAfter: 2_004 }),
      ],
      store: [{ ...quick, changeDelay: 1 }, quick, quick, { changeDelay: 2_001, resolveDelay: 0, notifyDelay: 1 }],
    }
    expect(await brokenInvariants(['G1'], scenario)).toEqual([])
  })

  it('a change by another tab at the time of a merge does not end a cool-down', async () => {
    const quick = { changeDelay: 0, resolveDelay: 0, notifyDelay: 0 }
    const scenario: Fields = {
      service: { plan: aMinuteOf(1), retryAfter: { text: '' }, clockAhead: 3_476_838, usedBefore: 1 },
      visible: { limits: false, retryAfter: false, date: false },
      calls: [call({ at: 764 }), call({ tab: 1 })],
      trips: [
        { requestDelay: 0, responseDelay: 0 },
        { requestDelay: 398, responseDelay: 0 },
        { requestDelay: 0, responseDelay: 0 },
      ],
      store: [
        { changeDelay: 2_510, resolveDelay: 12, notifyDelay: 242 },
        { ...quick, changeDelay: 2_641, notifyDelay: 1 },
        quick,
        quick,
        quick,
      ],
    }
    expect(await brokenInvariants(['G1'], scenario)).toEqual([])
  })

  it('a merge of two windows of one limit keeps the later one', async () => {
    const scenario: Fields = {
      service: { plan: [...aMinuteOf(5), { limit: 8, per: day }] },
      visible: { limits: true, retryAfter: true, date: false },
      calls: [call({ at: 58_665, count: 2 }), call({ abortAfter: 0 }), call({ count: 2, abortAfter: 4_082 })],
      trips: [0, 0, 296, 295, 0].map((requestDelay) => ({
        requestDelay,
        responseDelay: requestDelay === 295 ? 2 : 0,
      })),
      store: [
        { changeDelay: 748, resolveDelay: 292, notifyDelay: 0 },
        { changeDelay: 2_001, resolveDelay: 0, notifyDelay: 0 },
      ],
    }
    expect(await brokenInvariants(['G7'], scenario)).toEqual([])
  })
})

it('the unit of a lost request counts although an older response does not report it', async () => {
  const scenario: Fields = {
    service: { plan: aMinuteOf(3) },
    calls: [call(), call({ count: 3 })],
    trips: [
      { requestDelay: 0, responseDelay: 1 },
      { requestDelay: 1, responseDelay: 0, lost: 'after' },
      { requestDelay: 0, responseDelay: 2 },
    ],
  }
  expect(await brokenInvariants(['G6'], scenario)).toEqual([])
})

it('the reset of a day is believed at its beginning, although its latest estimate lies more than a day ahead', async () => {
  const scenario: Fields = {
    startsAt: 53_241,
    service: { plan: [...aMinuteOf(1), { limit: 2, per: day }], clockAhead: 1, usedBefore: 1 },
    visible: { limits: true, retryAfter: false, date: false },
    calls: [call({ at: 1_382 }), call({ at: 1_382, tab: 1 }), call({ at: 4_508, tab: 1 })],
    trips: [{ requestDelay: 3_376, responseDelay: 0 }],
    store: [{ changeDelay: 1_993, resolveDelay: 7, notifyDelay: 0 }],
  }
  expect(await brokenInvariants(['G1', 'G10'], scenario)).toEqual([])
})

it('a request at its deadline leaves if the gate opens before the store responds', async () => {
  const scenario: Fields = {
    service: { closures: [{ at: 0, length: 5_000 }] },
    calls: [call({ maxWait: 0 }), call({ at: 5_540, tab: 1 })],
    store: [{ changeDelay: 0, resolveDelay: 50, notifyDelay: 0 }],
  }
  expect(await brokenInvariants(['G16'], scenario)).toEqual([])
})

it('a cool-down that is heard of after the clock was set forward ends', async () => {
  const anyWait = { priority: 'background', maxWait: Number.POSITIVE_INFINITY } as const
  const short = { maxWait: 1_000 }
  const calls = [call({ at: 926, ...short }), call({ at: 65_220, tab: 1, ...short }), call({ at: 94_472, ...short })]
  expect(
    await brokenInvariants(['G16'], {
      service: { plan: aMinuteOf(1), clockAhead: -61_187, usedBefore: 25, otherUsage: [{ at: 35_187, units: 12 }] },
      visible: { limits: true, retryAfter: false, date: false },
      calls: [...calls, call({ at: 95_804, tab: 2, ...anyWait })],
      trips: [{ requestDelay: 52, responseDelay: 353 }],
      clockJumps: [{ at: 65_604, by: 4_290_468 }],
      lateness: [12_942],
    }),
  ).toEqual([])
})

it('tabs that notify each other at once come to rest', async () => {
  const calls = [call({ count: 4 }), call({ tab: 1, count: 4 }), call({ tab: 2, count: 4 })]
  expect(await brokenInvariants(['G16'], { calls })).toEqual([])
})

it('a request that enters while a change is published leaves', async () => {
  const clock = createVirtualClock()
  const { signal } = new AbortController()
  const limiter = createRateLimiter({
    name: 'record',
    store: createMemoryStore(),
    pace: paceOf('free'),
    clock,
    random: () => 0,
  })
  const enter = (id: string) =>
    limiter.enter({
      id,
      callId: id,
      address: 'categories',
      isRetry: false,
      operation: '',
      order: 0,
      priority: 'user',
      deadline: Infinity,
      holdFor: 31_000,
      signal,
    })
  const entered: string[] = []
  const unsubscribe = limiter.subscribe(() => {
    unsubscribe()
    void enter('second').then(() => entered.push('second'))
  })
  const first = await enter('first')
  const resetAt = clock.now() + 30_000
  await first.release({ rateLimitHeaders: { limit: 60, remaining: 59, resetAt }, status: 200 })
  await clock.run()
  expect(entered).toEqual(['second'])
})

describe('after failures, a request in the background does not find out for all whether the key works', () => {
  const background = { tab: 1, priority: 'background' as const }

  it('while a person waits in another tab', async () => {
    const calls = [call({ ...background, count: 3 }), call({ at: 3 })]
    const trips = [{ requestDelay: 0, responseDelay: 2, lost: 'after' as const }]
    expect(await brokenInvariants(['G20'], { calls, trips })).toEqual([])
  })

  it('while a person waits at another process', async () => {
    const calls = [call({ ...background, count: 2, prioritizeAfter: 1_501 }), call({ count: 2 }), call({ at: 20 })]
    const trips = [{ requestDelay: 0, responseDelay: 0, lost: 'before' as const }]
    expect(await brokenInvariants(['G20'], { calls, trips, isFleet: true, processClocks: [0, 0, 0] })).toEqual([])
  })
})

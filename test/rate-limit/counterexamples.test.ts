import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { invariants, type Line } from './invariants.ts'
import { type CallPlan, type Scenario, simulate } from './simulate.ts'
import { createVirtualClock } from './virtualClock.ts'

// What the properties once found, as small as they made it.

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

async function broken(lines: readonly Line[], { service, ...fields }: Fields): Promise<string[]> {
  const trace = await simulate({
    startsAt: 0,
    service: {
      plan: aMinuteOf(60),
      retryAfter: 'seconds',
      clockAhead: 0,
      usedBefore: 0,
      closures: [],
      strangers: [],
      ...service,
    },
    visible: { limits: true, retryAfter: true, date: true },
    isPlanKnown: false,
    timeout: 30_000,
    calls: [call()],
    trips: [],
    store: [],
    storeBreaks: [],
    reloads: [],
    clockJumps: [],
    lateness: [],
    jitter: [],
    ...fields,
  })
  return lines.flatMap((line) => {
    const { wrong } = invariants[line](trace)
    return wrong === undefined ? [] : [`${line}: ${wrong}`]
  })
}

describe('a store that is slow', () => {
  it('to say that it is done: an admission is not asked for anew for ever', async () => {
    const store = [{ before: 0, after: 1_001, news: 0 }]
    expect(await broken(['G16'], { store, lateness: [1] })).toEqual([])
  })

  it('at each update: a request that was given up for lost is not spent anew each time', async () => {
    const calls = [call({ count: 2, maxWait: Number.POSITIVE_INFINITY })]
    const common = { calls, service: { plan: aMinuteOf(1) }, isPlanKnown: true }
    const noDate = { limits: true, retryAfter: false, date: false }
    expect(await broken(['G16'], { ...common, store: [{ before: 1_534, after: 933, news: 0 }] })).toEqual([])
    expect(
      await broken(['G16'], { ...common, visible: noDate, store: [{ before: 2_001, after: 0, news: 0 }] }),
    ).toEqual([])
  })

  it('while the clock is set back: the cool-down that only memory knows is kept', async () => {
    const scenario: Fields = {
      service: { plan: aMinuteOf(1) },
      visible: { limits: false, retryAfter: false, date: false },
      calls: [call({ abortAfter: 2_001 }), call({ count: 2, maxWait: Number.POSITIVE_INFINITY })],
      store: [{ before: 2_001, after: 0, news: 0 }],
      clockJumps: [{ at: 72_501, by: -124_500 }],
    }
    expect(await broken(['G1', 'G16'], scenario)).toEqual([])
  })

  it('and repeats a step: what only memory knows is joined each time', async () => {
    const scenario: Fields = {
      service: { plan: aMinuteOf(1), retryAfter: { text: '' }, usedBefore: 1 },
      visible: { limits: false, retryAfter: false, date: false },
      calls: [call(), call({ at: 16_128, tab: 1, liftAfter: 18_873 })],
      trips: [
        { there: 0, back: 0 },
        { there: 0, back: 0 },
        { there: 0, back: 0 },
        { there: 0, back: 0, lost: 'before' },
      ],
      store: [
        { before: 4_001, after: 0, news: 0, isRepeated: true },
        { before: 0, after: 0, news: 0 },
        { before: 0, after: 0, news: 0 },
      ],
    }
    expect(await broken(['G1', 'G10'], scenario)).toEqual([])
  })

  it('old news of it do not make a tab forget a cool-down', async () => {
    const quick = { before: 0, after: 0, news: 0 }
    const scenario: Fields = {
      service: { plan: [...aMinuteOf(1), { limit: 2, per: day }], usedBefore: 1 },
      calls: [
        call({ tab: 1 }),
        call({ abortAfter: 0 }),
        call({ abortAfter: 0 }),
        call({ tab: 2, maxWait: 20_000, abortAfter: 2_004 }),
      ],
      store: [{ ...quick, before: 1 }, quick, quick, { before: 2_001, after: 0, news: 1 }],
    }
    expect(await broken(['G1'], scenario)).toEqual([])
  })

  it('news of the moment in which two records were joined do not either', async () => {
    const quick = { before: 0, after: 0, news: 0 }
    const scenario: Fields = {
      service: { plan: aMinuteOf(1), retryAfter: { text: '' }, clockAhead: 3_476_838, usedBefore: 1 },
      visible: { limits: false, retryAfter: false, date: false },
      calls: [call({ at: 764 }), call({ tab: 1 })],
      trips: [
        { there: 0, back: 0 },
        { there: 398, back: 0 },
        { there: 0, back: 0 },
      ],
      store: [{ before: 2_510, after: 12, news: 242 }, { ...quick, before: 2_641, news: 1 }, quick, quick, quick],
    }
    expect(await broken(['G1'], scenario)).toEqual([])
  })

  it('two windows of one limit, joined, are one: the later', async () => {
    const scenario: Fields = {
      service: { plan: [...aMinuteOf(5), { limit: 8, per: day }] },
      visible: { limits: true, retryAfter: true, date: false },
      calls: [call({ at: 58_665, count: 2 }), call({ abortAfter: 0 }), call({ count: 2, abortAfter: 4_082 })],
      trips: [0, 0, 296, 295, 0].map((there) => ({ there, back: there === 295 ? 2 : 0 })),
      store: [
        { before: 748, after: 292, news: 0 },
        { before: 2_001, after: 0, news: 0 },
      ],
    }
    expect(await broken(['G7'], scenario)).toEqual([])
  })
})

it('what was lost meanwhile counts, though a response from before does not tell of it', async () => {
  const scenario: Fields = {
    service: { plan: aMinuteOf(3) },
    calls: [call(), call({ count: 3 })],
    trips: [
      { there: 0, back: 1 },
      { there: 1, back: 0, lost: 'after' },
      { there: 0, back: 2 },
    ],
  }
  expect(await broken(['G6'], scenario)).toEqual([])
})

it('the end of a day is believed also at its beginning, when a careful estimate of it is later than a day', async () => {
  const scenario: Fields = {
    startsAt: 53_241,
    service: { plan: [...aMinuteOf(1), { limit: 2, per: day }], clockAhead: 1, usedBefore: 1 },
    visible: { limits: true, retryAfter: false, date: false },
    calls: [call({ at: 1_382 }), call({ at: 1_382, tab: 1 }), call({ at: 4_508, tab: 1 })],
    trips: [{ there: 3_376, back: 0 }],
    store: [{ before: 1_993, after: 7, news: 0 }],
  }
  expect(await broken(['G1', 'G10'], scenario)).toEqual([])
})

it('who came just before the gate opened is let in, though the store told of it just after', async () => {
  const scenario: Fields = {
    service: { closures: [{ at: 0, length: 5_000 }] },
    calls: [call({ maxWait: 0 }), call({ at: 5_540, tab: 1 })],
    store: [{ before: 0, after: 50, news: 0 }],
  }
  expect(await broken(['G16'], scenario)).toEqual([])
})

it('tabs that tell each other at once do not go round in circles', async () => {
  const calls = [call({ count: 4 }), call({ tab: 1, count: 4 }), call({ tab: 2, count: 4 })]
  expect(await broken(['G16'], { calls })).toEqual([])
})

it('who comes while a change is told is heard', async () => {
  const clock = createVirtualClock()
  const { signal } = new AbortController()
  const limiter = createRateLimiter({
    name: 'record',
    store: createMemoryStore(),
    pace: paceOf('free'),
    clock,
    random: () => 0,
    warn: () => {},
  })
  const enter = (id: string) =>
    limiter.enter({ id, order: 0, priority: 'user', deadline: Infinity, holdFor: 31_000, signal })
  const entered: string[] = []
  const stop = limiter.subscribe(() => {
    stop()
    void enter('second').then(() => entered.push('second'))
  })
  const first = await enter('first')
  const resetAt = clock.now() + 30_000
  await first.release({ rateLimitHeaders: { limit: 60, remaining: 59, resetAt }, refused: false })
  await clock.run()
  expect(entered).toEqual(['second'])
})

import { expect, test } from 'vitest'
import { type InvariantName, invariants } from '../invariants.ts'
import { calmScenario } from '../calmScenario.ts'
import { type Scenario, simulate } from '../simulate.ts'

const calm: Scenario = {
  ...calmScenario,
  service: {
    ...calmScenario.service,
    plan: [
      { limit: 5, per: 60_000 },
      { limit: 6, per: 86_400_000 },
    ],
  },
  jitter: [0],
  isFleet: true,
}

const call = (tab: number, at = 0, maxWait = 65_000): Scenario['calls'][number] => ({
  at,
  tab,
  count: 1,
  priority: 'user',
  maxWait,
  abortAfter: undefined,
  prioritizeAfter: undefined,
})

async function violations(scenario: Scenario): Promise<string[]> {
  const trace = await simulate(scenario)
  const names = Object.keys(invariants) as InvariantName[]
  return names.flatMap((name) => invariants[name](trace).violation ?? [])
}

test('a response that shows that another program uses the key reaches the other processes at once', async () => {
  const scenario: Scenario = {
    ...calm,
    service: { ...calm.service, otherUsage: [{ at: 1, units: 1 }] },
    calls: [call(0), call(1, 3), call(0), call(0), call(0)],
    trips: [{ requestDelay: 0, responseDelay: 1, lost: undefined, hidesHeaders: false }],
  }
  expect(await violations(scenario)).toEqual([])
})

test('a store that is always late is left alone for longer and longer', async () => {
  const scenario: Scenario = {
    ...calm,
    service: {
      ...calm.service,
      plan: [
        { limit: 1, per: 60_000 },
        { limit: 2, per: 86_400_000 },
      ],
    },
    calls: [call(0, 0, Number.POSITIVE_INFINITY), call(0, 0, Number.POSITIVE_INFINITY), call(1)],
    store: [{ changeDelay: 0, resolveDelay: 419, notifyDelay: 670, isRepeated: false }],
  }
  expect(await violations(scenario)).toEqual([])
})

test('timers that are late by 800 ms make no call wait past its deadline', async () => {
  const scenario: Scenario = {
    ...calm,
    service: { ...calm.service, plan: [{ limit: 40, per: 60_000 }] },
    isPlanKnown: true,
    calls: [...Array.from({ length: 92 }, (_, index) => call(0, index * 495)), call(1, 45_491)],
    trips: [{ requestDelay: 0, responseDelay: 0, lost: 'before', hidesHeaders: false }],
    store: [{ changeDelay: 1_751, resolveDelay: 2_448, notifyDelay: 0, isRepeated: false }],
    lateness: [801],
  }
  expect(await violations(scenario)).toEqual([])
})

test('a call whose time ends while the store decides on it holds up no background call', async () => {
  const scenario: Scenario = {
    ...calm,
    service: { ...calm.service, plan: [{ limit: 40, per: 60_000 }] },
    visible: { limits: false, retryAfter: false, date: false },
    calls: [
      { ...call(0, 0, 1_000), count: 3, abortAfter: 5_002 },
      { ...call(0), priority: 'background' },
    ],
    store: [{ changeDelay: 0, resolveDelay: 1_667, notifyDelay: 0, isRepeated: false }],
  }
  expect(await violations(scenario)).toEqual([])
})

test('a response that was kept back is told as soon as others wait', async () => {
  const scenario: Scenario = {
    ...calm,
    service: {
      ...calm.service,
      plan: [{ limit: 40, per: 60_000 }],
      clockAhead: -849,
      otherUsage: [{ at: 813, units: 97 }],
    },
    visible: { limits: true, retryAfter: true, date: false },
    calls: [
      call(0),
      call(0),
      ...[0, 20, 40, 60, 80, 100, 120, 140, 160].map((at) => call(1, at)),
      ...[319, 814, 1_309].map((at) => call(0, at)),
    ],
    trips: [{ requestDelay: 0, responseDelay: 1, lost: undefined, hidesHeaders: false }],
    store: [{ changeDelay: 0, resolveDelay: 0, notifyDelay: 0, isRepeated: false }],
  }
  const { requests } = await simulate(scenario)
  const refused = requests.find(({ arrival }) => arrival?.status === 429)
  const probe = requests.find(({ sentAt }) => sentAt > (refused?.receivedAt ?? Infinity))
  expect((probe?.sentAt ?? Infinity) - (refused?.receivedAt ?? 0)).toBeLessThan(3_000)
  expect(await violations(scenario)).toEqual([])
})

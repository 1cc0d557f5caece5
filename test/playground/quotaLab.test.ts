import { describe, expect, test } from 'vitest'
import { honorRetryAfter } from '../../stories/quotaLab/retryPolicies.ts'
import {
  axisEnd,
  minuteStarts,
  requestsByMinute,
  stackSteps,
  totalOf,
} from '../../stories/quotaLab/requestsByMinute.ts'
import { type ClientKind, quotaPerMinute, type RequestFate, simulate } from '../../stories/quotaLab/simulate.ts'
import { figuresOf, summarize } from '../../stories/quotaLab/summarize.ts'
import type { PlanName } from '../../src/testing.ts'
import { type TrafficScenarioName, trafficScenarios } from '../../stories/quotaLab/trafficScenarios.ts'

/** What the lab shows in large letters, and whether the key is in danger. */
async function verdict(scenario: TrafficScenarioName, client: ClientKind): Promise<string> {
  const { score, outcome, risk } = summarize(await simulate(scenario, 'free', client))
  return `${score}, ${outcome} (${risk})`
}

test.each<[TrafficScenarioName, Readonly<Record<ClientKind, string>>]>([
  [
    'burst',
    {
      'petstore-react': '180 of 180, succeeded (none)',
      'retry-after': '180 of 180, succeeded (ban risk)',
      fetch: '60 of 180, banned after 1 s (banned)',
    },
  ],
  [
    'dashboard',
    {
      'petstore-react': '327 of 327, succeeded (none)',
      'retry-after': '120 of 448, banned after 81 s (banned)',
      fetch: '60 of 208, banned after 37 s (banned)',
    },
  ],
  [
    'four-tabs',
    {
      'petstore-react': '360 of 360, succeeded (none)',
      'retry-after': '60 of 360, banned after 32 s (banned)',
      fetch: '60 of 360, banned after 31 s (banned)',
    },
  ],
  [
    'reloads',
    {
      'petstore-react': '130 of 130, succeeded (none)',
      'retry-after': '60 of 757, banned after 4 s (banned)',
      fetch: '60 of 130, banned after 1 s (banned)',
    },
  ],
  [
    'daily-limit',
    {
      'petstore-react': '0 of 10, succeeded, the rest failed at once (none)',
      'retry-after': '0 of 1, still waiting after 6 minutes (none)',
      fetch: '0 of 10, banned after 4 s (banned)',
    },
  ],
  [
    'hidden-headers',
    {
      'petstore-react': '180 of 180, succeeded (none)',
      'retry-after': '60 of 180, banned after 1 s (banned)',
      fetch: '60 of 180, banned after 1 s (banned)',
    },
  ],
])('%s', async (scenario, expected) => {
  const verdicts = {
    'petstore-react': await verdict(scenario, 'petstore-react'),
    'retry-after': await verdict(scenario, 'retry-after'),
    fetch: await verdict(scenario, 'fetch'),
  }
  expect(verdicts).toEqual(expected)
})

const traffic: readonly (readonly [scenario: TrafficScenarioName, plan: PlanName])[] = [
  ...(Object.keys(trafficScenarios) as TrafficScenarioName[]).map((scenario) => [scenario, 'free'] as const),
  ['reloads', 'pro'],
]

test.each(traffic)(
  '%s: on the plan %s petstore-react stays within the quota of each minute',
  async (scenario, plan) => {
    const { requests } = await simulate(scenario, plan, 'petstore-react')
    const totals = requestsByMinute(requests, 360_000).map(totalOf)
    // One request finds out that the day is used up.
    expect(Math.max(...totals)).toBeLessThanOrEqual(Math.max(1, quotaPerMinute(scenario, plan)))
    expect(requests.filter(({ fate }) => fate === 'in-cool-down' || fate === 'banned')).toEqual([])
  },
)

test('a client that gives up has not finished', async () => {
  const [gaveUp, finished] = [
    await simulate('burst', 'free', 'fetch'),
    await simulate('burst', 'free', 'petstore-react'),
  ]
  expect(summarize(gaveUp).details).toBe('1,260 requests sent, 1,200 refused. Gave up after 10 s.')
  expect(summarize(finished).details).toBe('180 requests sent, none refused. Finished after 101 s.')
  expect(figuresOf(gaveUp)).toMatchObject({ 'Finished after': '–', 'Gave up after': '10 s' })
  expect(figuresOf(finished)).toMatchObject({ 'Finished after': '101 s', 'Gave up after': '–' })
})

test('the gate waits while calls wait, and is open before', async () => {
  const { samples } = await simulate('four-tabs', 'free', 'petstore-react')
  const gateAt = (second: number) => samples.find(({ at }) => at === second * 1_000)?.gate
  expect([gateAt(5), gateAt(35), gateAt(100)]).toEqual(['open', 'waiting', 'waiting'])
  expect((await simulate('four-tabs', 'free', 'fetch')).samples.some(({ gate }) => gate)).toBe(false)
})

test('each request of the Retry-After client waits on its own until the minute is over', async () => {
  const { requests } = await simulate('burst', 'free', 'retry-after')
  const seconds = requests.map(({ at }) => Math.floor(at / 1_000))
  const perSecond = [...new Set(seconds)].map((second) => [second, seconds.filter((other) => other === second).length])
  expect(perSecond).toEqual([
    [0, 180],
    [40, 120],
    [100, 60],
  ])
})

test('a simulation that nobody waits for stops', async () => {
  const stopping = new AbortController()
  const simulation = simulate('dashboard', 'free', 'fetch', stopping.signal)
  stopping.abort()
  await expect(simulation).rejects.toBe(stopping.signal.reason)
})

describe('Retry-After is honored', () => {
  const now = Date.UTC(2026, 0, 1)
  const waitAfter = (status: number, retryAfter?: string, attempt = 1) =>
    honorRetryAfter(
      new Response(null, { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } }),
      attempt,
      now,
    )

  test.each([
    ['as seconds', 429, '40', 40_000],
    ['as a date', 503, 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    ['as a date that has passed', 429, 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['unless it is unreadable', 429, 'soon', 300],
    ['where there is one', 429, undefined, 300],
  ])('%s', (_, status, retryAfter, wait) => {
    expect(waitAfter(status, retryAfter)).toBe(wait)
  })

  test('without one, the wait doubles', () => {
    expect([1, 2, 3, 4].map((attempt) => waitAfter(429, undefined, attempt))).toEqual([300, 600, 1_200, 2_400])
  })

  test.each([400, 401, 403, 404])('a %i is not retried', (status) => {
    expect(waitAfter(status, '1')).toBeUndefined()
  })
})

describe('the chart', () => {
  const request = (seconds: number, fate: RequestFate = 'succeeded') => ({ at: seconds * 1_000, fate })
  const steps = requestsByMinute(
    [request(0), request(0.5, 'refused'), request(39.9), request(40), request(41, 'banned')],
    42_000,
  )

  test('counts the requests of a minute until the next one begins', () => {
    expect(minuteStarts(101_000)).toEqual([40_000, 100_000])
    expect(steps.map(({ from, to, counts }) => [from, to, counts.succeeded, counts.refused, counts.banned])).toEqual([
      [0, 39_000, 1, 1, 0],
      [39_000, 40_000, 2, 1, 0],
      [40_000, 41_000, 1, 0, 0],
      [41_000, 42_000, 1, 0, 1],
    ])
  })

  test('stacks what succeeded below what did not, and cuts off what is above its axis', () => {
    const areas = stackSteps(steps, 2).map(({ fate, from, to, bottom, top }) => [fate, from, to, bottom, top])
    expect(areas).toEqual([
      ['succeeded', 0, 39_000, 0, 1],
      ['succeeded', 39_000, 40_000, 0, 2],
      ['succeeded', 40_000, 42_000, 0, 1],
      ['refused', 0, 39_000, 1, 2],
      ['banned', 41_000, 42_000, 1, 2],
    ])
  })

  test.each([
    ['a little above the quota', 70, 60, 100],
    ['far above the quota', 1_260, 60, 240],
    ['below the quota', 180, 1_000, 1_500],
    ['without a quota', 33, 0, 50],
    ['without requests', 0, 60, 90],
  ])('has an axis for %s', (_, count, quota, end) => {
    const busy = requestsByMinute(
      Array.from({ length: count }, () => request(0)),
      1_000,
    )
    expect(axisEnd(busy, quota)).toBe(end)
  })
})

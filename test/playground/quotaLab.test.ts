import { describe, expect, test } from 'vitest'
import { fateTitles, layOutDots, scaleFor } from '../../stories/quotaLab/requestDots.ts'
import { honorRetryAfter } from '../../stories/quotaLab/retryPolicies.ts'
import {
  type ClientKind,
  minuteStarts,
  quotaPerMinute,
  type RequestFate,
  simulate,
  type SimulationResult,
} from '../../stories/quotaLab/simulate.ts'
import { describeChart, figuresOf, headlineOf, summarize } from '../../stories/quotaLab/summarize.ts'
import type { PlanName } from '../../src/testing.ts'
import { type TrafficScenarioName, trafficScenarios } from '../../stories/quotaLab/trafficScenarios.ts'

/** What the lab shows in large letters. */
function verdictOf(result: SimulationResult): string {
  return `${result.successes.length} of ${result.calls}. ${summarize(result).verdict}`
}

test.each<[TrafficScenarioName, string, Readonly<Record<ClientKind, string>>]>([
  [
    'burst',
    'petstore-react gets all 180 calls through. Plain retries get the API key banned after 1 s.',
    {
      'petstore-react': '180 of 180. No ban risk',
      'retry-after': '180 of 180. Ban risk',
      fetch: '60 of 180. Key banned after 1 s',
    },
  ],
  [
    'dashboard',
    'petstore-react gets all 485 calls through. Without it, the API key is banned after 36 s.',
    {
      'petstore-react': '485 of 485. No ban risk',
      'retry-after': '120 of 485. Key banned after 75 s',
      fetch: '60 of 485. Key banned after 36 s',
    },
  ],
  [
    'four-tabs',
    'petstore-react gets all 360 calls through. Without it, the API key is banned after 31 s.',
    {
      'petstore-react': '360 of 360. No ban risk',
      'retry-after': '60 of 360. Key banned after 32 s',
      fetch: '60 of 360. Key banned after 31 s',
    },
  ],
  [
    'reloads',
    'petstore-react gets all 70 calls through. Without it, the API key is banned after 1 s.',
    {
      'petstore-react': '70 of 70. No ban risk',
      'retry-after': '0 of 70. Key banned after 4 s',
      fetch: '0 of 70. Key banned after 1 s',
    },
  ],
  [
    'daily-limit',
    'Nothing gets through today. Plain retries get the API key banned after 4 s.',
    {
      'petstore-react': '0 of 10. No ban risk',
      'retry-after': '0 of 10. Key banned after 40 s',
      fetch: '0 of 10. Key banned after 4 s',
    },
  ],
  [
    'hidden-headers',
    'petstore-react gets all 180 calls through. Without it, the API key is banned after 1 s.',
    {
      'petstore-react': '180 of 180. No ban risk',
      'retry-after': '60 of 180. Key banned after 1 s',
      fetch: '60 of 180. Key banned after 1 s',
    },
  ],
])('%s: %s', async (scenario, headline, expected) => {
  const results = {
    'petstore-react': await simulate(scenario, 'free', 'petstore-react'),
    'retry-after': await simulate(scenario, 'free', 'retry-after'),
    fetch: await simulate(scenario, 'free', 'fetch'),
  }
  expect(headlineOf(results)).toBe(headline)
  expect({
    'petstore-react': verdictOf(results['petstore-react']),
    'retry-after': verdictOf(results['retry-after']),
    fetch: verdictOf(results.fetch),
  }).toEqual(expected)
})

test('where the quota is enough, the headline says that nobody is refused', async () => {
  const results = {
    'petstore-react': await simulate('burst', 'pro', 'petstore-react'),
    'retry-after': await simulate('burst', 'pro', 'retry-after'),
    fetch: await simulate('burst', 'pro', 'fetch'),
  }
  expect(headlineOf(results)).toBe(
    'petstore-react gets all 180 calls through. So does everyone else: the quota is enough.',
  )
})

const traffic: readonly (readonly [scenario: TrafficScenarioName, plan: PlanName])[] = [
  ...(Object.keys(trafficScenarios) as TrafficScenarioName[]).map((scenario) => [scenario, 'free'] as const),
  ['reloads', 'pro'],
]

test.each(traffic)(
  '%s: on the plan %s petstore-react stays within the quota of each minute',
  async (scenario, plan) => {
    const { requests } = await simulate(scenario, plan, 'petstore-react')
    const starts = [0, ...minuteStarts(360_000)]
    const totals = starts.map((start, index) => {
      const end = starts[index + 1] ?? Infinity
      return requests.filter(({ at }) => at >= start && at < end).length
    })
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
  expect(summarize(gaveUp).details).toBe('1,260 requests, 1,200 refused. Gave up after 10 s.')
  expect(summarize(finished).details).toBe('180 requests, none refused. Done after 101 s.')
  expect(figuresOf(gaveUp)).toMatchObject({ 'Finished after': '–', 'Gave up after': '10 s' })
  expect(figuresOf(finished)).toMatchObject({ 'Finished after': '101 s', 'Gave up after': '–' })
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

describe('the charts', () => {
  const request = (seconds: number, fate: RequestFate = 'succeeded') => ({ at: seconds * 1_000, fate })
  const area = { duration: 60_000, width: 280, height: 96 }
  /** The top left corners of the dots of a path. */
  const cornersOf = (path = '') => [...path.matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

  test('know when the minutes of the service begin', () => {
    expect(minuteStarts(101_000)).toEqual([40_000, 100_000])
  })

  test('have a dot for each request: above the line what got through, and below it what did not', () => {
    const requests = [request(0), request(0.1), request(0.2, 'refused'), request(30), request(31, 'banned')]
    const scale = scaleFor([requests], area)
    const { paths, baseline } = layOutDots(requests, scale)
    expect(paths.map(({ fate, path }) => [fate, cornersOf(path).length])).toEqual([
      ['succeeded', 3],
      ['refused', 1],
      ['banned', 1],
    ])
    const heights = (fate: RequestFate) =>
      cornersOf(paths.find((one) => one.fate === fate)?.path).map(([, y = Number.NaN]) => y)
    expect(Math.max(...heights('succeeded'))).toBeLessThan(baseline)
    expect(Math.min(...heights('refused'), ...heights('banned'))).toBeGreaterThan(baseline)
  })

  test.each([10, 400, 4_000])('are never cut off, and share one scale: %i requests at once', (count) => {
    const many = Array.from({ length: count }, (_, index) => request(1, index % 3 === 0 ? 'succeeded' : 'refused'))
    const few = [request(1)]
    const scale = scaleFor([few, many], area)
    const corners = layOutDots(many, scale).paths.flatMap(({ path }) => cornersOf(path))
    expect(corners).toHaveLength(count)
    expect(Math.min(...corners.map(([, y = Number.NaN]) => y))).toBeGreaterThanOrEqual(-1)
    expect(Math.max(...corners.map(([, y = Number.NaN]) => y))).toBeLessThanOrEqual(area.height + 2)
    expect(scaleFor([many], area).size).toBe(scale.size)
  })

  test('are told to those who do not see them', async () => {
    const result = await simulate('four-tabs', 'free', 'retry-after')
    expect(describeChart(result, fateTitles)).toBe(
      'Requests over time: 60 got through, from 0 s to 28 s; 4 refused (429), at 30 s; ' +
        '3 sent during a cool-down, at 32 s; 300 sent while banned, from 32 s to 178 s.',
    )
  })
})

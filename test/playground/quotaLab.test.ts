import { describe, expect, test } from 'vitest'
import { chartSize, layOutDots, scaleFor } from '../../stories/quotaLab/requestDots.ts'
import { type RequestFate, simulate } from '../../stories/quotaLab/simulate.ts'
import { simulateAll } from '../../stories/quotaLab/simulateAll.ts'
import { headlineOf, summarize } from '../../stories/quotaLab/summarize.ts'
import type { TrafficScenarioName } from '../../stories/quotaLab/trafficScenarios.ts'

test.each<[TrafficScenarioName, string]>([
  ['burst', 'petstore-react gets all 180 calls through. Plain retries get the API key banned after 1\u00a0s.'],
  ['dashboard', 'petstore-react gets all 485 calls through. Without it, the API key is banned after 36\u00a0s.'],
  ['four-tabs', 'petstore-react gets all 360 calls through. Without it, the API key is banned after 31\u00a0s.'],
  ['reloads', 'petstore-react gets all 70 calls through. Without it, the API key is banned after 1\u00a0s.'],
  ['daily-limit', 'Nothing gets through today. Plain retries get the API key banned after 4\u00a0s.'],
  ['hidden-headers', 'petstore-react gets all 180 calls through. Without it, the API key is banned after 1\u00a0s.'],
])('%s: %s', async (scenario, headline) => {
  const results = await simulateAll({ scenario, plan: 'free' })
  expect(headlineOf(results)).toBe(headline)
  expect(summarize(results['petstore-react']).verdict).toBe('No ban risk')
})

test('where the request limit is not reached, the headline says that all clients get through', async () => {
  expect(headlineOf(await simulateAll({ scenario: 'burst', plan: 'pro' }))).toBe(
    'petstore-react gets all 180 calls through. So does everyone else: the request limit is not reached.',
  )
})

test('a client that is refused more than once, but not banned, has a ban risk', async () => {
  expect(summarize(await simulate('burst', 'free', 'retry-after')).verdict).toBe('Ban risk')
})

test('the details say how many calls failed, or when all were done', async () => {
  const gaveUp = await simulate('burst', 'free', 'fetch')
  const finished = await simulate('burst', 'free', 'petstore-react')
  expect(summarize(gaveUp).details).toBe('1,260 requests, 1,200 refused. 120 calls failed.')
  expect(summarize(finished).details).toBe('180 requests, none refused. Done after 101\u00a0s.')
})

test('a simulation stops when its signal is aborted', async () => {
  const stopping = new AbortController()
  const simulation = simulate('dashboard', 'free', 'fetch', stopping.signal)
  stopping.abort()
  await expect(simulation).rejects.toBe(stopping.signal.reason)
})

describe('the charts', () => {
  const request = (seconds: number, fate: RequestFate = 'succeeded') => ({ at: seconds * 1_000, fate })
  const duration = 60_000
  /** The top left corners of the dots of a path. */
  const cornersOf = (path = '') => [...path.matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

  test('have a dot for each request: above the line what got through, and below it what did not', () => {
    const requests = [request(0), request(0.1), request(0.2, 'refused'), request(30), request(31, 'banned')]
    const { paths, baseline } = layOutDots(requests, scaleFor([{ requests, duration }]))
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
    const requests = Array.from({ length: count }, (_, index) => request(1, index % 3 === 0 ? 'succeeded' : 'refused'))
    const many = { requests, duration }
    const scale = scaleFor([{ requests: [request(1)], duration }, many])
    const corners = layOutDots(requests, scale).paths.flatMap(({ path }) => cornersOf(path))
    expect(corners).toHaveLength(count)
    expect(Math.min(...corners.map(([, y = Number.NaN]) => y))).toBeGreaterThanOrEqual(-1)
    expect(Math.max(...corners.map(([, y = Number.NaN]) => y))).toBeLessThanOrEqual(chartSize.height + 2)
    expect(scaleFor([many])).toEqual(scale)
  })
})

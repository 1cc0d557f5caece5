import { supportedCompatibilityDate } from 'miniflare'
import { describe, expect, test, type TestContext } from 'vitest'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { createStandingClock, isRefusal, usesUpQuota } from '../createStandingClock.ts'
import { problem, startWorker, timeout, type WorkerOptions } from './workerd.setup.ts'

const createService = (options: PetstoreServiceOptions = {}): PetstoreService =>
  createPetstoreService({ ban: { after: 0, grace: 0 }, ...options })

/** Starts `worker.ts` beside a service. The returned function sends the worker a request, and resolves with the outcome. */
async function startClient(context: TestContext, options: WorkerOptions) {
  const worker = await startWorker('worker.ts', options, context)
  return async function send(path: string): Promise<string> {
    const response = await worker.dispatchFetch(`http://worker.test/${path}`)
    const text = await response.text()
    return response.ok ? 'succeeded' : text
  }
}

/** What another program sends with the same key. */
const useUnit = (service: PetstoreService) =>
  service.fetch('http://service.test/v1/categories', { headers: { Authorization: 'Bearer demo' } })

const paths = ['', '?create=one', '', '?create=two', '', '?create=three']
const allSucceeded = paths.map(() => 'succeeded')

describe.skipIf(problem !== undefined).each([
  { compatibilityDate: supportedCompatibilityDate },
  // Before 2024-10-14 no request may wait for what another one does, unless this flag is set.
  { compatibilityDate: '2023-11-01', compatibilityFlags: ['handle_cross_request_promise_resolution'] },
])('a client of a Cloudflare Worker, $compatibilityDate', (compatibility) => {
  test('works for requests one after the other', { timeout }, async (context) => {
    const send = await startClient(context, { ...compatibility, service: createService() })
    const outcomes: string[] = []
    for (const path of paths) outcomes.push(await send(path))
    expect(outcomes).toEqual(allSucceeded)
  })

  // In workerd before 2025-08-01, `this` in a listener of a signal is not that signal.
  test('rejects a call that is aborted', { timeout }, async (context) => {
    const send = await startClient(context, { ...compatibility, service: createService() })
    expect(await send('?abort')).toContain('AbortError')
    expect(await send('')).toBe('succeeded')
  })

  test('works for requests at once, which share a GET and the probe of the gate', { timeout }, async (context) => {
    const service = createService({ latency: 100 })
    const send = await startClient(context, { ...compatibility, service })
    for (let round = 0; round < 3; round += 1) {
      expect(await Promise.all(paths.map(send))).toEqual(allSucceeded)
    }
    expect(service.requests.filter(({ method }) => method === 'GET').length).toBeLessThan(9)
  })

  // These two tests wait most of the time, so they run at once.
  test.concurrent('waits for the next window, also when the request that met the limit has ended', {
    timeout,
  }, async (context) => {
    const clock = createStandingClock()
    const plan = [{ limit: 4, per: 2_000 }]
    const service = clock.runAfter(usesUpQuota, createService({ plan, now: clock.now }))
    const send = await startClient(context, { ...compatibility, service })
    for (let use = 0; use < 3; use += 1) await useUnit(service)
    expect(await send('?create=last')).toBe('succeeded')
    expect(service.requests.at(-1)?.at).toBe(service.requests[0]?.at)
    expect(await Promise.all(paths.map(send))).toEqual(allSucceeded)
    expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  test.concurrent('waits for a cool-down that another request has met', { timeout }, async (context) => {
    const clock = createStandingClock()
    const plan = [{ limit: 4, per: 2_000 }]
    const service = clock.runAfter(isRefusal, createService({ plan, now: clock.now, latency: 50 }))
    const send = await startClient(context, { ...compatibility, service })
    for (let use = 0; use < 4; use += 1) await useUnit(service)
    expect(await Promise.all(paths.map(send))).toEqual(allSucceeded)
    expect(service.requests.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(service.requests.filter(({ coolingDown }) => coolingDown)).toEqual([])
  })
})

test.skipIf(problem !== undefined)(
  'a Cloudflare Worker of 2023 works for requests one after the other',
  { timeout },
  async (context) => {
    const send = await startClient(context, { compatibilityDate: '2023-11-01', service: createService() })
    const outcomes: string[] = []
    for (const path of paths) outcomes.push(await send(path))
    expect(outcomes).toEqual(allSucceeded)
  },
)

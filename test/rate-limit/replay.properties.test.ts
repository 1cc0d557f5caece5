import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createResponseCache } from '../../src/client/responseCache.ts'
import { type ClientContext, performCall } from '../../src/client/performCall.ts'
import { operations } from '../../src/contract/operations.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { runs, timeout } from './runs.ts'
import { createVirtualClock } from './virtualClock.ts'

/** What becomes of one request: a status, or how it was lost. */
type Fate = number | 'broken' | 'silent'

const fates = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Fate>(429) },
    { weight: 2, arbitrary: fc.constantFrom<Fate>('broken', 'silent', 401, 500, 502, 503, 504) },
    { weight: 1, arbitrary: fc.constantFrom<Fate>(200, 201, 400, 404) },
  ),
  { maxLength: 8 },
)

const attempts = 3

/** One call of which each request meets its fate; after the last of them all goes well. Gives what was sent. */
async function perform(isPost: boolean, all: readonly Fate[], hasFreshKey: boolean) {
  const clock = createVirtualClock()
  const limiter = createRateLimiter({
    name: 'record',
    store: createMemoryStore(),
    pace: paceOf({ limit: 1_000, per: 1_000 }),
    clock,
    random: () => 0.5,
    warn: () => {},
  })
  const sent: { readonly fate: Fate; readonly key: string | undefined }[] = []
  const environment: ClientContext = {
    clock,
    random: () => 0.5,
    retry: { attempts, maxWait: Number.POSITIVE_INFINITY },
    timeout: 5_000,
    fetch: async (request) => {
      const fate = all[sent.length] ?? (isPost ? 201 : 200)
      sent.push({ fate, key: request.headers.get('Authorization')?.replace('Bearer ', '') })
      if (fate === 'broken') throw new TypeError('fetch failed')
      if (fate === 'silent') return new Promise(() => {})
      const body = fate === 201 ? '{"id":1,"name":"Dogs"}' : fate === 200 ? '[]' : null
      return new Response(body, { status: fate, headers: { 'Retry-After': '1' } })
    },
    apiKeySource: { read: async () => 'first', refresh: async () => (hasFreshKey ? 'fresh' : undefined) },
    limiterFor: async () => limiter,
    emit: () => {},
    responses: createResponseCache(),
    onResponse: () => {},
  }
  const callers = {
    signal: new AbortController().signal,
    priority: 'user' as const,
    onPriorityChange: () => {},
    onWait: () => {},
  }
  const request = { url: 'https://petstore.test/v1/categories', method: isPost ? 'POST' : 'GET', body: undefined }
  const operation = isPost ? operations.createCategory : operations.listCategories
  const call = performCall<unknown>({ operation, identity: undefined, request, order: 0 }, callers, environment)
  const outcome = call.then(
    () => 'done',
    () => 'failed',
  )
  await clock.run()
  return { sent, outcome: await Promise.race([outcome, Promise.resolve('hangs')]) }
}

it(
  'G12: a POST is sent again only after a refusal: a 429, or once a 401 with a fresh key',
  () => {
    const check = fc.asyncProperty(fc.boolean(), fates, fc.boolean(), async (isPost, all, hasFreshKey) => {
      const { sent, outcome } = await perform(isPost, all, hasFreshKey)
      expect(outcome).not.toBe('hangs')
      const again = sent.slice(0, -1)
      expect(again.filter(({ fate }) => fate === 401).length).toBeLessThanOrEqual(hasFreshKey ? 1 : 0)
      const doubtful = again.filter(({ fate }) => fate !== 429 && fate !== 401)
      if (isPost) expect(doubtful).toEqual([])
      // What is safe to repeat is, so often: never what was responded to for good.
      expect(doubtful.length).toBeLessThan(attempts)
      for (const { fate } of doubtful) expect(['broken', 'silent', 502, 503, 504]).toContain(fate)
      const last = sent.at(-1)?.fate
      expect(outcome === 'done').toBe(last === (isPost ? 201 : 200))
      // And a refusal is not the end.
      expect(last).not.toBe(429)
    })
    return fc.assert(check, runs)
  },
  timeout,
)

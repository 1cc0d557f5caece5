import { AsyncLocalStorage } from 'node:async_hooks'
import * as fc from 'fast-check'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createHandlerWith } from '../../src/server/createPetstoreHandler.ts'
import { hashAtOnce, json, opening } from '../client/client.setup.ts'
import { runs } from '../rate-limit/runs.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'
import { listPath, visit } from './handler.setup.ts'

afterEach(() => void vi.restoreAllMocks())

interface Visit {
  /** ms after the visit before. */
  readonly after: number
  readonly user: number
  readonly isWrite: boolean
  /** ms; `undefined` for a visitor who stays. */
  readonly leavesAfter: number | undefined
  /** ms until the service has the request, and until its response is back. */
  readonly latency: readonly [number, number]
  readonly fails: boolean
}

const visits: fc.Arbitrary<readonly Visit[]> = fc.array(
  fc.record({
    after: fc.oneof(fc.nat(200), fc.nat(1_500)),
    user: fc.nat(2),
    isWrite: fc.boolean().chain((one) => (one ? fc.boolean() : fc.constant(false))),
    leavesAfter: fc.option(fc.nat(400), { nil: undefined, freq: 3 }),
    latency: fc.tuple(fc.nat(200), fc.nat(200)),
    fails: fc.boolean().chain((one) => (one ? fc.boolean() : fc.constant(false))),
  }),
  { minLength: 8, maxLength: 25 },
)
const rules = fc.record({ maxAge: fc.nat(5_000), staleWhileRevalidate: fc.nat(3_000), shared: fc.boolean() })

/** What a visitor read, and what had happened before the visit. */
interface Reading {
  readonly user: string
  readonly owner: string
  readonly version: number
  /** How many changes the handler had confirmed when the visit began. */
  readonly confirmed: number
  readonly isKept: boolean
}

/** The visit that is being handled. */
const visitor = new AsyncLocalStorage<Visit>()
// While one is in use, each promise of the thread costs more.
afterAll(() => visitor.disable())

/** Streams hand work over to the next turn of the queue. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await flushMicrotasks()
}

/**
 * Each user has a key of their own, and the service responds with its owner and the number of changes so far. So a
 * response that reaches somebody else, or one from before a confirmed change, shows.
 */
async function play(all: readonly Visit[], rule: { maxAge: number; staleWhileRevalidate: number; shared: boolean }) {
  const clock = createVirtualClock(opening, flush)
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const readings: Reading[] = []
  let version = 0
  let confirmed = 0

  const handler = createHandlerWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: 'https://petstore.test/v1',
      // Where all share, there is one key.
      apiKey: () => (rule.shared ? 'key-of-all' : `key-of-${visitor.getStore()?.user}`),
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
      cache: { listCategories: rule },
      rateLimitStore: createMemoryStore(),
      allowUnmarkedRequests: true,
      fetch: async ({ method, headers }) => {
        const { latency, fails } = visitor.getStore() ?? { latency: [0, 0], fails: false }
        await sleep(latency[0])
        if (method === 'POST') version += 1
        const body = { owner: headers.get('Authorization')?.replace('Bearer key-of-', ''), version }
        await sleep(latency[1])
        if (fails) return new Response(null, { status: 500 })
        const quota = {
          'X-RateLimit-Limit': '100000',
          'X-RateLimit-Remaining': '90000',
          'X-RateLimit-Reset': '1767312000',
        }
        return json(body, method === 'POST' ? 201 : 200, quota)
      },
    },
  )

  async function enter(plan: Visit): Promise<void> {
    const user = String(plan.user)
    const leaving = new AbortController()
    if (plan.leavesAfter !== undefined) clock.wakeAfter(plan.leavesAfter, () => leaving.abort())
    const method = plan.isWrite ? 'POST' : 'GET'
    const before = confirmed
    const body = plan.isWrite ? { name: 'Dog' } : undefined
    const response = await handler(visit(method, listPath, { Cookie: user }, body, { signal: leaving.signal }))
    if (plan.isWrite) confirmed = Math.max(confirmed, response.ok ? (await response.json()).version : 0)
    else if (response.ok) {
      const { owner, version: read } = await response.json()
      readings.push({ user, owner, version: read, confirmed: before, isKept: response.headers.has('Age') })
    }
  }

  let at = 0
  for (const plan of all) {
    at += plan.after
    clock.wakeAfter(at, () => void visitor.run(plan, () => enter(plan)))
  }
  for (let turn = 0; turn < 3; turn += 1) await clock.run()
  return readings
}

test('no user gets another’s response, and nobody one from before a change that the handler has confirmed', async () => {
  hashAtOnce()
  let kept = 0
  await fc.assert(
    fc.asyncProperty(visits, rules, async (all, rule) => {
      for (const { user, owner, version, confirmed, isKept } of await play(all, rule)) {
        expect(owner).toBe(rule.shared ? 'all' : user)
        expect(version).toBeGreaterThanOrEqual(confirmed)
        if (isKept) kept += 1
      }
    }),
    { ...runs, numRuns: Math.min(Math.ceil(runs.numRuns / 3), 100) },
  )
  // The property says something only if responses are kept at all.
  expect(kept).toBeGreaterThan(50)
}, 180_000)

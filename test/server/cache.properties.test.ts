import { AsyncLocalStorage } from 'node:async_hooks'
import * as fc from 'fast-check'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { json, startOfTests } from '../client/client.setup.ts'
import { runs, timeout } from '../rate-limit/runs.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'
import { listPath, setupInVirtualTime, visit } from './handler.setup.ts'

/*
 * Visitors whose keys rotate and are revoked, and who change what they read. The service responds with the color of the
 * key and the number of changes so far. They show whose response it is, and whether it lacks a confirmed change.
 */

afterEach(() => void vi.restoreAllMocks())

const names = ['ann', 'bob', 'eve'] as const
type Name = (typeof names)[number]
const keys = ['red', 'green', 'blue'] as const
type Key = (typeof keys)[number] | undefined // by its color: the handler would redact the key itself in a response

interface Visit {
  readonly kind: 'visit'
  /** ms after the step before. */
  readonly after: number
  readonly name: Name
  readonly isWrite: boolean
  /** ms; `undefined` for a visitor who stays. */
  readonly leavesAfter: number | undefined
  /** ms until the service has the request, and until its response is back. */
  readonly latency: readonly [number, number]
  readonly fails: boolean
}
type Step =
  | Visit
  | { readonly kind: 'rotate'; readonly after: number; readonly name: Name; readonly key: Key }
  | { readonly kind: 'revoke'; readonly after: number; readonly key: Key; readonly isAcceptedAgain: boolean }

const after = fc.oneof(fc.nat(200), fc.nat(1_500))
const name = fc.constantFrom(...names)
const oneIn = (count: number) => fc.nat(count - 1).map((number) => number === 0)
const visits: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('visit'),
  after,
  name,
  isWrite: oneIn(4),
  leavesAfter: fc.option(fc.nat(400), { nil: undefined, freq: 3 }),
  latency: fc.tuple(fc.nat(200), fc.nat(200)),
  fails: oneIn(8),
})
const rotations: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('rotate'),
  after,
  name,
  key: fc.constantFrom(...keys, ...keys, undefined),
})
const revocations: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('revoke'),
  after,
  key: fc.constantFrom(...keys),
  isAcceptedAgain: fc.boolean(),
})
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: visits },
    { weight: 2, arbitrary: rotations },
    { weight: 1, arbitrary: revocations },
  ),
  { minLength: 8, maxLength: 30 },
)
const rules = fc.record({ maxAge: fc.nat(5_000), staleWhileRevalidate: fc.nat(3_000), shared: fc.boolean() })
const configurations = fc.record({
  cache: fc.option(rules, { nil: undefined, freq: 9 }),
  authorize: fc.constantFrom('everybody' as const, 'by name' as const),
})
type Configuration = typeof configurations extends fc.Arbitrary<infer Value> ? Value : never

/** What a visitor read, and what had happened before the visit. */
interface Reading {
  readonly status: number
  readonly color: string
  readonly version: number
  /** How many changes the handler had confirmed when the visit began. */
  readonly confirmed: number
  readonly isKept: boolean
  readonly hadNoKey: boolean
  /** The keys that the visitor had at some time during the visit. */
  readonly held: ReadonlySet<Key>
}

/** The visit that is being handled. */
const visitor = new AsyncLocalStorage<Visit>()
// While an AsyncLocalStorage is in use, each promise of the thread costs more.
afterAll(() => visitor.disable())

/** A response takes several turns of the microtask queue, because its body is a stream. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await flushMicrotasks()
}

async function play(planned: readonly Step[], { cache, authorize }: Configuration): Promise<readonly Reading[]> {
  const clock = createVirtualClock(startOfTests, flush)
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const readings: Reading[] = []
  const revoked = new Set<string>()
  const current = new Map<Name, Key>([
    ['ann', 'red'],
    ['bob', 'red'],
    ['eve', 'green'],
  ])
  const underWay = new Set<{ readonly name: Name; readonly held: Set<Key> }>()
  let version = 0
  let confirmed = 0

  const { handler } = setupInVirtualTime({
    clock,
    handler: {
      apiKey: () => {
        const key = current.get(visitor.getStore()?.name ?? 'ann')
        return key === undefined ? '' : `key-of-${key}`
      },
      ...(authorize === 'everybody' && { authorize }),
      ...(cache && { cache: { listCategories: cache } }),
    },
    fetch: async ({ method, headers }) => {
      const { latency, fails } = visitor.getStore() ?? { latency: [0, 0], fails: false }
      const color = (headers.get('Authorization') ?? '').replace('Bearer key-of-', '')
      await sleep(latency[0])
      const isRevoked = revoked.has(color)
      if (method === 'POST' && !isRevoked) version += 1
      const body = { color, version }
      await sleep(latency[1])
      if (isRevoked) return json({ code: 'unauthorized', message: 'The key is revoked.', status: 401 }, 401)
      if (fails) return new Response(null, { status: 500 })
      const quota = {
        'X-RateLimit-Limit': '100000',
        'X-RateLimit-Remaining': '90000',
        'X-RateLimit-Reset': '1767312000', // the end of the day of `startOfTests`
      }
      return json(body, method === 'POST' ? 201 : 200, quota)
    },
  })

  async function enter({ name: user, isWrite, leavesAfter }: Visit): Promise<void> {
    const visiting = { name: user, held: new Set([current.get(user)]) }
    underWay.add(visiting)
    const [before, hadNoKey] = [confirmed, current.get(user) === undefined]
    const leaving = new AbortController()
    if (leavesAfter !== undefined) clock.wakeAfter(leavesAfter, () => leaving.abort())
    const body = isWrite ? { name: 'Dog' } : undefined
    const init = { signal: leaving.signal }
    const response = await handler(visit(isWrite ? 'POST' : 'GET', listPath, { Cookie: user }, body, init))
    underWay.delete(visiting)
    const { color = '', version: read = 0 } = await response.json()
    if (isWrite && response.ok) confirmed = Math.max(confirmed, read)
    const isKept = response.headers.has('Age')
    readings.push({
      status: response.status,
      color,
      version: read,
      confirmed: before,
      isKept,
      hadNoKey,
      held: visiting.held,
    })
  }

  function rotate(user: Name, key: Key): void {
    current.set(user, key)
    for (const { name: visiting, held } of underWay) if (visiting === user) held.add(key)
  }

  let at = 0
  for (const step of planned) {
    at += step.after
    clock.wakeAfter(at, () => {
      if (step.kind === 'visit') void visitor.run(step, () => enter(step))
      else if (step.kind === 'rotate') rotate(step.name, step.key)
      else if (step.isAcceptedAgain) revoked.delete(step.key ?? '')
      else revoked.add(step.key ?? '')
    })
  }
  for (let turn = 0; turn < 3; turn += 1) await clock.run() // bodies arrive over several turns of the event loop
  return readings
}

test(
  'nobody gets a response to a key that they did not have, or one from before a change that the handler has confirmed',
  async () => {
    let served = 0
    let kept = 0
    await fc.assert(
      fc.asyncProperty(steps, configurations, async (planned, configuration) => {
        for (const { status, color, version, confirmed, isKept, hadNoKey, held } of await play(
          planned,
          configuration,
        )) {
          if (hadNoKey) expect([401, 499]).toContain(status)
          if (status >= 300) continue
          expect([...held]).toContain(color)
          expect(version).toBeGreaterThanOrEqual(confirmed)
          served += 1
          if (isKept) kept += 1
        }
      }),
      { ...runs, numRuns: Math.min(Math.ceil(runs.numRuns / 2), 200) },
    )
    // The property says something only if responses are served and kept at all.
    expect(served).toBeGreaterThan(200)
    expect(kept).toBeGreaterThan(30)
  },
  timeout,
)

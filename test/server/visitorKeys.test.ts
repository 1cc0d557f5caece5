import { AsyncLocalStorage } from 'node:async_hooks'
import * as fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { operations } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import type { PetstoreHandlerOptions } from '../../src/server.ts'
import { createHandlerWith } from '../../src/server/createPetstoreHandler.ts'
import { type Fetch, hashAtOnce, json, opening, watchRequests } from '../client/client.setup.ts'
import { runs } from '../rate-limit/runs.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'
import { getList, handlerTo, listPath, postDog, visit } from './handler.setup.ts'

/*
 * A server whose `apiKey` returns the key of the visitor whose request is being handled.
 */

/** What is known of the visitor: the function that returns the key. */
const visitor = new AsyncLocalStorage<() => string | undefined>()
// While one is in use, each promise of the thread costs more.
afterAll(() => visitor.disable())
afterEach(() => void vi.restoreAllMocks())

const apiKey = () => {
  const owner = visitor.getStore()?.()
  return owner ? `key-of-${owner}` : ''
}
/** The owner of a key. The key itself would be redacted. */
const ownerOf = ({ headers }: Request) => (headers.get('Authorization') ?? '').replace('Bearer key-of-', '')
const plenty = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '90000', 'X-RateLimit-Reset': '4102444800' }
const refusal = () => json({ code: 'unauthorized', message: 'The key is revoked.', status: 401 }, 401)

describe('visitors with keys of their own', () => {
  /** A handler whose service names the owner of each response, and refuses the keys in `revoked`. */
  function setup(options: Partial<PetstoreHandlerOptions> = {}) {
    const revoked = new Set<string>()
    const respond: Fetch = async (request) => {
      const key = ownerOf(request)
      return revoked.has(key) ? refusal() : json([{ id: 1, name: `of ${key}` }], 200, plenty)
    }
    const { sent, fetch } = watchRequests(respond)
    const handler = handlerTo(fetch, {
      apiKey,
      cache: { listCategories: { maxAge: 60_000, staleWhileRevalidate: 60_000 } },
      ...options,
    })
    const getWith = (key: string | undefined, headers: Record<string, string> = {}) =>
      visitor.run(
        () => key,
        () => handler(getList(headers)),
      )
    const textOf = async (response: Promise<Response>) => (await response).text()
    return { handler, getWith, textOf, sent, revoked }
  }
  const configurations: readonly [string, Partial<PetstoreHandlerOptions>][] = [
    ['all are one user', {}],
    ['responses are shared', { cache: { listCategories: { maxAge: 60_000, shared: true } } }],
    [
      'responses are shared between the users of the app',
      {
        authorize: ({ headers }) => headers.get('Cookie') ?? 401,
        cache: { listCategories: { maxAge: 60_000, shared: true } },
      },
    ],
    ['the app says that all of them are one user', { authorize: () => 'everybody' }],
    ['nothing is kept', { cache: {} }],
  ]

  describe.each(configurations)('where %s', (_, options) => {
    const cookie = { Cookie: 'session' }

    test('get the rows of their own key, one after the other', async () => {
      const { getWith, textOf } = setup(options)
      for (const key of ['alice', 'bob', 'alice', 'eve', 'bob']) {
        expect(await textOf(getWith(key, cookie))).toBe(`[{"id":1,"name":"of ${key}"}]`)
      }
    })

    test('get the rows of their own key at the same time', async () => {
      const { getWith, textOf } = setup(options)
      const keys = ['alice', 'bob', 'alice', 'bob']
      const texts = await Promise.all(keys.map((key) => textOf(getWith(key, cookie))))
      expect(texts).toEqual(keys.map((key) => `[{"id":1,"name":"of ${key}"}]`))
    })

    test.each([undefined, ''])('get a 401 and nothing else without a key (%j)', async (none) => {
      const { getWith, sent } = setup(options)
      await getWith('alice', cookie)
      const response = await getWith(none, cookie)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'signed-out', status: 401 })
      expect(sent).toHaveLength(1)
    })

    test('get nothing with a key that the service refuses', async () => {
      const { getWith, revoked } = setup(options)
      await getWith('alice', cookie)
      revoked.add('bob')
      const response = await getWith('bob', cookie)
      expect(response.status).toBe(502)
      expect(await response.text()).not.toContain('alice')
    })
  })

  test('share a response where they have one key and the app says so', async () => {
    const { getWith, sent } = setup({
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
      cache: { listCategories: { maxAge: 60_000, shared: true } },
    })
    await getWith('team', { Cookie: 'ann' })
    expect((await getWith('team', { Cookie: 'bob' })).headers.get('Server-Timing')).toBe('cache')
    expect(sent).toHaveLength(1)
  })

  test('lose what was kept for a key as soon as the service refuses it', async () => {
    const { handler, getWith, revoked } = setup({ operations: [operations.getPet] })
    const isKept = async (key: string) => (await getWith(key)).headers.get('Server-Timing') === 'cache'
    await getWith('alice')
    await getWith('bob')
    expect([await isKept('alice'), await isKept('bob')]).toEqual([true, true])
    revoked.add('alice')
    await visitor.run(
      () => 'alice',
      () => handler(visit('GET', '/api/petstore/v1/pets/7')),
    )
    expect((await getWith('alice')).status).toBe(502)
    expect(await isKept('bob')).toBe(true)
  })

  test('get a 401 before their body is read', async () => {
    const { handler } = setup()
    const request = postDog()
    const response = await visitor.run(
      () => undefined,
      () => handler(request),
    )
    expect(response.status).toBe(401)
    expect(request.bodyUsed).toBe(false)
  })

  test('read their key once for each request', async () => {
    let keysRead = 0
    const { handler } = setup()
    const read = () => `key-${(keysRead += 1)}`
    await visitor.run(read, () => handler(getList()))
    expect(keysRead).toBe(1)
  })

  test('who shared a revoked key do not get a response to the key that another one has now', async () => {
    let held: { readonly alice: string; readonly bob: string } = { alice: 'team', bob: 'team' }
    const {
      getWith: _,
      handler,
      revoked,
      textOf,
    } = setup({
      cache: { listCategories: { maxAge: 60_000, shared: true } },
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
    })
    const get = (name: 'alice' | 'bob') =>
      visitor.run(
        () => held[name],
        () => textOf(handler(getList({ Cookie: name }))),
      )
    revoked.add('team')
    const both = [get('alice'), get('bob')]
    // Both have read the old key and share its request.
    held = { alice: 'alice', bob: 'bob' }
    expect(await Promise.all(both)).toEqual(['[{"id":1,"name":"of alice"}]', '[{"id":1,"name":"of bob"}]'])
    expect(await Promise.all([get('bob'), get('alice')])).toEqual([
      '[{"id":1,"name":"of bob"}]',
      '[{"id":1,"name":"of alice"}]',
    ])
  })
})

const names = ['ann', 'bob', 'eve'] as const
type Name = (typeof names)[number]
const keys = ['red', 'green', 'blue'] as const
type Key = (typeof keys)[number]

type Step =
  | { readonly kind: 'visit'; readonly after: number; readonly name: Name; readonly isWrite: boolean }
  | { readonly kind: 'rotate'; readonly after: number; readonly name: Name; readonly key: Key | undefined }
  | { readonly kind: 'revoke'; readonly after: number; readonly key: Key; readonly ends: boolean }

const after = fc.oneof(fc.nat(50), fc.nat(1_500))
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('visit' as const),
        after,
        name: fc.constantFrom(...names),
        isWrite: fc.nat(9).map((number) => number === 0),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('rotate' as const),
        after,
        name: fc.constantFrom(...names),
        key: fc.constantFrom(...keys, ...keys, undefined),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('revoke' as const),
        after,
        key: fc.constantFrom(...keys),
        ends: fc.boolean(),
      }),
    },
  ),
  { minLength: 8, maxLength: 30 },
)
const configurations = fc.record({
  cache: fc.option(fc.record({ maxAge: fc.nat(3_000), staleWhileRevalidate: fc.nat(3_000), shared: fc.boolean() }), {
    nil: undefined,
  }),
  authorize: fc.constantFrom('everybody', 'by name'),
  latency: fc.array(fc.tuple(fc.nat(200), fc.nat(200)), { minLength: 1, maxLength: 5 }),
})

interface Reading {
  readonly status: number
  readonly owner: string
  readonly isKept: boolean
  readonly hadNoKey: boolean
  /** The keys that the visitor had at some time during the visit. */
  readonly held: ReadonlySet<string | undefined>
}

type Configuration = typeof configurations extends fc.Arbitrary<infer Value> ? Value : never

async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await flushMicrotasks()
}

async function play(planned: readonly Step[], { cache, authorize, latency }: Configuration) {
  const clock = createVirtualClock(opening, flush)
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const readings: Reading[] = []
  const revoked = new Set<string>()
  const current = new Map<Name, Key | undefined>([
    ['ann', 'red'],
    ['bob', 'red'],
    ['eve', 'green'],
  ])
  const visits = new Set<{ readonly name: Name; readonly held: Set<string | undefined> }>()
  let requests = 0

  const handler = createHandlerWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: 'https://petstore.test/v1',
      apiKey,
      rateLimitStore: createMemoryStore(),
      allowUnmarkedRequests: true,
      ...(cache && { cache: { listCategories: cache } }),
      authorize: authorize === 'everybody' ? authorize : ({ headers }) => headers.get('Cookie') ?? 401,
      fetch: async (request) => {
        const key = ownerOf(request)
        const [before, later] = latency[(requests += 1) % latency.length] ?? [0, 0]
        await sleep(before)
        const isRevoked = revoked.has(key)
        await sleep(later)
        if (isRevoked) return refusal()
        return json({ owner: key }, request.method === 'POST' ? 201 : 200, plenty)
      },
    },
  )

  async function enter(name: Name, isWrite: boolean): Promise<void> {
    const held = new Set([current.get(name)])
    const known = { name, held }
    visits.add(known)
    const body = isWrite ? { name: 'Dog' } : undefined
    const request = visit(isWrite ? 'POST' : 'GET', listPath, { Cookie: name }, body)
    const hadNoKey = current.get(name) === undefined
    const response = await visitor.run(
      () => current.get(name),
      () => handler(request),
    )
    visits.delete(known)
    const { owner = '' } = await response.json()
    const isKept = response.headers.get('Server-Timing') === 'cache'
    readings.push({ status: response.status, owner, isKept, hadNoKey, held })
  }

  function rotate(owner: Name, key: Key | undefined): void {
    current.set(owner, key)
    for (const { name, held } of visits) if (name === owner) held.add(key)
  }

  let at = 0
  for (const step of planned) {
    at += step.after
    clock.wakeAfter(at, () => {
      if (step.kind === 'visit') void enter(step.name, step.isWrite)
      else if (step.kind === 'rotate') rotate(step.name, step.key)
      else if (step.ends) revoked.delete(step.key)
      else revoked.add(step.key)
    })
  }
  for (let turn = 0; turn < 3; turn += 1) await clock.run()
  return readings
}

test('nobody gets a response to a key that is not theirs, whatever keys rotate or are revoked', async () => {
  hashAtOnce()
  let kept = 0
  let served = 0
  await fc.assert(
    fc.asyncProperty(steps, configurations, async (planned, configuration) => {
      for (const { status, owner, isKept, hadNoKey, held } of await play(planned, configuration)) {
        expect(hadNoKey ? status : 401).toBe(401)
        if (status >= 300) continue
        expect([...held]).toContain(owner)
        served += 1
        if (isKept) kept += 1
      }
    }),
    { ...runs, numRuns: Math.min(Math.ceil(runs.numRuns / 2), 200) },
  )
  // The property says something only if responses are served and kept at all.
  expect(served).toBeGreaterThan(200)
  expect(kept).toBeGreaterThan(50)
}, 180_000)

import { describe, expect, test, vi } from 'vitest'
import { type PetstoreClient, type RateLimitState, type RateLimitStore } from '../../src/client.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { createQuickClient, type Fetch, failureOf, setup, startOfTests, statesOf, watch } from './client.setup.ts'

const unknown = { status: 'unknown', limit: undefined, remaining: undefined, resetAt: undefined, retryAt: undefined }

/** Subscribes to a client's rate limit as `useSyncExternalStore` does, and records the snapshots. */
function follow(client: PetstoreClient) {
  const snapshots: RateLimitState[] = []
  const unsubscribe = client.rateLimit.subscribe(() => snapshots.push(client.rateLimit.getSnapshot()))
  return { snapshots, unsubscribe }
}

describe('client.rateLimit', () => {
  test('is unknown at first, and keeps one snapshot object until something changes', async () => {
    const { client, run } = setup()
    const first = client.rateLimit.getSnapshot()
    expect(first).toEqual(unknown)
    expect(client.rateLimit.getSnapshot()).toBe(first)
    watch(client.listCategories())
    await run()
    const second = client.rateLimit.getSnapshot()
    expect(second).not.toBe(first)
    expect(second).toMatchObject({ status: 'ok', limit: 60, remaining: 59, retryAt: undefined })
    await run()
    expect(client.rateLimit.getSnapshot()).toBe(second)
  })

  test('counts requests in flight as used', async () => {
    const { client, run, clock } = setup({ service: { latency: 100 } })
    watch(client.listCategories())
    await run()
    for (const name of ['a', 'b', 'c']) watch(client.createCategory({ name }))
    await run(clock.now() + 10)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 56 })
  })

  test('calls its listeners once per change, also when time changes the state', async () => {
    const { client, service, run } = setup()
    const { snapshots } = follow(client)
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now.state).toBe('fulfilled')
    expect(snapshots.map(({ status }) => status)).toContain('cooling-down')
    const cooling = snapshots.find(({ status }) => status === 'cooling-down')
    expect(cooling?.retryAt).toBeGreaterThanOrEqual(startOfTests + 30_000)
    // The window has ended during the wait.
    expect(snapshots.at(-1)?.status).toBe('unknown')
    for (const [index, state] of snapshots.entries()) expect(state).not.toEqual(snapshots[index - 1])
  })

  test('sets no timer once the last listener has unsubscribed', async () => {
    const { client, run, clock } = setup()
    const { unsubscribe } = follow(client)
    watch(client.listCategories())
    await run(startOfTests)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'ok' })
    unsubscribe()
    await run()
    expect(clock.now()).toBe(startOfTests)
  })

  test('keeps a process alive while a call waits, but not for a listener alone', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    const clearTimer = vi.spyOn(globalThis, 'clearTimeout')
    const isCleared = (timer: unknown) => clearTimer.mock.calls.some(([cleared]) => cleared === timer)
    const timersThatKeepAlive = () => setTimer.mock.results.filter(({ value }) => value.hasRef() && !isCleared(value))
    const service = createPetstoreService({ plan: [{ limit: 1, per: 60_000 }] })
    const client = createQuickClient(service.fetch, { retry: { maxWait: 120_000 } })
    follow(client)
    await client.listCategories()
    await vi.waitUntil(() => client.rateLimit.getSnapshot().status === 'exhausted')
    expect(timersThatKeepAlive()).toEqual([])
    const call = client.listCategories()
    await vi.waitUntil(() => client.rateLimit.inspect().waiting.length > 0)
    // Until the update of the store has ended, its time-out is another one.
    await vi.waitUntil(() => timersThatKeepAlive().length === 1)
    client.close()
    await failureOf(call)
    await vi.waitUntil(() => timersThatKeepAlive().length === 0)
    vi.restoreAllMocks()
  })

  test('shows a cool-down of another client without a call', async () => {
    const { client, anotherClient, service, run } = setup()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(anotherClient().listCategories())
    await run(startOfTests + 1_000)
    follow(client)
    await run(startOfTests + 1_000)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'cooling-down' })
  })

  test('shows responses to other clients of the key as they arrive', async () => {
    const { client, anotherClient, run } = setup()
    const { snapshots } = follow(client)
    await run(startOfTests)
    watch(anotherClient().listCategories())
    await run(startOfTests)
    expect(snapshots.at(-1)).toMatchObject({ status: 'ok', remaining: 59 })
    expect(client.rateLimit.getSnapshot()).toBe(snapshots.at(-1))
  })

  test('shows the limit of the key that was used last', async () => {
    const keys = ['one', 'two']
    const { client, run } = setup({ service: { keys }, client: { apiKey: () => keys[0] ?? '' } })
    const { snapshots } = follow(client)
    for (const name of ['a', 'b', 'c']) {
      watch(client.createCategory({ name }))
      await run(startOfTests)
    }
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 57 })
    keys.reverse()
    watch(client.createCategory({ name: 'd' }))
    await run(startOfTests)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 59 })
    expect(snapshots.at(-1)).toBe(client.rateLimit.getSnapshot())
  })

  test('can be reset, and waiting calls leave at once', async () => {
    const { client, service, run, sent } = setup()
    const { snapshots } = follow(client)
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(client.listCategories())
    await run(startOfTests + 5_000)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'cooling-down' })
    await client.rateLimit.reset()
    await run(startOfTests + 5_000)
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(sent.map(({ at }) => at)).toEqual([startOfTests, startOfTests + 5_000])
    expect(snapshots.some(({ status }) => status === 'unknown' || status === 'ok')).toBe(true)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'ok', remaining: 59 })
  })

  test.each([
    ['text', 'demo'],
    ['a function', () => 'demo'],
    ['a function with a promise', async () => 'demo'],
  ])(
    'can be reset before the first call, in the cool-down of another client, where the key is given by %s',
    async (_, apiKey) => {
      const { anotherClient, service, run } = setup()
      service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
      watch(anotherClient({ retry: { maxWait: 0 } }).listCategories())
      await run()
      const client = anotherClient({ apiKey })
      await client.rateLimit.reset()
      const call = watch(client.listCategories())
      await run(startOfTests)
      expect(call.now).toMatchObject({ state: 'fulfilled' })
    },
  )

  test('cannot be reset where the app gives no usable key: the error says so', async () => {
    const { anotherClient } = setup()
    const client = anotherClient({ apiKey: () => Promise.reject(new Error('signed out')) })
    expect(await failureOf(client.rateLimit.reset())).toMatchObject({ kind: 'authentication', attempts: 0 })
  })

  test('is separate for each key and each address', async () => {
    const { client, anotherClient, service, run } = setup({ service: { keys: ['demo', 'other'] } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const waiting = watch(client.createCategory({ name: 'a' }))
    await run(startOfTests)
    const others = [
      anotherClient({ apiKey: 'other' }).listCategories(),
      anotherClient({ baseUrl: 'https://staging.test/v1' }).listCategories(),
    ].map(watch)
    await run(startOfTests)
    expect(waiting.now.state).toBe('pending')
    expect(statesOf(others)).toEqual(['fulfilled', 'fulfilled'])
  })

  test('is separate for each person whom the scope names, where the handler has the key', async () => {
    const { anotherClient, service, run } = setup()
    const handler: Fetch = (request) => {
      request.headers.set('Authorization', 'Bearer demo')
      return service.fetch(request)
    }
    const person = (scope: string) => anotherClient({ apiKey: undefined, fetch: handler, scope })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const waiting = watch(person('ann').createCategory({ name: 'a' }))
    await run(startOfTests)
    const next = ['ann', 'bob'].map((scope) => watch(person(scope).listCategories()))
    await run(startOfTests)
    expect(waiting.now.state).toBe('pending')
    expect(statesOf(next)).toEqual(['pending', 'fulfilled'])
  })
})

/** All objects in a value, itself included. */
function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

describe('an app that changes snapshots and inspections', () => {
  test('does not open the gate', async () => {
    const { client, service, run, clock, sent } = setup({ client: { retry: { maxWait: 600_000 } } })
    const unknownState = client.rateLimit.getSnapshot()
    const before = client.rateLimit.inspect()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(client.createCategory({ name: 'Dog' }))
    await run(clock.now() + 1_000)
    const { cooldownUntil } = client.rateLimit.inspect().record
    expect(cooldownUntil).toBeGreaterThan(clock.now())
    const values = [unknownState, before, client.rateLimit.getSnapshot(), client.rateLimit.inspect()]
    const given = structuredClone(client.rateLimit.getSnapshot())
    for (const object of values.flatMap(objectsIn)) {
      for (const field of [...Object.keys(object), 'length']) {
        Reflect.set(object, field, 0)
        Reflect.deleteProperty(object, field)
      }
    }
    expect(client.rateLimit.inspect().record.cooldownUntil).toBe(cooldownUntil)
    expect(client.rateLimit.getSnapshot()).toEqual(given)
    await run(cooldownUntil - 1)
    expect([call.now.state, sent.length]).toEqual(['pending', 1])
  })
})

describe('a store of the app', () => {
  test('that never ends an update holds up one call for 2 s, and later ones for 100 ms when it is tried again', async () => {
    const stalled: RateLimitStore = { update: () => new Promise(() => {}), subscribe: () => () => {} }
    const { client, clock, run, events } = setup({ client: { rateLimitStore: stalled } })
    const waits: number[] = []
    for (let call = 0; call < 8; call += 1) {
      const begin = clock.now()
      const result = watch(client.createCategory({ name: 'Dog' }))
      await run(begin + 10_000)
      expect(result.now.state).toBe('fulfilled')
      const sent = events.findLast(({ type }) => type === 'request')
      waits.push((sent?.at ?? Infinity) - begin)
    }
    const [first, ...others] = waits
    expect(first).toBe(2_000)
    expect(new Set(others)).toEqual(new Set([0, 100])) // 0 while it is not tried
    expect(events).toContainEqual(expect.objectContaining({ type: 'rate-limit-store', status: 'failed' }))
  })

  test.each<[string, (now: number) => object]>([
    ['slices of usage', (now) => ({ localUsage: Array.from({ length: 100_000 }, () => ({ at: now, count: 1 })) })],
    [
      'windows',
      (now) => {
        const window = { remaining: 1_000, serviceReset: now, resetAt: now + 30_000, minLength: 0, checkedAt: now }
        return { windows: Array.from({ length: 5_000 }, (_, limit) => ({ ...window, limit: limit + 1_000 })) }
      },
    ],
    [
      'pages',
      (now) => {
        const page = { inFlight: 1, since: now, expiresAt: now + 30_000, waitsUntil: now, hasUserRequest: true }
        return { pages: Object.fromEntries(Array.from({ length: 5_000 }, (_, id) => [`id-${id}`, page])) }
      },
    ],
  ])('that another script fills with thousands of %s becomes small again and holds up no call', async (_, tamper) => {
    let stored: unknown
    let tamperWith = (value: unknown) => value
    const store: RateLimitStore = {
      update: async (_name, change) => {
        stored = change(tamperWith(stored))
        tamperWith = (value) => value
      },
      subscribe: () => () => {},
    }
    const { client, clock, run } = setup({ client: { rateLimitStore: store } })
    const list = async () => {
      const result = watch(client.listCategories())
      await run(clock.now() + 60_000)
      return result.now.state
    }
    expect(await list()).toBe('fulfilled')
    for (let call = 0; call < 5; call += 1) {
      tamperWith = (value) => ({ ...Object(value), ...tamper(clock.now()) })
      expect(await list()).toBe('fulfilled')
      expect(JSON.stringify(stored).length).toBeLessThan(2_000)
    }
  })

  test('that failed has no listener once the client is closed', async () => {
    const listeners = new Set<unknown>()
    const failing: RateLimitStore = {
      update: () => Promise.reject(new Error('out of order')),
      subscribe: (_, listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const { client, run } = setup({ client: { rateLimitStore: failing } })
    const result = watch(client.listCategories())
    await run()
    expect(result.now.state).toBe('fulfilled')
    client.close()
    await run()
    expect(listeners.size).toBe(0)
  })
})

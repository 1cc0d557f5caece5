import { describe, expect, test } from 'vitest'
import type { RateLimitState } from '../../src/client.ts'
import { setup, opening, watch } from './client.setup.ts'

const unknown = { status: 'unknown', limit: undefined, remaining: undefined, resetAt: undefined, retryAt: undefined }

/** Follows a client's rate limit as `useSyncExternalStore` does. */
function follow(client: ReturnType<typeof setup>['client']) {
  const seen: RateLimitState[] = []
  const unsubscribe = client.rateLimit.subscribe(() => seen.push(client.rateLimit.getSnapshot()))
  return { seen, unsubscribe }
}

describe('client.rateLimit', () => {
  test('knows nothing at first, and the snapshot is the same object until something changes', async () => {
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

  test('counts requests under way as spent', async () => {
    const { client, run, clock } = setup({ service: { latency: 100 } })
    watch(client.listCategories())
    await run()
    for (const name of ['a', 'b', 'c']) watch(client.createCategory({ name }))
    await run(clock.now() + 10)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 56 })
  })

  test('tells its listeners of each change, also of those that time makes, and no oftener', async () => {
    const { client, service, run } = setup()
    const { seen } = follow(client)
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now.state).toBe('fulfilled')
    expect(seen.map(({ status }) => status)).toContain('cooling-down')
    const cooling = seen.find(({ status }) => status === 'cooling-down')
    expect(cooling?.retryAt).toBeGreaterThanOrEqual(opening + 30_000)
    expect(seen.at(-1)?.status).toBe('unknown') // The window has ended meanwhile.
    for (const [index, state] of seen.entries()) expect(state).not.toEqual(seen[index - 1])
  })

  test('is up to date though nobody listens', async () => {
    const { client, run, clock } = setup()
    watch(client.listCategories())
    await run()
    expect(client.rateLimit.getSnapshot().status).toBe('ok')
    await run(clock.now() + 120_000)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'unknown', remaining: undefined })
  })

  test('does not tell who has unsubscribed, and tells who has subscribed twice twice', async () => {
    const { client, run } = setup()
    let told = 0
    const listener = () => {
      told += 1
    }
    const first = client.rateLimit.subscribe(listener)
    const second = client.rateLimit.subscribe(listener)
    watch(client.createCategory({ name: 'a' }))
    await run(opening)
    const both = told
    expect(both).toBeGreaterThan(0)
    first()
    first()
    watch(client.createCategory({ name: 'b' }))
    await run(opening)
    const one = told - both
    expect(one).toBeGreaterThan(0)
    second()
    watch(client.createCategory({ name: 'c' }))
    await run()
    expect(told).toBe(both + one)
  })

  test('wakes for nobody once all have unsubscribed', async () => {
    const { client, run, clock } = setup()
    const { unsubscribe } = follow(client)
    watch(client.listCategories())
    await run(opening)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'ok' })
    unsubscribe()
    await run()
    expect(clock.now()).toBe(opening)
  })

  test('shows a cool-down that another client has met, without a call', async () => {
    const { client, anotherClient, service, run } = setup()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(anotherClient().listCategories())
    await run(opening + 1_000)
    follow(client)
    await run(opening + 1_000)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'cooling-down' })
  })

  test('shows what happens to other clients of the key, as it happens', async () => {
    const { client, anotherClient, run } = setup()
    const { seen } = follow(client)
    await run(opening)
    watch(anotherClient().listCategories())
    await run(opening)
    expect(seen.at(-1)).toMatchObject({ status: 'ok', remaining: 59 })
    expect(client.rateLimit.getSnapshot()).toBe(seen.at(-1))
  })

  test('is that of the key that was used last', async () => {
    const keys = ['one', 'two']
    const { client, run } = setup({ service: { keys }, client: { apiKey: () => keys[0] ?? '' } })
    const { seen } = follow(client)
    for (const name of ['a', 'b', 'c']) {
      watch(client.createCategory({ name }))
      await run(opening)
    }
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 57 })
    keys.reverse()
    watch(client.createCategory({ name: 'd' }))
    await run(opening)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 59 })
    expect(seen.at(-1)).toBe(client.rateLimit.getSnapshot())
  })

  test('can be reset: who waits goes on at once', async () => {
    const { client, service, run, sent } = setup()
    const { seen } = follow(client)
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(client.listCategories())
    await run(opening + 5_000)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'cooling-down' })
    await client.rateLimit.reset()
    await run(opening + 5_000)
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(sent.map(({ at }) => at)).toEqual([opening, opening + 5_000])
    expect(seen.some(({ status }) => status === 'unknown' || status === 'ok')).toBe(true)
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'ok', remaining: 59 })
  })

  test('can be reset before the first call, also where others have met a cool-down', async () => {
    const { client, anotherClient, service, run } = setup()
    await client.rateLimit.reset()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(anotherClient({ retry: { maxWait: 0 } }).listCategories())
    await run()
    await anotherClient().rateLimit.reset()
    const call = watch(client.listCategories())
    await run(opening)
    expect(call.now).toMatchObject({ state: 'fulfilled' })
  })

  test('keeps clients of different keys, and of different addresses, apart', async () => {
    const { client, anotherClient, service, run } = setup({ service: { keys: ['demo', 'other'] } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const cooling = watch(client.createCategory({ name: 'a' }))
    await run(opening)
    const others = [
      anotherClient({ apiKey: 'other' }).listCategories(),
      anotherClient({ baseUrl: 'https://staging.test/v1' }).listCategories(),
    ].map(watch)
    await run(opening)
    expect(cooling.now.state).toBe('pending')
    expect(others.map(({ now }) => now.state)).toEqual(['fulfilled', 'fulfilled'])
  })

  test('is shared by the two addresses of a client', async () => {
    const { client, service, run } = setup()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const [list, message] = [watch(client.listCategories()), watch(client.sendMessage({ message: 'Hello' }))]
    await run(opening + 29_000)
    expect([list.now.state, message.now.state]).toEqual(['pending', 'pending'])
    expect(service.requests).toHaveLength(1)
    await run()
    expect([list.now.state, message.now.state]).toEqual(['fulfilled', 'fulfilled'])
  })
})

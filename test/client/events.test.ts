import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PetstoreEvent } from '../../src/client.ts'
import { respondWith, setup, json, opening, silence, watch } from './client.setup.ts'

afterEach(() => vi.unstubAllGlobals())

const at = (ms: number) => opening + ms
const listing = 'listCategories'

/** The events without the times that the gate chooses. */
const typesOf = (events: readonly PetstoreEvent[]) => events.map(({ type }) => type)

describe('the events', () => {
  test('of a call are its request and its response', async () => {
    const { client, events, run } = setup({ service: { latency: 100 } })
    watch(client.listCategories())
    await run()
    expect(events).toEqual([
      { type: 'request', at: at(0), operation: listing, attempt: 1 },
      { type: 'response', at: at(100), operation: listing, attempt: 1, status: 200, duration: 100 },
    ])
  })

  test('of a call that is refused tell until when, that it waits, and that all is well again', async () => {
    const { client, events, service, run } = setup({ service: { latency: 100, categories: [] } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(client.createCategory({ name: 'Dog' }))
    await run()
    const limited = events.find(({ type }) => type === 'rate-limited')
    const until = limited && 'until' in limited ? limited.until : Number.NaN
    const operation = 'createCategory'
    expect(until).toBeGreaterThanOrEqual(at(30_100))
    expect(events).toEqual([
      { type: 'request', at: at(0), operation, attempt: 1 },
      { type: 'response', at: at(100), operation, attempt: 1, status: 429, duration: 100 },
      { type: 'rate-limited', at: at(100), operation, until },
      { type: 'waiting', at: at(100), operation, until },
      { type: 'retry', at: until, operation, attempt: 2, reason: 'rate-limit' },
      { type: 'request', at: until, operation, attempt: 2 },
      { type: 'response', at: until + 100, operation, attempt: 2, status: 201, duration: 100 },
      { type: 'recovered', at: until + 100, operation },
    ])
  })

  test('of an episode hold one `recovered`, of several episodes as many', async () => {
    const { client, events, service, run } = setup()
    for (const episode of [1, 2]) {
      service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
      const calls = [client.createCategory({ name: 'a' }), client.createCategory({ name: 'b' })].map(watch)
      await run()
      expect(calls.map(({ now }) => now.state)).toEqual(['fulfilled', 'fulfilled'])
      expect(typesOf(events).filter((type) => type === 'recovered')).toHaveLength(episode)
    }
  })

  test('of attempts that fail tell why the next one is made', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'))
    const { client, events, run } = setup({
      random: () => 1,
      client: {
        fetch: respondWith(
          lost,
          silence,
          async () => new Response(null, { status: 503 }),
          async () => json([]),
        ),
        retry: { attempts: 4 },
        timeout: 5_000,
      },
    })
    watch(client.listCategories())
    await run()
    const operation = listing
    expect(events).toEqual([
      { type: 'request', at: at(0), operation, attempt: 1 },
      { type: 'retry', at: at(1_000), operation, attempt: 2, reason: 'network' },
      { type: 'request', at: at(1_000), operation, attempt: 2 },
      { type: 'retry', at: at(8_000), operation, attempt: 3, reason: 'timeout' },
      { type: 'request', at: at(8_000), operation, attempt: 3 },
      { type: 'response', at: at(8_000), operation, attempt: 3, status: 503, duration: 0 },
      { type: 'retry', at: at(12_000), operation, attempt: 4, reason: 'server' },
      { type: 'request', at: at(12_000), operation, attempt: 4 },
      { type: 'response', at: at(12_000), operation, attempt: 4, status: 200, duration: 0 },
    ])
  })

  test('of a refused key tell that it was, and nothing of the key', async () => {
    const keys = ['wrong', 'demo']
    const { client, events, run } = setup({ client: { apiKey: () => keys.shift() ?? '' } })
    watch(client.listCategories())
    await run()
    expect(events).toMatchObject([
      { type: 'request', attempt: 1 },
      { type: 'response', attempt: 1, status: 401 },
      { type: 'retry', attempt: 2, reason: 'authentication' },
      { type: 'request', attempt: 2 },
      { type: 'response', attempt: 2, status: 200 },
    ])
  })

  test('of a call that must not wait are none: nothing has left', async () => {
    const { client, anotherClient, events, service, run } = setup({ client: { retry: { maxWait: 0 } } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(anotherClient({ onEvent: () => {} }).listCategories())
    await run()
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { attempts: 0 } })
    expect(events).toEqual([])
  })

  test('of calls that share a request are those of one', async () => {
    const { client, events, run } = setup()
    watch(client.listCategories())
    watch(client.listCategories())
    await run()
    expect(typesOf(events)).toEqual(['request', 'response'])
  })

  test('hold no address, no body and no key', async () => {
    const { client, events, service, run } = setup({ client: { apiKey: 'demo' } })
    service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
    service.failNext({ status: 503 })
    watch(client.listCategories())
    await run()
    watch(client.createCategory({ name: 'private name' }))
    await run()
    expect(typesOf(events).length).toBeGreaterThan(8)
    expect(JSON.stringify(events)).not.toMatch(/demo|private|petstore\.test|Bearer|https?:/)
  })
})

describe('a function that throws', () => {
  const mistake = new Error('the mistake of the app')
  const fail = () => {
    throw mistake
  }

  test('as `onEvent` harms nothing, and is reported where that can be done', async () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const { client, service, run, sent } = setup({ client: { onEvent: fail } })
    service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(sent).toHaveLength(2)
    expect(reported).toHaveBeenCalledWith(mistake)
    vi.unstubAllGlobals()
    const next = watch(client.listCategories())
    await run()
    expect(next.now).toMatchObject({ state: 'fulfilled' })
  })

  test('as `onWait` harms nobody, neither who waits nor who joins', async () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const { client, service, run, clock } = setup()
    service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
    const calls = [client.listCategories({ onWait: fail }), client.createCategory({ name: 'Dog' })].map((call) =>
      watch<unknown>(call),
    )
    await run(clock.now() + 1_000)
    calls.push(watch(client.listCategories({ onWait: fail })))
    await run()
    expect(calls.map(({ now }) => now.state)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(reported).toHaveBeenCalledWith(mistake)
    const next = watch(client.listCategories())
    await run()
    expect(next.now).toMatchObject({ state: 'fulfilled' })
  })

  test('as a listener of the rate limit harms neither calls nor other listeners', async () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const { client, service, run } = setup()
    let told = 0
    client.rateLimit.subscribe(fail)
    client.rateLimit.subscribe(() => {
      told += 1
    })
    service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(told).toBeGreaterThan(1)
    expect(reported).toHaveBeenCalledWith(mistake)
  })
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PetstoreEvent } from '../../src/client.ts'
import { json, networkFailure, opening, respondWith, setup, silence, statesOf, watch } from './client.setup.ts'

afterEach(() => vi.unstubAllGlobals())

const at = (ms: number) => opening + ms
const listing = 'listCategories'

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

  test('of a call after a 429 report the cool-down, the wait, the retry and the recovery', async () => {
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

  test('contain one `recovered` for each cool-down', async () => {
    const { client, events, service, run } = setup()
    for (const coolDowns of [1, 2]) {
      service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
      const calls = [client.createCategory({ name: 'a' }), client.createCategory({ name: 'b' })].map(watch)
      await run()
      expect(statesOf(calls)).toEqual(['fulfilled', 'fulfilled'])
      expect(typesOf(events).filter((type) => type === 'recovered')).toHaveLength(coolDowns)
    }
  })

  test('of a retry give the kind of the error before it', async () => {
    const { client, events, run } = setup({
      random: () => 1,
      client: {
        fetch: respondWith(
          networkFailure,
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

  test('of a renewed key report the refusal and the retry', async () => {
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

  test('are empty for a call that must not wait: nothing was sent', async () => {
    const { client, anotherClient, events, service, run } = setup({ client: { retry: { maxWait: 0 } } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(anotherClient({ onEvent: () => {} }).listCategories())
    await run()
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { attempts: 0 } })
    expect(events).toEqual([])
  })

  test('of joined calls are those of one call', async () => {
    const { client, events, run } = setup()
    watch(client.listCategories())
    watch(client.listCategories())
    await run()
    expect(typesOf(events)).toEqual(['request', 'response'])
  })

  test('contain no address, body or key', async () => {
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

describe('a callback that throws', () => {
  const mistake = new Error('a mistake of the app')
  const fail = () => {
    throw mistake
  }

  test('as `onEvent` does not affect the call, and is reported where `reportError` exists', async () => {
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

  test('as `onWait` does not affect any call, waiting or joined', async () => {
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
    expect(statesOf(calls)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(reported).toHaveBeenCalledWith(mistake)
    const next = watch(client.listCategories())
    await run()
    expect(next.now).toMatchObject({ state: 'fulfilled' })
  })

  test('as a listener of the rate limit does not affect calls or other listeners', async () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const { client, service, run } = setup()
    let changes = 0
    client.rateLimit.subscribe(fail)
    client.rateLimit.subscribe(() => {
      changes += 1
    })
    service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(changes).toBeGreaterThan(1)
    expect(reported).toHaveBeenCalledWith(mistake)
  })
})

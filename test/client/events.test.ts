import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PetstoreEvent } from '../../src/client.ts'
import {
  createPrerenderError,
  type Fetch,
  json,
  networkFailure,
  noResponse,
  respondWith,
  setup,
  stalledBody,
  startOfTests,
  statesOf,
  watch,
} from './client.setup.ts'

afterEach(() => vi.unstubAllGlobals())

const at = (ms: number) => startOfTests + ms
const listing = 'listCategories'

const callId = expect.any(String)
/** Fields of `rateLimitHeaders` whose values these tests do not check. */
const anyTimes = { resetAt: expect.any(Number), date: expect.any(Number) }

const typesOf = (events: readonly PetstoreEvent[]) => events.map(({ type }) => type)

/** The events between the beginning and the end of a call: the waits, the requests and their ends. */
const requestsIn = (events: readonly PetstoreEvent[]) =>
  events.filter(({ type }) => type !== 'queued' && type !== 'settled')

describe('the events', () => {
  test('of a call are its way through the gate, its request, its response and its end', async () => {
    const { client, events, run } = setup({ service: { latency: 100 } })
    watch(client.listCategories({ priority: 'background' }))
    await run()
    const call = { operation: listing, callId }
    expect(events).toEqual([
      { type: 'queued', at: at(0), ...call, attempt: 1, priority: 'background', duration: 0 },
      { type: 'request', at: at(0), ...call, attempt: 1, waited: 0 },
      {
        type: 'response',
        at: at(100),
        ...call,
        attempt: 1,
        status: 200,
        rateLimitHeaders: { limit: 60, remaining: 59, ...anyTimes },
        duration: 100,
        bodyDuration: 0,
      },
      { type: 'settled', at: at(100), ...call, result: 'success', duration: 100 },
    ])
  })

  test('say how long each part of a call took: the key, the gate, the network and the body', async () => {
    const { client, anotherClient, events, run, after } = setup({
      client: {
        apiKey: () => new Promise((resolve) => after(30, () => resolve('demo'))),
        fetch: () =>
          new Promise((resolve) => {
            const body = new ReadableStream<Uint8Array>({
              start: (controller) =>
                after(470, () => {
                  controller.enqueue(new TextEncoder().encode('[]'))
                  controller.close()
                }),
            })
            after(70, () => resolve(new Response(body, { headers: { 'Content-Type': 'application/json' } })))
          }),
      },
    })
    // The gate holds the second request until the first one has its head, at 70 ms.
    watch(anotherClient({ apiKey: 'demo', onEvent: () => {} }).listCategories())
    await run(at(10))
    watch(client.createCategory({ name: 'Dog' }))
    await run()
    expect(events).toMatchObject([
      { type: 'queued', at: at(40), duration: 30 },
      { type: 'request', at: at(70), waited: 30 },
      { type: 'response', at: at(540), duration: 470, bodyDuration: 400 },
      { type: 'settled', duration: 530 },
    ])
  })

  test('reach every subscriber until it leaves, whatever another one throws', async () => {
    vi.stubGlobal('reportError', vi.fn<() => void>())
    const { client, events, run } = setup()
    const received: PetstoreEvent[] = []
    client.subscribe(() => {
      throw new Error('a mistake of the app')
    })
    const unsubscribe = client.subscribe((event) => received.push(event))
    watch(client.listCategories())
    await run()
    expect(received).toEqual(events)
    expect(received).toHaveLength(4)
    unsubscribe()
    watch(client.listCategories())
    await run()
    expect(events).toHaveLength(8)
    expect(received).toHaveLength(4)
  })

  test('of a call after a 429 report the refusal, the wait and the second request', async () => {
    const { client, events, service, run } = setup({ service: { latency: 100, categories: [] } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(client.createCategory({ name: 'Dog' }))
    await run()
    const waiting = events.find(({ type }) => type === 'waiting')
    const until = waiting && 'until' in waiting ? waiting.until : Number.NaN
    const operation = 'createCategory'
    expect(until).toBeGreaterThanOrEqual(at(30_100))
    expect(requestsIn(events)).toEqual([
      { type: 'request', at: at(0), operation, callId, attempt: 1, waited: 0 },
      {
        type: 'response',
        at: at(100),
        operation,
        callId,
        attempt: 1,
        status: 429,
        rateLimitHeaders: { limit: 60, remaining: 60, retryIn: 30_000, ...anyTimes },
        duration: 100,
        bodyDuration: 0,
      },
      { type: 'waiting', at: at(100), operation, callId, until, reason: 'rate-limit' },
      { type: 'request', at: until, operation, callId, attempt: 2, waited: until - at(100) },
      {
        type: 'response',
        at: until + 100,
        operation,
        callId,
        attempt: 2,
        status: 201,
        rateLimitHeaders: { limit: 60, remaining: 59, ...anyTimes },
        duration: 100,
        bodyDuration: 0,
      },
    ])
  })

  test('of a call that is tried again number its requests, and give the kind of each failure', async () => {
    const { client, events, run } = setup({
      random: () => 1,
      client: {
        fetch: respondWith(
          networkFailure,
          noResponse,
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
    expect(requestsIn(events)).toMatchObject([
      { type: 'request', at: at(0), operation, callId, attempt: 1 },
      { type: 'failure', at: at(0), operation, callId, attempt: 1, kind: 'network', duration: 0 },
      { type: 'request', at: at(1_000), operation, callId, attempt: 2 },
      { type: 'failure', at: at(6_000), operation, callId, attempt: 2, kind: 'timeout', duration: 5_000 },
      { type: 'request', at: at(8_000), operation, callId, attempt: 3 },
      { type: 'response', at: at(8_000), operation, callId, attempt: 3, status: 503, duration: 0 },
      { type: 'request', at: at(12_000), operation, callId, attempt: 4 },
      { type: 'response', at: at(12_000), operation, callId, attempt: 4, status: 200, duration: 0 },
    ])
  })

  test('end every request in one `response`, `failure` or `cancelled`, whatever becomes of it', async () => {
    const responses = [
      networkFailure,
      noResponse,
      async () => json([]),
      async () => json({}, 429, { 'Retry-After': '1' }),
      async () => json('{', 200),
      async () => stalledBody(),
      async () => stalledBody(503),
    ] as const
    const controllers: AbortController[] = []
    let requests = 0
    const { client, events, run, after } = setup({
      random: Math.random,
      client: {
        fetch: async (request) => {
          const number = requests++
          if (number % 4 === 1) after(100, () => controllers.at(-1)?.abort())
          return (responses[number % responses.length] ?? noResponse)(request)
        },
        timeout: 2_000,
        plan: { limit: 100, per: 1_000 },
      },
    })
    for (let index = 0; index < 40; index += 1) {
      after(index * 700, () => {
        const controller = new AbortController()
        controllers.push(controller)
        watch(client.createCategory({ name: String(index) }, { signal: controller.signal }))
      })
    }
    await run()
    const ends = typesOf(events).filter((type) => ['response', 'failure', 'cancelled'].includes(type))
    expect(new Set(ends).size).toBe(3)
    expect(ends).toHaveLength(requests)
    expect(typesOf(events).filter((type) => type === 'request')).toHaveLength(requests)
  })

  test('of a request that a framework has ended say `cancelled`, and the next call does not wait for it', async () => {
    const error = createPrerenderError()
    const end: Fetch = () => Promise.reject(error)
    const { client, events, run, clock } = setup({ client: { fetch: respondWith(end, end, end, () => json([])) } })
    for (let call = 0; call < 3; call += 1) {
      const ended = watch(client.listCategories())
      await run()
      expect(ended.now).toEqual({ state: 'rejected', error })
    }
    expect(typesOf(events)).toEqual(Array(3).fill(['queued', 'request', 'cancelled', 'settled']).flat())
    expect(events.at(-1)).toMatchObject({ result: 'cancelled' })
    const next = watch(client.listCategories())
    await run()
    expect(next.now).toEqual({ state: 'fulfilled', value: [] })
    expect(clock.now()).toBe(startOfTests)
  })

  test('settle every call that was queued, once', async () => {
    const { client, events, run, after, service } = setup({
      random: Math.random,
      client: { retry: { maxWait: 2_000 } },
    })
    for (let index = 0; index < 40; index += 1) {
      after(index * 400, () => {
        if (index % 20 === 0) service.failNext({ status: 429, headers: { 'Retry-After': '4' } })
        const controller = new AbortController()
        watch(client.createCategory({ name: String(index) }, { signal: controller.signal }))
        if (index % 3 === 0) after(30, () => controller.abort())
      })
    }
    await run()
    const callsOf = (type: PetstoreEvent['type']) =>
      events.filter((event) => event.type === type).map(({ callId: id }) => id)
    const settled = callsOf('settled')
    expect(settled).toHaveLength(40)
    expect(new Set(settled)).toEqual(new Set(callsOf('queued')))
    const results = new Set(events.flatMap((event) => (event.type === 'settled' ? [event.result] : [])))
    expect(results).toEqual(new Set(['success', 'cancelled', 'rate-limit']))
  })

  test('carry the id of their call, which joined callers share and other calls do not', async () => {
    const { client, events, service, run } = setup({ random: Math.random })
    service.failNext({ status: 429, headers: { 'Retry-After': '1' } })
    watch(client.listCategories())
    watch(client.listCategories())
    watch(client.createCategory({ name: 'Dog' }))
    await run()
    const idsOf = (operation: string) =>
      new Set(events.filter((event) => event.operation === operation).map((event) => event.callId))
    const [listIds, createIds] = [idsOf(listing), idsOf('createCategory')]
    expect([listIds.size, createIds.size]).toEqual([1, 1])
    expect(listIds).not.toEqual(createIds)
    for (const id of [...listIds, ...createIds]) expect(id).toMatch(/^\w{8,}$/)
  })
})

describe('a callback that fails:', () => {
  const mistake = new Error('a mistake of the app')
  const fail = () => {
    throw mistake
  }

  test.each<[string, () => void]>([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])('an `onEvent` that %s: without `reportError`, the error is printed, and ends no process', async (_, onEvent) => {
    vi.stubGlobal('reportError', undefined)
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const { client, run } = setup({ client: { onEvent } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(print.mock.calls).toEqual([[mistake], [mistake], [mistake], [mistake]]) // once for each event
    print.mockRestore()
  })

  test('an `onWait` that throws does not affect any call, waiting or joined', async () => {
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
})

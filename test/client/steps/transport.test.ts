import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClientWith } from '../../../src/client/createPetstoreClient.ts'
import { NetworkError, operations } from '../../../src/client.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import type { AdmittedAttempt, RespondedAttempt } from '../../../src/client/Call.ts'
import type { EmitEvent } from '../../../src/client/PetstoreEvent.ts'
import { transport, type TransportOptions } from '../../../src/client/steps/transport.ts'
import { createVirtualClock } from '../../rate-limit/virtualClock.ts'
import { listenOn } from '../../server/handler.setup.ts'
import { createPetstoreService } from '../../../src/testing.ts'
import { listen } from '../../../src/testing/node.ts'
import {
  createPrerenderError,
  createQuickClient,
  type Fetch,
  failureOf,
  json,
  noResponse,
  respondWith,
  setup,
  stalledBody,
  startOfTests,
  watch,
} from '../client.setup.ts'
import { createAdmittedAttempt, createDeferred, receivedBy, settleAll, stubNext } from './step.setup.ts'

const oneAttempt = { attempts: 1 }

const lateResponses: readonly (readonly [string, Fetch])[] = [
  ['the service does not respond', noResponse],
  ['`fetch` ignores its signal', () => new Promise(() => {})],
  ['the body stalls', async () => stalledBody()],
]

/** The `undici` that jsdom brings: another copy than that of Node, with a `Request` of its own. */
const foreignUndici: { readonly fetch: Fetch } = createRequire(createRequire(import.meta.url).resolve('jsdom'))(
  'undici',
)

test('a `fetch` of another copy of undici sends what the client asks for', async () => {
  const service = createPetstoreService()
  const { baseUrl, close } = await listen(service)
  const client = createQuickClient(foreignUndici.fetch, { baseUrl })
  expect(await client.createCategory({ name: 'Dog' })).toMatchObject({ name: 'Dog' })
  expect(service.requests).toMatchObject([{ method: 'POST', key: 'demo', status: 201 }])
  await close()
})

describe('the step alone', () => {
  /** The step in virtual time. `report` records what the step reports to the gate. */
  function setupStep(options: Partial<Omit<TransportOptions, 'fetch'>> & { readonly fetch?: Fetch } = {}) {
    const clock = createVirtualClock(startOfTests)
    const emit = vi.fn<EmitEvent>()
    const fetch = vi.fn<Fetch>(options.fetch ?? (async () => json([])))
    const addresses = { service: 'https://petstore.test/v1', quickstart: '/quickstart' }
    const step = transport({
      addresses,
      timeout: 5_000,
      maxResponseSize: 1_000,
      isClosing: () => false,
      clock,
      emit,
      ...options,
      fetch,
    })
    const report = vi.fn<AdmittedAttempt['report']>(async () => {})
    return { clock, emit, fetch, step, report, next: stubNext<RespondedAttempt>() }
  }

  /** A response whose body the test ends or breaks. */
  function openBody(status = 200) {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) })
    const end = (text: string) => {
      stream?.enqueue(new TextEncoder().encode(text))
      stream?.close()
    }
    return {
      response: new Response(body, { status }),
      end,
      breakOff: (error = new TypeError('terminated')) => stream?.error(error),
    }
  }

  test('calls the global `fetch` with an address and options, instead of a Request', async () => {
    const global = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => json('[7]'))
    onTestFinished(() => global.mockRestore())
    const clock = createVirtualClock(startOfTests)
    const addresses = { service: 'https://petstore.test/v1', quickstart: undefined }
    const step = transport({
      addresses,
      timeout: 5_000,
      maxResponseSize: 1_000,
      isClosing: () => false,
      clock,
      emit: () => {},
    })
    const request = { url: 'https://petstore.test/v1/categories', method: 'POST', body: '{"name":"Dog"}' }
    await step(createAdmittedAttempt({ request, key: 'ann' }), stubNext<RespondedAttempt>())
    const [url, init] = global.mock.calls[0] ?? []
    expect(url).toBe(request.url)
    expect(init).toMatchObject({ method: 'POST', body: request.body, cache: 'no-store', redirect: 'manual' })
    expect(Object.fromEntries(new Headers(init?.headers))).toEqual({
      accept: 'application/json',
      authorization: 'Bearer ann',
      'content-type': 'application/json',
    })
  })

  test('tells the priority of a call to the handler on the page’s own server, and to nobody else', async () => {
    const { step, fetch, next } = setupStep()
    const { listCategories, sendMessage } = operations
    for (const operation of [sendMessage, listCategories]) {
      for (const priority of ['background', 'user'] as const) {
        await step(createAdmittedAttempt({ operation, priority: () => priority, key: undefined }), next)
      }
    }
    const values = fetch.mock.calls.map(([{ headers }]) => headers.get('Petstore-Priority'))
    expect(values).toEqual(['background', 'user', null, null])
  })

  test('rejects with the error of a framework that ends the render, also while the body is read', async () => {
    const error = createPrerenderError()
    const { response, breakOff } = openBody()
    const { step, report, emit, next } = setupStep({ fetch: async () => response })
    const failure = failureOf(step(createAdmittedAttempt({ report }), next))
    await settleAll()
    breakOff(error)
    expect(await failure).toBe(error)
    expect(report.mock.calls).toMatchObject([[{ status: 200 }]])
    expect(emit.mock.lastCall).toMatchObject([{}, { type: 'cancelled' }])
  })

  test.each([
    ['the abort', new DOMException('aborted', 'AbortError'), true],
    ['a lost connection', new TypeError('fetch failed'), false],
  ])('reports how an aborted call ended without a head: by %s', async (_, error, isEndUnknown) => {
    const ending = createDeferred<Response>()
    const { step, report, next } = setupStep({ fetch: () => ending.promise })
    const controller = new AbortController()
    const failure = failureOf(step(createAdmittedAttempt({ signal: controller.signal, report }), next))
    await settleAll()
    controller.abort('gone')
    expect(await failure).toBe('gone')
    ending.reject(error)
    await settleAll()
    expect(report.mock.calls).toEqual([[undefined, isEndUnknown]])
  })

  test('an AbortError without an abort of the caller, such as from a time-out of `fetch` itself, is a network failure', async () => {
    const abort = new DOMException('aborted', 'AbortError')
    const { step, report, next } = setupStep({ fetch: () => Promise.reject(abort) })
    expect(await failureOf(step(createAdmittedAttempt({ report }), next))).toBeInstanceOf(NetworkError)
    expect(report.mock.calls).toEqual([[undefined, false]])
  })

  test.each([400, 401, 404, 429, 503])(
    'passes a %d on without its body where that is lost: its head says enough',
    async (status) => {
      const { response, breakOff } = openBody(status)
      const { step, report, next } = setupStep({ fetch: async () => response })
      const result = step(createAdmittedAttempt({ report }), next)
      await settleAll()
      breakOff()
      expect(await result).toBe('the result')
      expect(report).toHaveBeenCalledOnce()
      expect(receivedBy(next)).toMatchObject([{ response: { status, text: undefined } }])
    },
  )

  test('passes an error on without its body after a second, and aborts the request', async () => {
    const { step, fetch, clock, next } = setupStep({ fetch: async () => openBody(500).response })
    const call = watch(step(createAdmittedAttempt(), next))
    await clock.run(startOfTests + 999)
    expect(call.now).toEqual({ state: 'pending' })
    await clock.run()
    expect(clock.now()).toBe(startOfTests + 1_000)
    expect(receivedBy(next)).toMatchObject([{ response: { status: 500, text: undefined } }])
    expect(fetch.mock.calls[0]?.[0].signal.aborted).toBe(true)
  })

  test('reads at most 64 kB of the body of an error', async () => {
    const size = 65_536
    const { step, next } = setupStep({
      fetch: respondWith(
        () => json('x'.repeat(size), 500),
        () => json('x'.repeat(size + 1), 500),
      ),
      maxResponseSize: 1_000_000,
    })
    await step(createAdmittedAttempt(), next)
    await step(createAdmittedAttempt(), next)
    expect(receivedBy(next).map(({ response }) => response.text?.length)).toEqual([size, undefined])
  })

  test('reports the head to the gate even if a listener of the `request` event aborts the call', async () => {
    const controller = new AbortController()
    const { step, report, next } = setupStep({ emit: () => controller.abort('gone') })
    expect(await failureOf(step(createAdmittedAttempt({ signal: controller.signal, report }), next))).toBe('gone')
    await settleAll()
    expect(report.mock.calls).toMatchObject([[{ status: 200 }]])
  })

  test('stops the timeout before the next step, which has all the time it needs', async () => {
    const { step, clock, next } = setupStep()
    const parsed = createDeferred<string>()
    next.mockReturnValue(parsed.promise)
    const call = watch(step(createAdmittedAttempt(), next))
    await clock.run(startOfTests + 60_000)
    expect(call.now).toEqual({ state: 'pending' })
    parsed.resolve('the result')
    await settleAll()
    expect(call.now).toEqual({ state: 'fulfilled', value: 'the result' })
  })
})

describe('the timeout', () => {
  test.each(lateResponses)('rejects the call where %s', async (_, fetch) => {
    const { client, run, clock, sent } = setup({ client: { fetch, timeout: 5_000, retry: oneAttempt } })
    const call = watch(client.createCategory({ name: 'Dog' }))
    await run(startOfTests + 4_999)
    expect(call.now).toEqual({ state: 'pending' })
    await run(startOfTests + 5_000)
    expect(call.now).toMatchObject({
      state: 'rejected',
      error: { kind: 'timeout', timeout: 5_000, outcome: 'unknown' },
    })
    expect(clock.now()).toBe(startOfTests + 5_000)
    expect(sent).toHaveLength(1)
  })

  test('of Infinity never rejects', async () => {
    const { client, run } = setup({
      client: { fetch: noResponse, timeout: Number.POSITIVE_INFINITY, retry: oneAttempt },
    })
    const leaving = new AbortController()
    const call = watch(client.listCategories({ signal: leaving.signal }))
    await run(startOfTests + 20 * 86_400_000)
    expect(call.now).toEqual({ state: 'pending' })
    leaving.abort('enough')
    await run()
    expect(call.now).toEqual({ state: 'rejected', error: 'enough' })
  })

  test('applies to each attempt, not to the time between them', async () => {
    const { client, run, sent } = setup({
      random: () => 1,
      client: { fetch: respondWith(noResponse, noResponse, async () => json([])), timeout: 5_000 },
    })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(sent.map(({ at }) => at - startOfTests)).toEqual([0, 6_000, 13_000])
  })

  test.each(lateResponses)('does not hold the next call back where %s', async (_, fetch) => {
    const { client, run, clock, sent } = setup({
      client: { fetch: respondWith(fetch, async () => json([])), timeout: 5_000, retry: oneAttempt },
    })
    const first = watch(client.listCategories())
    await run()
    expect(first.now).toMatchObject({ state: 'rejected' })
    const second = watch(client.listCategories())
    await run(clock.now())
    expect(second.now).toEqual({ state: 'fulfilled', value: [] })
    expect(sent).toHaveLength(2)
  })

  // Node forgets to abort a request that nothing refers to any more (nodejs/undici#3644).
  test.each([
    ['the response stays away', undefined],
    ['the body stalls', undefined],
    ['the response to the fetch of an app stays away', globalThis.fetch],
    ['the body from the fetch of an app stalls', globalThis.fetch],
  ])('closes a real connection where %s, also after a garbage collection', async (when, fetch) => {
    const server = createServer((_, response) => {
      response.once('close', () => server.emit('gone'))
      if (when.endsWith('stays away')) server.emit('begun')
      else {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.write('[', () => server.emit('begun'))
      }
    })
    const baseUrl = `${await listenOn(server)}/v1`
    const begun = once(server, 'begun')
    const gone = once(server, 'gone')
    const clock = createVirtualClock()
    const client = createClientWith(
      { clock, random: Math.random },
      { baseUrl, fetch, rateLimitStore: createMemoryStore(), retry: oneAttempt },
    )
    const call = watch(client.listCategories())
    await begun
    await settleAll()
    collectGarbage()
    await clock.run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'timeout', timeout: 30_000 } })
    await gone
  })
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

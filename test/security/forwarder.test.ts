import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createMemoryStore,
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
} from '../../src/client.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { createForwarder } from '../../stories/recipes/forwarding/createForwarder.ts'
import { nodeListener } from '../../stories/recipes/forwarding/nodeListener.ts'
import { failureOf, json, silence, stalledBody } from '../client/client.setup.ts'

const serverKey = 'canary-of-the-server'
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

type Handler = (request: Request) => Promise<Response>

const originOf = (server: Server) => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function serve(handle: Handler): Promise<string> {
  const server = createServer(nodeListener(handle)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return originOf(server)
}

/** The client of a page. It has no API key, and its own gate. */
const openPage = (origin: string, options: Partial<PetstoreClientOptions> = {}): PetstoreClient =>
  createPetstoreClient({
    baseUrl: `${origin}/api/petstore/v1`,
    quickstartBaseUrl: `${origin}/api/quickstart`,
    rateLimitStore: createMemoryStore(),
    retry: { attempts: 1, maxWait: 0 },
    ...options,
  })

interface Servers {
  readonly service: PetstoreService
  /** The origin of the forwarding server. */
  readonly origin: string
}

/** Starts the service and the forwarding server, each on its own port. */
async function startServers(
  serviceOptions: PetstoreServiceOptions,
  options: Partial<PetstoreClientOptions> = {},
): Promise<Servers> {
  const service = createPetstoreService({ keys: [serverKey], ...serviceOptions })
  const server = await listen(service)
  cleanups.push(server.close)
  const forward = createForwarder({ ...server, apiKey: serverKey, rateLimitStore: createMemoryStore(), ...options })
  return { service, origin: await serve(forward) }
}

/** A forwarder whose service responds with `fetch`. */
const forwarderTo = (fetch: Handler, options: Partial<PetstoreClientOptions> = {}): Handler =>
  createForwarder({
    baseUrl: 'https://petstore.test/v1',
    quickstartBaseUrl: 'https://petstore.test',
    apiKey: serverKey,
    rateLimitStore: createMemoryStore(),
    fetch,
    ...options,
  })

const pageOrigin = 'https://app.test'
const request = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown, init = {}) =>
  new Request(pageOrigin + path, {
    method,
    headers: { Host: 'app.test', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })
const getList = (headers?: Record<string, string>) => request('GET', '/api/petstore/v1/categories', headers)
const postDog = (headers?: Record<string, string>, body: unknown = { name: 'Dog' }) =>
  request('POST', '/api/petstore/v1/categories', headers, body)

describe('from a page through the forwarding server to the service', () => {
  test('forwards all operations with the API key of the server', async () => {
    const { service, origin } = await startServers({ categories: [{ name: 'Cat' }], firstId: '9223372036854775807' })
    const page = openPage(origin)
    expect(await page.createCategory({ name: 'Dög 🐕', description: '<b>' })).toEqual({
      id: '9223372036854775807',
      name: 'Dög 🐕',
      description: '<b>',
    })
    expect((await page.listCategories()).map(({ name }) => name)).toEqual(['Cat', 'Dög 🐕'])
    expect(await page.sendMessage({ message: 'Hello' })).toMatchObject({ message: 'Hello', status: 'queued' })
    expect(service.requests.map(({ status }) => status)).toEqual([201, 200, 200])
  })

  test('forwards bodies unchanged, with ids beyond 2^53', async () => {
    const { service, origin } = await startServers({
      categories: [{ id: '9007199254740993', name: '9007199254740993,"id":12345678901234567890' }],
      firstId: '-9223372036854775808',
    })
    const direct = await service.fetch(`${service.baseUrl}/categories`, {
      headers: { Authorization: `Bearer ${serverKey}` },
    })
    const forwarded = await fetch(`${origin}/api/petstore/v1/categories`)
    expect(await forwarded.text()).toBe(await direct.text())
    const [category] = await openPage(origin).listCategories()
    expect(category?.id).toBe('9007199254740993')
  })

  test('tells the page the quota of the server’s API key', async () => {
    const { origin } = await startServers({ plan: [{ limit: 60, per: 86_400_000 }] })
    const page = openPage(origin)
    await page.listCategories()
    await page.createCategory({ name: 'Dog' })
    expect(page.rateLimit.getSnapshot()).toMatchObject({ status: 'ok', limit: 60 })
    const { remaining = 0, resetAt = 0 } = page.rateLimit.getSnapshot()
    expect(remaining).toBeGreaterThanOrEqual(57)
    expect(remaining).toBeLessThan(60)
    expect(resetAt).toBeGreaterThan(Date.now())
  })

  test('keeps 30 simultaneous pages within the quota, and tells the others when to retry', async () => {
    const { service, origin } = await startServers({ plan: [{ limit: 10, per: 86_400_000 }] })
    const pages = Array.from({ length: 30 }, () => openPage(origin))
    const results = await Promise.allSettled(pages.map((page, index) => page.createCategory({ name: `${index}` })))
    expect(service.requests.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const reset = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      expect(result.reason).toMatchObject({ kind: 'rate-limit', attempts: 1, outcome: 'not-applied' })
      expect(result.reason.retryAt).toBeGreaterThanOrEqual(reset)
    }
  })

  test('sends nothing for any of 30 pages during a cool-down', async () => {
    const { service, origin } = await startServers({
      plan: [{ limit: 1, per: 86_400_000 }],
      ban: { after: 1, grace: 0 },
    })
    // Another program uses up the quota.
    await service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${serverKey}` } })
    for (let round = 0; round < 3; round += 1) {
      const pages = Array.from({ length: 10 }, () => openPage(origin))
      const errors = await Promise.all(
        pages.map((page, index) => failureOf(index % 2 ? page.createCategory({ name: 'Dog' }) : page.listCategories())),
      )
      for (const error of errors) expect(error).toMatchObject({ kind: 'rate-limit' })
    }
    expect(service.requests.map(({ status }) => status)).toEqual([200, 429])
  })

  test('shares one request between pages that load the same list at the same time', async () => {
    const { service, origin } = await startServers({ latency: 30 })
    const lists = await Promise.all(Array.from({ length: 20 }, () => openPage(origin).listCategories()))
    expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1)
    expect(service.requests.length).toBeLessThanOrEqual(2)
  })

  test('aborts the request of a page that closes, once the head of the response has arrived', async () => {
    let signal: AbortSignal | undefined
    let respond = (_response: Response) => {}
    const started = new AbortController()
    const forward = forwarderTo((sent) => {
      signal = sent.signal
      started.abort()
      return new Promise((resolve) => (respond = resolve))
    })
    const { port, hostname } = new URL(await serve(forward))
    const socket = connect(Number(port), hostname)
    socket.write('GET /api/petstore/v1/categories HTTP/1.1\r\nHost: app.test\r\n\r\n')
    await once(started.signal, 'abort')
    socket.destroy()
    respond(stalledBody())
    if (!signal?.aborted && signal) await once(signal, 'abort')
    expect(signal?.aborted).toBe(true)
  })

  test('ignores a path in the Host header', async () => {
    const { service, origin } = await startServers({})
    const { port, hostname } = new URL(origin)
    const socket = connect(Number(port), hostname)
    socket.write('GET /public HTTP/1.1\r\nHost: app.test/api/petstore/v1/categories?\r\n\r\n')
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 404 /)
    socket.destroy()
    expect(service.requests).toEqual([])
  })

  test('refuses a body that is too large before it has fully arrived', async () => {
    const { service, origin } = await startServers({})
    const { port, hostname } = new URL(origin)
    const socket = connect(Number(port), hostname)
    socket.write('POST /api/petstore/v1/categories HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n')
    socket.write(`186A1\r\n${'x'.repeat(100_001)}\r\n`)
    const [response] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
    expect(String(response)).toContain('413')
    socket.destroy()
    expect(service.requests).toEqual([])
  })
})

describe('requests', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/api/petstore/v1/store/orders'],
    ['GET', '/api/petstore/v1/pets/7'],
    ['DELETE', '/api/petstore/v1/categories'],
    ['GET', '/api/petstore/v1/categories/'],
    ['GET', '/api/petstore/v1/%63ategories'],
    ['GET', '/api/petstore/v1/categories/../../../admin'],
    ['GET', '//api/petstore/v1/categories'],
    ['GET', '/API/petstore/v1/categories'],
    ['GET', '/constructor'],
  ])('%s %s is not forwarded', async (method, path) => {
    const fetch = vi.fn<Handler>(silence)
    expect((await forwarderTo(fetch)(request(method, path))).status).toBe(404)
    expect(fetch).not.toHaveBeenCalled()
  })

  test('contain only what the operation accepts', async () => {
    const requests: Request[] = []
    const forward = forwarderTo(async (sent) => {
      requests.push(sent)
      return json({ id: 1, name: 'Dog' }, 201)
    })
    const headers = { Cookie: 'session=1', Authorization: 'Bearer of-the-page', 'X-Forwarded-For': '10.0.0.1' }
    const body = '{"name":"Dog","id":7,"__proto__":{"admin":true},"admin":true}'
    const response = await forward(request('POST', '/api/petstore/v1/categories?admin=1', headers, body))
    expect(response.status).toBe(201)
    const [sent] = requests
    expect(sent?.url).toBe('https://petstore.test/v1/categories')
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${serverKey}`,
      'content-type': 'application/json',
    })
    expect(await sent?.text()).toBe('{"name":"Dog"}')
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['another site in an old browser', { Origin: 'https://evil.test' }],
    ['a site whose host starts with this one', { Origin: 'https://app.test.evil.test' }],
    ['a site whose host ends with this one', { Origin: 'https://evil-app.test' }],
    ['a page with an opaque origin', { Origin: 'null' }],
  ])('from %s are refused', async (_, headers) => {
    const fetch = vi.fn<Handler>(silence)
    const forward = forwarderTo(fetch)
    expect((await forward(getList(headers))).status).toBe(403)
    expect((await forward(postDog(headers))).status).toBe(403)
    expect(fetch).not.toHaveBeenCalled()
  })

  test.each<[string, Record<string, string>]>([
    ['this site', { 'Sec-Fetch-Site': 'same-origin', Origin: pageOrigin }],
    ['this site in an old browser', { Origin: pageOrigin }],
    ['a program that is not a browser', {}],
  ])('from %s are forwarded', async (_, headers) => {
    expect((await forwarderTo(async () => json([]))(getList(headers))).status).toBe(200)
  })

  test.each(['', 'Dog', '{', '[]', '{}', '{"name":7}', 'null'])('with the body %j are refused', async (body) => {
    const fetch = vi.fn<Handler>(silence)
    const response = await forwarderTo(fetch)(postDog({}, body))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'input-validation', status: 400 })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('with an endless body are refused at the maximum length', async () => {
    let chunks = 0
    const endless = new ReadableStream({
      pull: (stream) => {
        chunks += 1
        stream.enqueue(new TextEncoder().encode('x'.repeat(10_000)))
      },
    })
    const init = { body: endless, duplex: 'half' }
    const response = await forwarderTo(silence)(request('POST', '/api/petstore/v1/categories', {}, undefined, init))
    expect(response.status).toBe(413)
    expect(chunks).toBeLessThan(20)
  })
})

describe('responses to the page', () => {
  const errorBody = { code: 'no-name', message: `The name is taken. ${serverKey}`, status: 400 }

  test.each<[string, Handler, number, string]>([
    ['an invalid value', async () => json(errorBody, 400), 400, 'no-name'],
    ['a wrong API key of the server', async () => json({ ...errorBody, status: 401 }, 401), 500, 'authentication'],
    ['a ban', async () => json({ ...errorBody, status: 403 }, 403), 403, 'no-name'],
    ['a failure of the service', async () => json({ ...errorBody, status: 503 }, 503), 503, 'no-name'],
    ['a failure without an Error body', async () => new Response('<h1>', { status: 500 }), 500, 'server'],
    [
      'an impossible status',
      async () => Object.defineProperty(json(errorBody, 400), 'status', { value: 700 }),
      500,
      'server',
    ],
    ['a redirect', async () => new Response(null, { status: 302 }), 500, 'unexpected-status'],
    ['a lost connection', () => Promise.reject(new TypeError(serverKey)), 502, 'network'],
  ])('pass on %s', async (_, respond, status, code) => {
    for (const pageRequest of [getList(), postDog()]) {
      const fetch = vi.fn<Handler>(respond)
      const response = await forwarderTo(fetch)(pageRequest)
      expect(response.status).toBe(status)
      const text = await response.text()
      expect(JSON.parse(text)).toEqual({ code: expect.any(String), message: expect.any(String), status })
      expect(text).toContain(code)
      expect(text).not.toContain(serverKey)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(fetch).toHaveBeenCalledTimes(1)
    }
  })

  test('report a service that does not respond in time', async () => {
    expect((await forwarderTo(silence, { timeout: 5 })(getList())).status).toBe(504)
  })

  test.each([
    ['is too large', () => json('x'.repeat(100)), { maxResponseSize: 50 }],
    ['has an unknown status', () => json([], 299), {}],
  ])('report a response that %s', async (_, response, options) => {
    expect((await forwarderTo(async () => response(), options)(getList())).status).toBe(500)
  })

  test.each([429, 200])('contain the wait after a status of %d', async (status) => {
    const now = Math.floor(Date.now() / 1_000)
    const headers = {
      Date: new Date(now * 1_000).toUTCString(),
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': `${now + 30}`,
      ...(status === 429 && { 'Retry-After': '30' }),
    }
    const fetch = vi.fn<Handler>(async () => json([], status, headers))
    const forward = forwarderTo(fetch)
    await forward(getList())
    const response = await forward(getList())
    expect(response.status).toBe(429)
    const wait = Number(response.headers.get('Retry-After'))
    expect(wait).toBeGreaterThanOrEqual(29)
    expect(wait).toBeLessThanOrEqual(33)
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})

test('40 pages over ten minutes all succeed, without two refusals in a row', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 0, 1) + 20_000 })
  // Another thread computes the hash of the key in real time, which fake timers do not wait for.
  vi.spyOn(crypto.subtle, 'digest').mockResolvedValue(new ArrayBuffer(32))
  const service = createPetstoreService({
    keys: [serverKey],
    plan: [{ limit: 20, per: 60_000 }],
    ban: { after: 1, grace: 0 },
  })
  const forward = forwarderTo(service.fetch)
  const pages = Array.from({ length: 40 }, () => openPage(pageOrigin, { fetch: forward, retry: { maxWait: 600_000 } }))
  const calls = pages.flatMap((page, index) => [1, 2].map((turn) => page.createCategory({ name: `${index}-${turn}` })))
  // Another program uses some of the same quota, which the forwarder does not see.
  await service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${serverKey}` } })
  const settled = Promise.allSettled(calls)
  await vi.advanceTimersByTimeAsync(600_000)
  const results = await settled
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(new Set(service.categories().map(({ name }) => name)).size).toBeGreaterThanOrEqual(80)
  const statuses = service.requests.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(80)
  expect(statuses.join()).not.toMatch(/429,429|403/)
})

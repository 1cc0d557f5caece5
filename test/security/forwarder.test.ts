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
import { failureOf, json, silence, watch } from '../client/client.setup.ts'

const key = 'canary-of-the-server'
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

/** A page: it has no key, and a gate of its own. */
const browse = (origin: string, options: Partial<PetstoreClientOptions> = {}): PetstoreClient =>
  createPetstoreClient({
    baseUrl: `${origin}/api/petstore/v1`,
    quickstartBaseUrl: `${origin}/api/quickstart`,
    rateLimitStore: createMemoryStore(),
    retry: { attempts: 1, maxWait: 0 },
    ...options,
  })

interface Chain {
  readonly service: PetstoreService
  /** Of the forwarding server. */
  readonly origin: string
}

/** Service and forwarding server, each on a socket. */
async function chain(rules: PetstoreServiceOptions, options: Partial<PetstoreClientOptions> = {}): Promise<Chain> {
  const service = createPetstoreService({ keys: [key], ...rules })
  const server = await listen(service)
  cleanups.push(server.close)
  const forward = createForwarder({ ...server, apiKey: key, rateLimitStore: createMemoryStore(), ...options })
  return { service, origin: await serve(forward) }
}

/** A handler whose service responses like this. */
const inFront = (fetch: Handler, options: Partial<PetstoreClientOptions> = {}): Handler =>
  createForwarder({
    baseUrl: 'https://petstore.test/v1',
    quickstartBaseUrl: 'https://petstore.test',
    apiKey: key,
    rateLimitStore: createMemoryStore(),
    fetch,
    ...options,
  })

const own = 'https://app.test'
const request = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown, init = {}) =>
  new Request(own + path, {
    method,
    headers: { Host: 'app.test', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })
const getList = (headers?: Record<string, string>) => request('GET', '/api/petstore/v1/categories', headers)
const postDog = (headers?: Record<string, string>, body: unknown = { name: 'Dog' }) =>
  request('POST', '/api/petstore/v1/categories', headers, body)

describe('over sockets, from page to forwarding server to service', () => {
  test('all operations of the service come through, under the key of the server', async () => {
    const { service, origin } = await chain({ categories: [{ name: 'Cat' }], firstId: '9223372036854775807' })
    const page = browse(origin)
    expect(await page.createCategory({ name: 'Dög 🐕', description: '<b>' })).toEqual({
      id: '9223372036854775807',
      name: 'Dög 🐕',
      description: '<b>',
    })
    expect((await page.listCategories()).map(({ name }) => name)).toEqual(['Cat', 'Dög 🐕'])
    expect(await page.sendMessage({ message: 'Hello' })).toMatchObject({ message: 'Hello', status: 'queued' })
    expect(service.requests.map(({ status }) => status)).toEqual([201, 200, 200])
  })

  test('ids past 2^53, and everything else, come through as the service wrote them', async () => {
    const { service, origin } = await chain({
      categories: [{ id: '9007199254740993', name: '9007199254740993,"id":12345678901234567890' }],
      firstId: '-9223372036854775808',
    })
    const direct = await service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } })
    const forwarded = await fetch(`${origin}/api/petstore/v1/categories`)
    expect(await forwarded.text()).toBe(await direct.text())
    const [category] = await browse(origin).listCategories()
    expect(category?.id).toBe('9007199254740993')
  })

  test('the page learns the quota, which the key of the server has', async () => {
    const { origin } = await chain({ plan: [{ limit: 60, per: 86_400_000 }] })
    const page = browse(origin)
    await page.listCategories()
    await page.createCategory({ name: 'Dog' })
    expect(page.rateLimit.getSnapshot()).toMatchObject({ status: 'ok', limit: 60 })
    const { remaining = 0, resetAt = 0 } = page.rateLimit.getSnapshot()
    expect(remaining).toBeGreaterThanOrEqual(57)
    expect(remaining).toBeLessThan(60)
    expect(resetAt).toBeGreaterThan(Date.now())
  })

  test('30 pages at once send no more than the quota, and the rest know when to come again', async () => {
    const { service, origin } = await chain({ plan: [{ limit: 10, per: 86_400_000 }] })
    const pages = Array.from({ length: 30 }, () => browse(origin))
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

  test('during a cool-down the service hears nothing from any of 30 pages, so that it bans nobody', async () => {
    const { service, origin } = await chain({ plan: [{ limit: 1, per: 86_400_000 }], ban: { after: 1, grace: 0 } })
    // Another program used up the quota.
    await service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } })
    for (let round = 0; round < 3; round += 1) {
      const pages = Array.from({ length: 10 }, () => browse(origin))
      const errors = await Promise.all(
        pages.map((page, index) => failureOf(index % 2 ? page.createCategory({ name: 'Dog' }) : page.listCategories())),
      )
      for (const error of errors) expect(error).toMatchObject({ kind: 'rate-limit' })
    }
    expect(service.requests.map(({ status }) => status)).toEqual([200, 429])
  })

  test('pages that ask for the same at the same time cost one request', async () => {
    const { service, origin } = await chain({ latency: 30 })
    const lists = await Promise.all(Array.from({ length: 20 }, () => browse(origin).listCategories()))
    expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1)
    expect(service.requests.length).toBeLessThanOrEqual(2)
  })

  test('a page that leaves takes its request back', async () => {
    let signal: AbortSignal | undefined
    const asked = new AbortController()
    const forward = inFront((sent) => {
      signal = sent.signal
      asked.abort()
      return silence(sent)
    })
    const page = browse(await serve(forward))
    const leaving = new AbortController()
    const call = watch(page.createCategory({ name: 'Dog' }, { signal: leaving.signal }))
    await once(asked.signal, 'abort')
    leaving.abort('gone')
    if (!signal?.aborted && signal) await once(signal, 'abort')
    expect(signal?.aborted).toBe(true)
    expect(call.now).toEqual({ state: 'rejected', error: 'gone' })
  })

  test('a Host header cannot make another path of a request', async () => {
    const { service, origin } = await chain({})
    const { port, hostname } = new URL(origin)
    const socket = connect(Number(port), hostname)
    socket.write('GET /public HTTP/1.1\r\nHost: app.test/api/petstore/v1/categories?\r\n\r\n')
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 404 /)
    socket.destroy()
    expect(service.requests).toEqual([])
  })

  test('a body that is too large is refused before it is all there', async () => {
    const { service, origin } = await chain({})
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

describe('what is forwarded', () => {
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
  ])('%s %s is not', async (method, path) => {
    const asked = vi.fn<Handler>(silence)
    expect((await inFront(asked)(request(method, path))).status).toBe(404)
    expect(asked).not.toHaveBeenCalled()
  })

  test('is what the operation takes, and nothing else of the request', async () => {
    const asked: Request[] = []
    const forward = inFront(async (sent) => {
      asked.push(sent)
      return json({ id: 1, name: 'Dog' }, 201)
    })
    const headers = { Cookie: 'session=1', Authorization: 'Bearer of-the-page', 'X-Forwarded-For': '10.0.0.1' }
    const body = '{"name":"Dog","id":7,"__proto__":{"admin":true},"admin":true}'
    const response = await forward(request('POST', '/api/petstore/v1/categories?admin=1', headers, body))
    expect(response.status).toBe(201)
    const [sent] = asked
    expect(sent?.url).toBe('https://petstore.test/v1/categories')
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    })
    expect(await sent?.text()).toBe('{"name":"Dog"}')
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['another site in an old browser', { Origin: 'https://evil.test' }],
    ['a site whose name only begins like this one', { Origin: 'https://app.test.evil.test' }],
    ['a site whose name only ends like this one', { Origin: 'https://evil-app.test' }],
    ['a page without an origin', { Origin: 'null' }],
  ])('is nothing that comes from %s', async (_, headers) => {
    const asked = vi.fn<Handler>(silence)
    const forward = inFront(asked)
    expect((await forward(getList(headers))).status).toBe(403)
    expect((await forward(postDog(headers))).status).toBe(403)
    expect(asked).not.toHaveBeenCalled()
  })

  test.each<[string, Record<string, string>]>([
    ['this site', { 'Sec-Fetch-Site': 'same-origin', Origin: own }],
    ['this site in an old browser', { Origin: own }],
    ['no browser', {}],
  ])('may come from %s', async (_, headers) => {
    expect((await inFront(async () => json([]))(getList(headers))).status).toBe(200)
  })

  test.each(['', 'Dog', '{', '[]', '{}', '{"name":7}', 'null'])('is no body like %j', async (body) => {
    const asked = vi.fn<Handler>(silence)
    const response = await inFront(asked)(postDog({}, body))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'input-validation', status: 400 })
    expect(asked).not.toHaveBeenCalled()
  })

  test('is no body that never ends: it is left at its bound', async () => {
    let pieces = 0
    const endless = new ReadableStream({
      pull: (stream) => {
        pieces += 1
        stream.enqueue(new TextEncoder().encode('x'.repeat(10_000)))
      },
    })
    const init = { body: endless, duplex: 'half' }
    const response = await inFront(silence)(request('POST', '/api/petstore/v1/categories', {}, undefined, init))
    expect(response.status).toBe(413)
    expect(pieces).toBeLessThan(20)
  })
})

describe('what a page is told', () => {
  const said = { code: 'no-name', message: `The name is taken. ${key}`, status: 400 }

  test.each<[string, Handler, number, string]>([
    ['an invalid value', async () => json(said, 400), 400, 'no-name'],
    ['a wrong key of the server', async () => json({ ...said, status: 401 }, 401), 500, 'authentication'],
    ['a ban', async () => json({ ...said, status: 403 }, 403), 403, 'no-name'],
    ['a failure of the service', async () => json({ ...said, status: 503 }, 503), 503, 'no-name'],
    ['a failure without words', async () => new Response('<h1>', { status: 500 }), 500, 'server'],
    [
      'a status that is none',
      async () => Object.defineProperty(json(said, 400), 'status', { value: 700 }),
      500,
      'server',
    ],
    ['a redirect', async () => new Response(null, { status: 302 }), 500, 'unexpected-status'],
    ['a lost connection', () => Promise.reject(new TypeError(key)), 502, 'network'],
  ])('of %s', async (_, fetch, status, code) => {
    for (const asking of [getList(), postDog()]) {
      const asked = vi.fn<Handler>(fetch)
      const response = await inFront(asked)(asking)
      expect(response.status).toBe(status)
      const text = await response.text()
      expect(JSON.parse(text)).toEqual({ code: expect.any(String), message: expect.any(String), status })
      expect(text).toContain(code)
      expect(text).not.toContain(key)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(asked).toHaveBeenCalledTimes(1)
    }
  })

  test('of a service that does not respond in time', async () => {
    expect((await inFront(silence, { timeout: 5 })(getList())).status).toBe(504)
  })

  test.each([
    ['that is too large', () => json('x'.repeat(100)), { maxResponseSize: 50 }],
    ['of a status that nobody knows', () => json([], 299), {}],
  ])('of a response %s', async (_, response, options) => {
    expect((await inFront(async () => response(), options)(getList())).status).toBe(500)
  })

  test.each([429, 200])('how long to wait, after a status of %d', async (status) => {
    const now = Math.floor(Date.now() / 1_000)
    const headers = {
      Date: new Date(now * 1_000).toUTCString(),
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': `${now + 30}`,
      ...(status === 429 && { 'Retry-After': '30' }),
    }
    const asked = vi.fn<Handler>(async () => json([], status, headers))
    const forward = inFront(asked)
    await forward(getList())
    const response = await forward(getList())
    expect(response.status).toBe(429)
    const wait = Number(response.headers.get('Retry-After'))
    expect(wait).toBeGreaterThanOrEqual(29)
    expect(wait).toBeLessThanOrEqual(33)
    expect(asked).toHaveBeenCalledTimes(1)
  })
})

test('a storm of 40 pages over ten minutes: everybody is served, and the service never refuses twice in a row', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 0, 1) + 20_000 })
  // Hashed by another thread, a key would be late by real time, of which this one knows nothing.
  vi.spyOn(crypto.subtle, 'digest').mockResolvedValue(new ArrayBuffer(32))
  const service = createPetstoreService({
    keys: [key],
    plan: [{ limit: 20, per: 60_000 }],
    ban: { after: 1, grace: 0 },
  })
  const forward = inFront(service.fetch)
  const pages = Array.from({ length: 40 }, () => browse(own, { fetch: forward, retry: { maxWait: 600_000 } }))
  const calls = pages.flatMap((page, index) => [1, 2].map((turn) => page.createCategory({ name: `${index}-${turn}` })))
  // A program beside the server spends some of the same quota, localUsage.
  await service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } })
  const settled = Promise.allSettled(calls)
  await vi.advanceTimersByTimeAsync(600_000)
  const results = await settled
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(new Set(service.categories().map(({ name }) => name)).size).toBeGreaterThanOrEqual(80)
  const statuses = service.requests.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(80)
  expect(statuses.join()).not.toMatch(/429,429|403/)
})

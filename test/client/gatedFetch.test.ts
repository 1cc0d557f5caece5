import createClient from 'openapi-fetch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPetstoreClient, type PetstoreEvent } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { serve } from '../server/handler.setup.ts'
import { createQuickClient } from './client.setup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setup(options: PetstoreServiceOptions = {}) {
  const service = createPetstoreService(options)
  const { baseUrl, quickstartBaseUrl, fetch } = service
  const events: PetstoreEvent[] = []
  const client = createPetstoreClient({
    baseUrl,
    quickstartBaseUrl,
    fetch,
    apiKey: 'demo',
    rateLimitStore: createMemoryStore(),
    onEvent: (event) => events.push(event),
  })
  return { service, client, events, url: `${baseUrl}/categories` }
}

/** Awaits the promise while `ms` of fake time pass. */
async function settled<Value>(promise: Promise<Value>, ms = 120_000): Promise<Value> {
  const [value] = await Promise.all([promise, vi.advanceTimersByTimeAsync(ms)])
  return value
}

const json = { 'Content-Type': 'application/json' }

test('a request gets the key, and its response reaches the caller and the gate', async () => {
  const { client, url, service, events } = setup()
  const response = await settled(client.fetch(url), 100)
  expect([response.status, response.headers.get('X-RateLimit-Remaining')]).toEqual([200, '59'])
  expect(await response.json()).toHaveLength(5) // the default categories of the service
  const created = await settled(client.fetch(url, { method: 'POST', headers: json, body: '{"name":"Fox"}' }), 100)
  expect([created.status, await created.json()]).toMatchObject([201, { name: 'Fox' }])
  expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 58, limit: 60 })
  expect(service.requests.map(({ key }) => key)).toEqual(['demo', 'demo'])
  expect(events.filter(({ type }) => type === 'settled')).toMatchObject([
    { operation: 'fetch' },
    { operation: 'fetch' },
  ])
})

/** Each byte value, also those that no text has. */
const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

test('bodies of requests and responses keep their bytes', async () => {
  const received: Request[] = []
  const client = createQuickClient(async (request) => {
    received.push(request.clone())
    return new Response(await request.arrayBuffer(), { headers: { 'Content-Type': 'image/png' } })
  })
  const upload = async (body: BodyInit) => {
    const response = await settled(client.fetch('https://petstore.test/v1/photos', { method: 'POST', body }))
    return { response, sent: received.at(-1) }
  }

  const { response, sent } = await upload(everyByte)
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(everyByte)
  expect([response.headers.get('Content-Type'), sent?.headers.get('Content-Type')]).toEqual(['image/png', null])

  const form = new FormData()
  form.set('photo', new Blob([everyByte]), 'dog.png')
  const multipart = await (await upload(form)).sent?.formData()
  const photo = multipart?.get('photo')
  expect(photo instanceof Blob && new Uint8Array(await photo.arrayBuffer())).toEqual(everyByte)
})

test('the headers of a request are sent, except for another key', async () => {
  const { service } = setup()
  const requests: Request[] = []
  const client = createQuickClient(async (request) => {
    requests.push(request)
    return service.fetch(request)
  })
  const headers = { Authorization: 'Bearer other', 'X-Request-Id': '7', Accept: 'text/plain' }
  await settled(client.fetch(new Request(`${service.baseUrl}/categories`, { headers })))
  expect(['Authorization', 'X-Request-Id', 'Accept'].map((name) => requests[0]?.headers.get(name))).toEqual([
    'Bearer demo',
    '7',
    'text/plain',
  ])
})

test.each(['200 Fine', '404 Nope', '600 Strange', '999 Request denied'])(
  'a response of status "%s" is the one that plain fetch returns',
  async (line) => {
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(Number(line.slice(0, 3)), line.slice(4), { 'Content-Type': 'text/plain' }).end('text')
    })
    vi.useRealTimers()
    const client = createPetstoreClient({
      baseUrl: `${origin}/v1`,
      apiKey: 'demo',
      rateLimitStore: createMemoryStore(),
    })
    const show = ({ status, statusText, ok, url }: Response) => [status, statusText, ok, url]
    const address = `${origin}/v1/things`
    const response = await client.fetch(address)
    expect(show(response)).toEqual(show(await fetch(address)))
    expect(await response.text()).toBe('text')
  },
)

test.each([400, 404, 500, 204])('a response of status %i resolves, and nothing is sent again', async (status) => {
  const { client, url, service } = setup()
  service.failNext({ status })
  const response = await settled(client.fetch(url))
  expect([response.status, response.ok]).toEqual([status, status < 300])
  expect(service.requests).toHaveLength(1)
})

test('a success that is larger than maxResponseSize rejects', async () => {
  const { service, url } = setup()
  const client = createPetstoreClient({ ...service.providerProps(), maxResponseSize: 10 })
  const failure = await settled(client.fetch(url).catch((error: unknown) => error))
  expect(failure).toEqual(new TypeError('The response has more bytes than maxResponseSize.'))
})

test('a redirect rejects in a page, which sees nothing of it', async () => {
  // As a browser responds to `redirect: 'manual'`.
  const client = createQuickClient(async () =>
    Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' }),
  )
  const failure = await settled(client.fetch('https://petstore.test/v1/moved').catch((error: unknown) => error))
  expect(failure).toEqual(new TypeError('The response is a redirect, which is not followed.'))
})

test('a response has the address of its request', async () => {
  const { client, url } = setup()
  expect((await settled(client.fetch(`${url}?page=2`))).url).toBe(`${url}?page=2`)
})

test('a refusal is returned, and the next request waits until its Retry-After has passed', async () => {
  const { client, url, service } = setup()
  service.failNext({ status: 429, headers: { 'Retry-After': '180' } })
  expect((await settled(client.fetch(url))).status).toBe(429)
  expect((await settled(client.fetch(url))).status).toBe(200)
  expect(service.requests.map(({ coolingDown }) => coolingDown)).toEqual([false, false])
})

test.each([
  ['GET', 2],
  ['POST', 1], // The service may have applied it.
])('a %s without a response is sent, in all, %i times', async (method, sent) => {
  const { client, url, service } = setup()
  service.failNext({ connection: 'lost-after' })
  const init = method === 'POST' ? { method, headers: json, body: '{"name":"Fox"}' } : { method }
  const result = await settled(client.fetch(url, init).catch((error: unknown) => error))
  expect(service.requests).toHaveLength(sent)
  expect(result).toMatchObject(method === 'GET' ? { status: 200 } : { kind: 'network', outcome: 'unknown' })
})

test('nothing is sent to another address, below another path, or with a method that no operation has', async () => {
  const { client, service } = setup()
  const origin = new URL(service.baseUrl).origin
  for (const url of [
    'https://elsewhere.test/v1/categories',
    `${service.baseUrl}/../v2/x`,
    `${origin}/v12/categories`,
  ]) {
    await expect(client.fetch(url)).rejects.toThrow('cannot be sent: baseUrl and quickstartBaseUrl get GET')
  }
  await expect(client.fetch(`${service.baseUrl}/categories`, { method: 'PROPFIND' })).rejects.toThrow(TypeError)
  expect(service.requests).toEqual([])
})

test('with a root-relative `baseUrl`, the key goes to the origin of the page only', async () => {
  vi.stubGlobal('location', { origin: 'https://app.test' })
  const urls: string[] = []
  const fetch = async ({ url }: Request) => {
    urls.push(url)
    return Response.json([])
  }
  const client = createQuickClient(fetch, { baseUrl: '/api/v1' })
  await expect(client.fetch('https://elsewhere.test/api/v1/categories')).rejects.toThrow('cannot be sent')
  await settled(client.fetch('https://app.test/api/v1/categories'))
  vi.unstubAllGlobals()
  // Without a page, `origin` is undefined, which must not become the name of a host.
  await expect(client.fetch('https://undefined/api/v1/categories')).rejects.toThrow('cannot be sent')
  expect(urls).toEqual(['https://app.test/api/v1/categories'])
})

test('waiting requests that are aborted, or whose client is closed, reject at once and are never sent', async () => {
  const { client, url, service } = setup()
  service.failNext({ status: 429, headers: { 'Retry-After': '160' } })
  await settled(client.fetch(url))
  const controller = new AbortController()
  const waiting = [client.fetch(url, { signal: controller.signal }), client.fetch(url)]
  const ends = Promise.allSettled(waiting)
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort(new Error('gone'))
  client.close()
  expect(await ends).toMatchObject([{ reason: { message: 'gone' } }, { reason: { name: 'AbortError' } }])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(service.requests).toHaveLength(1)
})

test('closing the client ends a request that has just begun', async () => {
  const { client, url, service } = setup()
  const ends = Promise.allSettled([client.fetch(url, { method: 'POST', headers: json, body: '{"name":"Fox"}' })])
  client.close()
  await vi.advanceTimersByTimeAsync(600_000)
  expect([await ends, service.requests]).toMatchObject([[{ reason: { name: 'AbortError' } }], []])
})

interface Paths {
  '/categories': { get: { responses: { 200: { content: { 'application/json': { id: number; name: string }[] } } } } }
}

test('a client of openapi-fetch gets a success for each request but the refused one, and sends nothing in the cool-down', async () => {
  const { client, service } = setup({ plan: [{ limit: 20, per: 3_000 }], latency: 50 })
  const generated = createClient<Paths>({ baseUrl: service.baseUrl, fetch: client.fetch })
  const send = async () => (await generated.GET('/categories')).response
  service.failNext({ status: 429, headers: { 'Retry-After': '5' } })
  const sent = [send()]
  for (let calls = 0; calls < 60; calls += 1) {
    await vi.advanceTimersByTimeAsync(60)
    sent.push(send())
  }
  const results = await settled(Promise.all(sent))
  expect(results.slice(1).filter(({ status }) => status !== 200)).toEqual([])
  expect(service.requests.length).toBeGreaterThan(60)
  expect(service.requests.filter(({ coolingDown }) => coolingDown)).toEqual([])
})

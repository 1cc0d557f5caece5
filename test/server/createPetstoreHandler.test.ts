import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { documentedOperations } from '../../src/contract/operations.ts'
import { defineOperation, operations } from '../../src/client.ts'
import { createPetstoreHandler, type PetstoreHandlerOptions, toNodeHandler } from '../../src/server.ts'
import * as z from 'zod/mini'
import { type Fetch, failureOf, json, noResponse, stalledBody, watchRequests } from '../client/client.setup.ts'
import {
  getList,
  handlerTo,
  listPath,
  openPage,
  openSocket,
  pageOrigin,
  serve,
  serverKey,
  startServers,
  visit,
} from './handler.setup.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a handler between pages and the service', () => {
  test('serves all operations with the API key of the server', async () => {
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

  test.each(['[ ]', '{"a":1e400,"id":9007199254740993}', '"\\u00e9"', '-0.10'])(
    'passes on %s as the service wrote it',
    async (text) => {
      const response = await handlerTo(async () => json(text))(getList())
      expect(await response.text()).toBe(text)
      expect(response.headers.get('Content-Type')).toBe('application/json')
    },
  )

  test('sends one request that gets a 429, and then nothing for any of 30 pages during the cool-down', async () => {
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

  test('aborts its request for a page that has closed as soon as the head of the response is there', async () => {
    let signal: AbortSignal | undefined
    let respond = (_response: Response) => {}
    const started = new AbortController()
    const handler = handlerTo((sent) => {
      signal = sent.signal
      started.abort()
      return new Promise((resolve) => (respond = resolve))
    })
    const socket = openSocket(await serve(toNodeHandler(handler)))
    socket.write(`GET ${listPath} HTTP/1.1\r\nHost: app.test\r\n\r\n`)
    await once(started.signal, 'abort')
    socket.destroy()
    respond(stalledBody())
    if (!signal?.aborted && signal) await once(signal, 'abort')
    expect(signal?.aborted).toBe(true)
  })
})

describe('operations of the app', () => {
  const removePet = defineOperation({
    name: 'removePet',
    method: 'DELETE',
    path: '/pets/{petId}',
    input: z.object({ petId: z.int(), force: z.optional(z.boolean()) }),
    output: z.undefined(),
    success: [204],
  })
  const updatePet = defineOperation({
    name: 'updatePet',
    method: 'PUT',
    path: '/pets/{petId}',
    input: z.object({ petId: z.string(), age: z.int() }),
    output: z.unknown(),
  })
  const searchPets = defineOperation({
    name: 'searchPets',
    path: '/pets',
    input: z.object({ name: z.string(), page: z.optional(z.int()), all: z.optional(z.boolean()) }),
    output: z.unknown(),
  })
  const failing = defineOperation({
    name: 'failing',
    path: '/failing',
    input: z.pipe(
      z.object({ term: z.string() }),
      z.transform((): { term: string } => {
        throw new Error('failed')
      }),
    ),
    output: z.unknown(),
  })
  const all = [removePet, updatePet, searchPets, failing, operations.getPet]

  test('refuse the input with a 400 if their schema throws', async () => {
    const response = await handlerTo(noResponse, { operations: all })(visit('GET', '/api/petstore/v1/failing?term=x'))
    expect(await response.json()).toMatchObject({ code: 'input-validation', status: 400 })
  })

  /** The request and the result of a call that a page makes through the handler, and of the same call made directly. */
  async function bothWays(call: (page: ReturnType<typeof openPage>) => Promise<unknown>, respond: Fetch) {
    const behindHandler = watchRequests(respond)
    const handler = handlerTo(behindHandler.fetch, { operations: all })
    const result = await call(openPage(pageOrigin, { fetch: (request) => handler(request) }))
    const direct = watchRequests(respond)
    const directResult = await call(
      openPage(pageOrigin, { fetch: direct.fetch, baseUrl: 'https://petstore.test/v1', apiKey: serverKey }),
    )
    const [request, directRequest] = [behindHandler.sent, direct.sent].map(([sent]) => ({ ...sent, at: undefined }))
    return { request, result, directRequest, directResult }
  }

  test.each<[string, (page: ReturnType<typeof openPage>) => Promise<unknown>, Fetch]>([
    [
      'a 204 without a body',
      (page) => page.call(removePet, { petId: 7, force: true }),
      async () => new Response(null, { status: 204 }),
    ],
    [
      'a path field and a body',
      (page) => page.call(updatePet, { petId: 'ä 7', age: 3 }),
      async () => json({ ok: true }),
    ],
    [
      'a query of texts that spell numbers',
      (page) => page.call(searchPets, { name: '007', page: 2, all: false }),
      async () => json([]),
    ],
    ['a text that spells a number', (page) => page.call(searchPets, { name: '7' }), async () => json([])],
    ['an id with dots', (page) => page.call(operations.getPet, { petId: 'a.b..c' }), async () => json({ id: 1 })],
  ])('reach the service as if the page had called it: %s', async (_, call, respond) => {
    const { request, result, directRequest, directResult } = await bothWays(call, respond)
    expect(request).toEqual(directRequest)
    expect(result).toEqual(directResult)
  })

  test('may not have the address of another operation', () => {
    const again = defineOperation({ name: 'again', path: '/categories', output: z.unknown() })
    expect(() => handlerTo(async () => json([]), { operations: [again] })).toThrow(/again has the method and path of/)
  })

  test('of the quickstart address do not exist without that address', async () => {
    const handler = handlerTo(async () => json([]), { quickstartBaseUrl: undefined })
    const response = await handler(visit('POST', '/api/petstore/quickstart/messages', {}, { message: 'Hello' }))
    expect(response.status).toBe(404)
  })
})

test.each([
  [{ baseUrl: '/v1' }, 'baseUrl is root-relative. A server needs a host.'],
  [{ quickstartBaseUrl: '/quickstart' }, 'quickstartBaseUrl is root-relative. A server needs a host.'],
  [{ basePath: 'api' }, 'basePath must start with "/", as "/api/petstore" does.'],
  [{ basePath: '/api?x' }, /^basePath holds a query/],
  [{ maxBodySize: 0 }, 'maxBodySize must be a number above 0.'],
  [{ maxCacheSize: Number.NaN }, 'maxCacheSize must be a number above 0.'],
  [{ allowedOrigins: ['app.test'] }, /^allowedOrigins holds "app.test"/],
  [{ allowedOrigins: ['https://app.test/'] }, /^allowedOrigins holds/],
  [{ allowedOrigins: ['null'] }, /^allowedOrigins holds/],
  [{ allowedOrigins: ['*'] }, /^allowedOrigins holds/],
  [{ cache: { listCategories: { maxAge: -1 } } }, 'cache.listCategories needs numbers of milliseconds, 0 or more.'],
  [{ cache: { createCategory: { maxAge: 1 } } }, 'cache.createCategory names no GET that this handler has.'],
])('the options %j are refused', (options, message) => {
  expect(() => createPetstoreHandler({ ...required, ...options })).toThrow(message)
})

const required = { baseUrl: 'https://petstore.test/v1', apiKey: 'demo', authorize: 'everybody' } as const

/** What untyped code passes by mistake. */
const mistaken = (options: object): PetstoreHandlerOptions => Object.assign({ ...required }, options)

describe('a mistake that would let everybody pass, or nobody, or share no gate, is refused at once:', () => {
  test.each([
    [
      { authorize: 'cookie' },
      'authorize is missing. Give a function that names the user of a request, or "everybody".',
    ],
    [{ authorize: undefined }, 'authorize is missing'],
    [{ apiKey: undefined }, 'apiKey is missing or empty. Give the key of this server'],
    [{ apiKey: '' }, 'apiKey is missing or empty'],
    [{ apiKey: 'sk\n' }, 'apiKey holds white space or a character that a header cannot carry.'],
    [{ apiKey: Promise.resolve('demo') }, 'apiKey is missing or empty'],
    [{ rateLimitStore: Promise.resolve({}) }, 'rateLimitStore is no store. Write `createRedisStore({ client })`'],
    [{ rateLimitStore: { evalSha: () => {} } }, 'rateLimitStore is no store.'],
  ])('%o', (options, message) => {
    expect(() => createPetstoreHandler(mistaken(options))).toThrow(message)
  })
})

test('visitors of every handler may make two changes: one more would open the handlers of all apps', () => {
  const changes = Object.values(documentedOperations).flatMap(({ name, method }) => (method === 'GET' ? [] : name))
  expect(changes).toEqual(['createCategory', 'sendMessage'])
})

test('a handler serves below the base path that the app chooses, and nowhere else', async () => {
  const handler = handlerTo(async () => json([]), { basePath: '/shop.api/' })
  expect((await handler(visit('GET', '/shop.api/v1/categories'))).status).toBe(200)
  expect((await handler(visit('GET', '/shopXapi/v1/categories'))).status).toBe(404)
  expect((await handler(getList())).status).toBe(404)
})

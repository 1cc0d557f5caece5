import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createPetstoreClient, defineOperation, operations } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { type PetstoreHandlerOptions, toNodeHandler } from '../../src/server.ts'
import { type Fetch, json, noResponse, watchRequests } from '../client/client.setup.ts'
import { createDeferred } from '../client/steps/step.setup.ts'
import {
  getList,
  handlerTo,
  listPath,
  openSocket,
  pageOrigin,
  postDog,
  serve,
  serverKey,
  speak,
  startServers,
  visit,
} from './handler.setup.ts'
import { once } from 'node:events'

type Authorize = Exclude<PetstoreHandlerOptions['authorize'], string>

const emptyList = vi.fn<Fetch>(async () => json([]))
const codeOf = async (response: Response): Promise<unknown> => (await response.json()).code

describe('addresses', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/api/petstore/v1/store/orders'],
    ['GET', '/api/petstore/v1/pets/7'],
    ['GET', '/api/petstore/v1/categories/'],
    ['GET', '/api/petstore/v1//categories'],
    ['GET', '/api/petstore//v1/categories'],
    ['GET', '//api/petstore/v1/categories'],
    ['GET', '/api/petstore/v1/%63ategories'],
    ['GET', '/api/petstore/v1%2Fcategories'],
    ['GET', '/api/petstore%2fv1/categories'],
    ['GET', '/api/petstore/v1/categories%00'],
    ['GET', '/api/petstore/v1/categories;a=b'],
    ['GET', '/api/petstore/v1/categories/../../../admin'],
    ['GET', '/api/petstore/v1/categories/%2e%2e/admin'],
    ['GET', '/API/petstore/v1/categories'],
    ['GET', '/x/api/petstore/v1/categories'],
    ['GET', '/api/petstore/messages'],
    ['GET', '/constructor'],
  ])('%s %s does not exist', async (method, path) => {
    const fetch = vi.fn<Fetch>(noResponse)
    const response = await handlerTo(fetch)(visit(method, path))
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ code: 'not-found', message: 'This address does not exist.', status: 404 })
    expect(fetch).not.toHaveBeenCalled()
  })

  test.each(['DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'])('%s of the list gets a 405 with `Allow`', async (method) => {
    const fetch = vi.fn<Fetch>(noResponse)
    const response = await handlerTo(fetch)(visit(method, listPath))
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, POST')
    expect(fetch).not.toHaveBeenCalled()
  })

  test.each([
    '%2F',
    'a%2Fb',
    'a%2fb',
    'a%5Cb',
    'a%252Fb',
    '%252e%252e',
    'a%25',
    'a%00',
    'a%0D%0AX-Injected:1',
    'a%7F',
    '%',
    '%zz',
    '%C3',
    'a/b',
    '',
  ])('the path field %j is refused', async (segment) => {
    const fetch = vi.fn<Fetch>(noResponse)
    const handler = handlerTo(fetch, { operations: [operations.getPet] })
    expect((await handler(visit('GET', `/api/petstore/v1/pets/${segment}`))).status).toBe(404)
    expect(fetch).not.toHaveBeenCalled()
  })

  test.each([
    ['a%20b', 'a%20b'],
    ['a+b', 'a%2Bb'],
    ['%41', 'A'],
    ['a%3Fadmin=1', 'a%3Fadmin%3D1'],
    ['a%23b', 'a%23b'],
    ['...', '...'],
    ['%F0%9F%90%95', '%F0%9F%90%95'],
  ])('the path field %j reaches the service as %j', async (segment, sent) => {
    const watched = watchRequests(emptyList)
    const handler = handlerTo(watched.fetch, { operations: [operations.getPet] })
    expect((await handler(visit('GET', `/api/petstore/v1/pets/${segment}`))).status).toBe(200)
    expect(watched.sent.map(({ url }) => url)).toEqual([`https://petstore.test/v1/pets/${sent}`])
  })

  test('a field that stands in the address twice is refused', async () => {
    const search = defineOperation({
      name: 'search',
      path: '/pets/{petId}/notes',
      input: z.looseObject({ petId: z.string() }),
      output: z.unknown(),
    })
    const handler = handlerTo(emptyList, { operations: [search] })
    const at = (query: string) => handler(visit('GET', `/api/petstore/v1/pets/7/notes${query}`))
    expect((await at('?page=1')).status).toBe(200)
    expect(await codeOf(await at('?page=1&page=2'))).toBe('repeated-field')
    expect(await codeOf(await at('?petId=8'))).toBe('repeated-field')
  })

  test.each(['page=1', 'constructor=1', '__proto__=1', '%00=1', 'a[b]=1'])(
    'a query that the operation does not take is dropped: %s',
    async (query) => {
      const watched = watchRequests(emptyList)
      expect((await handlerTo(watched.fetch)(visit('GET', `${listPath}?${query}`))).status).toBe(200)
      expect(watched.sent.map(({ url }) => url)).toEqual(['https://petstore.test/v1/categories'])
    },
  )
})

test('only what the operation accepts reaches the service', async () => {
  const requests: Request[] = []
  const handler = handlerTo(async (sent) => {
    requests.push(sent)
    return json({ id: 1, name: 'Dog' }, 201)
  })
  const headers = {
    Cookie: 'session=1',
    Authorization: 'Bearer of-the-page',
    'X-Forwarded-For': '10.0.0.1',
    'X-HTTP-Method-Override': 'DELETE',
    Expect: '100-continue',
    'Accept-Language': 'de',
  }
  const body = '{"name":"Dog","id":7,"__proto__":{"admin":true},"admin":true,"name":"Cat"}'
  const response = await handler(visit('POST', `${listPath}?admin=1`, headers, body))
  expect(response.status).toBe(201)
  const [sent] = requests
  expect(sent?.url).toBe('https://petstore.test/v1/categories')
  expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: `Bearer ${serverKey}`,
    'content-type': 'application/json',
  })
  expect(await sent?.text()).toBe('{"name":"Cat"}')
})

describe('requests of other sites', () => {
  const foreign = 'https://evil.test'
  const allowed = 'https://partner.test'
  const sites = [undefined, 'same-origin', 'none', 'same-site', 'cross-site', 'same-origin, cross-site', 'SAME-ORIGIN']
  const origins = [
    undefined,
    pageOrigin,
    'http://app.test', // in front of this server, a proxy has ended the TLS connection
    'https://app.test:8443',
    'https://app.test.evil.test',
    'https://evil-app.test',
    'https://APP.test.',
    foreign,
    allowed,
    `${allowed}.evil.test`,
    'null',
    'ftp://app.test',
    'chrome-extension://app.test',
    '',
    `${pageOrigin}, ${foreign}`,
  ]
  /** Headers of proxies, which a client that reaches this server directly can send as well. */
  const proxies: readonly Record<string, string>[] = [
    {},
    { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' },
    { Forwarded: 'host=evil.test;proto=https', 'X-Original-Host': 'evil.test' },
  ]

  /** The rules as the documentation states them, written without the code under test. */
  function isOurs(method: string, site: string | undefined, origin: string | undefined): boolean {
    if (origin === allowed) return true
    if (site !== undefined) return site === 'same-origin' || site === 'none'
    if (origin === undefined) return method !== 'GET' // no browser sends another method without it
    return origin === pageOrigin || origin === 'http://app.test'
  }

  const cases = ['GET', 'POST'].flatMap((method) =>
    sites.flatMap((site) => origins.map((origin) => ({ method, site, origin, passes: isOurs(method, site, origin) }))),
  )

  test.each(cases)(
    '$method, Sec-Fetch-Site $site, Origin $origin, passes: $passes',
    async ({ method: kind, site, origin, passes }) => {
      const send = kind === 'GET' ? getList : postDog
      for (const proxy of proxies) {
        const fetch = vi.fn<Fetch>(async ({ method }) => (method === 'GET' ? json([]) : json({}, 201)))
        const headers = {
          ...proxy,
          ...(site !== undefined && { 'Sec-Fetch-Site': site }),
          ...(origin !== undefined && { Origin: origin }),
        }
        const options = { allowedOrigins: [allowed], allowUnmarkedRequests: false }
        const response = await handlerTo(fetch, options)(send(headers))
        expect(response.ok).toBe(passes)
        expect(fetch).toHaveBeenCalledTimes(passes ? 1 : 0)
        const { code } = await response.json()
        expect(code).toBe(passes ? undefined : site === undefined && origin === undefined ? 'unmarked' : 'cross-site')
        expect([200, 201, 403]).toContain(response.status)
      }
    },
  )

  describe('on plain http, where a GET does not say where it comes from', () => {
    /** What a browser sends for an image of any page. */
    const image = { Accept: 'image/avif,image/webp,*/*;q=0.8', 'User-Agent': 'Mozilla/5.0', Cookie: 'session=ann' }

    /** A handler behind a socket, as a page at its origin reaches it. */
    async function openSite(options: Partial<PetstoreHandlerOptions> = {}) {
      const { fetch: respond, sent } = watchRequests(emptyList)
      const handler = handlerTo(respond, { allowUnmarkedRequests: undefined, ...options })
      return { origin: await serve(toNodeHandler(handler)), sent }
    }

    test('20 images in a page of another site reach the handler, and none the service', async () => {
      const { origin, sent } = await openSite()
      for (let index = 0; index < 20; index += 1) {
        const response = await fetch(`${origin}${listPath}?${index}`, { headers: image })
        expect(response.status).toBe(403)
        expect(await codeOf(response)).toBe('unmarked')
      }
      expect(sent).toEqual([])
    })

    test.each(['background', 'user'] as const)('the client of a page may send a GET (%s)', async (priority) => {
      const { origin, sent } = await openSite()
      vi.stubGlobal('location', { origin }) // for the first address below
      try {
        const options = { rateLimitStore: createMemoryStore(), retry: { attempts: 1 } }
        const addresses = ['/api/petstore/v1', `${origin}/api/petstore/v1`]
        for (const baseUrl of addresses) {
          expect(await createPetstoreClient({ ...options, baseUrl }).listCategories({ priority })).toEqual([])
        }
      } finally {
        vi.unstubAllGlobals()
      }
      expect(sent).toHaveLength(2)
    })
  })

  test('an origin is the handler’s own if its host is that of the request, with or without a default port', async () => {
    const send = (origin: string, host: string) =>
      handlerTo(emptyList)(visit('GET', listPath, { Origin: origin, Host: host }))
    expect((await send('https://shop.test', 'shop.test')).status).toBe(200)
    expect((await send('https://shop.test', 'shop.test:443')).status).toBe(200)
    expect((await send('http://shop.test', 'shop.test:80')).status).toBe(200)
    expect((await send('http://shop.test:8080', 'shop.test:8080')).status).toBe(200)
    expect((await send('http://shop.test:8080', 'shop.test')).status).toBe(403)
    expect((await send('https://evil.test', 'evil.test/shop.test')).status).toBe(403)
    expect((await send('https://evil.test', 'shop.test@evil.test')).status).toBe(403)
    expect((await send('https://evil.test', 'evil.test, shop.test')).status).toBe(403)
  })

  test('the headers let pages of allowed origins read responses, and no others', async () => {
    const handler = handlerTo(emptyList, { allowedOrigins: [allowed] })
    const headersFor = async (origin: string, method = 'GET') => {
      const { headers, status } = await handler(
        visit(method, listPath, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' }),
      )
      return { status, allow: headers.get('Access-Control-Allow-Origin'), vary: headers.get('Vary'), headers }
    }
    expect(await headersFor(allowed)).toMatchObject({ status: 200, allow: allowed, vary: 'Origin' })
    expect(await headersFor(foreign)).toMatchObject({ status: 403, allow: null, vary: 'Origin' })
    expect(await headersFor(pageOrigin)).toMatchObject({ allow: null, vary: 'Origin' })
    const preflight = await headersFor(allowed, 'OPTIONS')
    expect(preflight).toMatchObject({ status: 204, allow: allowed })
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST')
    expect((await headersFor(foreign, 'OPTIONS')).status).toBe(405)
    const { headers } = await headersFor(allowed)
    expect(headers.get('Access-Control-Expose-Headers')?.split(', ')).toEqual(
      expect.arrayContaining(['X-RateLimit-Remaining', 'RateLimit', 'RateLimit-Policy', 'Date']),
    )
    expect(headers.get('Access-Control-Allow-Credentials')).toBe('true')
  })
})

describe('authorize', () => {
  test('that never settles ends after `timeout`', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    let signal: AbortSignal | undefined
    const authorize: Authorize = (request) => {
      signal = request.signal
      return new Promise(() => {})
    }
    const fetch = vi.fn<Fetch>(noResponse)
    const response = handlerTo(fetch, { authorize, timeout: 4_000 })(getList())
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await (await response).json()).toMatchObject({ code: 'timeout', status: 504 })
    expect(signal?.aborted).toBe(true)
    expect(fetch).not.toHaveBeenCalled()
    vi.useRealTimers()
  })

  test('gets the request without its body, and the operation, before the body is read', async () => {
    const authorize = vi.fn<Authorize>(async (request) =>
      request.headers.get('Cookie') === 'session=ann' ? 'ann' : 401,
    )
    const handler = handlerTo(async () => json({}, 201), { authorize })
    expect((await handler(postDog({ Cookie: 'session=ann' }))).status).toBe(201)
    const [seen, operation] = authorize.mock.calls[0] ?? []
    expect(seen).toMatchObject({ method: 'POST', url: pageOrigin + listPath, body: null })
    expect(operation).toBe(operations.createCategory)
    const unread = visit('POST', listPath, {}, 'x'.repeat(1_000_000))
    expect((await handler(unread)).status).toBe(401)
    expect(unread.bodyUsed).toBe(false)
  })

  test('gets a Request with all headers from Node, whose signal aborts when the visitor goes', async () => {
    const seen = createDeferred<Request>()
    const authorize: Authorize = (request) => {
      seen.resolve(request)
      return new Promise(() => {})
    }
    const socket = openSocket(await serve(toNodeHandler(handlerTo(noResponse, { authorize }))))
    const lines = ['Host: app.test', 'Cookie: session=ann', 'X-Role: one', 'x-role: two', 'Content-Length: 9', '', '']
    socket.write([`POST ${listPath}?page=1 HTTP/1.1`, ...lines].join('\r\n'))
    const request = await seen.promise
    expect(request).toBeInstanceOf(Request)
    expect(request).toMatchObject({ method: 'POST', url: `http://localhost${listPath}?page=1`, body: null })
    expect(request.headers.get('Cookie')).toBe('session=ann')
    expect(request.headers.get('X-Role')).toBe('one, two')
    expect(request.signal.aborted).toBe(false)
    socket.destroy()
    await once(request.signal, 'abort')
  })

  test.each<[unknown, number, string]>([
    [401, 401, 'signed-out'],
    [403, 403, 'not-permitted'],
    ['', 401, 'signed-out'],
    [undefined, 401, 'signed-out'],
    [null, 401, 'signed-out'],
    [true, 401, 'signed-out'],
    [200, 401, 'signed-out'],
    [{ id: 'ann' }, 401, 'signed-out'],
  ])('that returns %j refuses with %d', async (returned, status, code) => {
    const fetch = vi.fn<Fetch>(noResponse)
    // Untyped code may return anything.
    const handler = handlerTo(fetch, { authorize: () => returned as string })
    const response = await handler(getList())
    expect(await response.json()).toMatchObject({ status, code })
    expect(response.headers.get('X-RateLimit-Limit')).toBeNull()
    expect(fetch).not.toHaveBeenCalled()
  })

  test('that throws is a failure of this server, whose reason the visitor does not get', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = new Error('the password of the database')
    const response = await handlerTo(noResponse, { authorize: () => Promise.reject(failure) })(getList())
    expect(await response.json()).toEqual({ code: 'internal', message: 'This server failed.', status: 500 })
    expect(logged).toHaveBeenCalledWith(failure)
    logged.mockRestore()
  })

  test('is not asked about addresses that do not exist, or for pages of other sites', async () => {
    const authorize = vi.fn<Authorize>(() => 'ann')
    const handler = handlerTo(noResponse, { authorize })
    expect((await handler(visit('GET', '/admin'))).status).toBe(404)
    expect((await handler(postDog({ 'Sec-Fetch-Site': 'cross-site' }))).status).toBe(403)
    expect(authorize).not.toHaveBeenCalled()
  })
})

describe('bodies', () => {
  test.each([
    ['', 'input-validation'],
    ['Dog', 'not-json'],
    ['{', 'not-json'],
    ['{"name":"Dog"}}', 'not-json'],
    ['[]', 'input-validation'],
    ['{}', 'input-validation'],
    ['{"name":7}', 'input-validation'],
    ['null', 'input-validation'],
    ['['.repeat(99_000), 'not-json'], // deep, and not too large
  ])('%j are refused', async (body, code) => {
    const fetch = vi.fn<Fetch>(noResponse)
    const response = await handlerTo(fetch)(postDog({}, body))
    expect(await response.json()).toMatchObject({ code, status: 400 })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('of bytes that are no UTF-8 are refused', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const bytes = Uint8Array.from([...new TextEncoder().encode('{"name":"D'), 0xff, 0x22, 0x7d])
    const response = await handlerTo(noResponse)(visit('POST', listPath, headers, undefined, { body: bytes }))
    expect(await response.json()).toMatchObject({ code: 'not-json', status: 400 })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'text/plain; application/json',
    '',
  ])('of the type %j are refused: forms of other sites can send some of these', async (type) => {
    const response = await handlerTo(noResponse)(postDog({ 'Content-Type': type }))
    expect(await response.json()).toMatchObject({ status: 415 })
  })

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json ;a=b'])(
    'of the type %j pass',
    async (type) => {
      expect((await handlerTo(async () => json({}, 201))(postDog({ 'Content-Type': type }))).status).toBe(201)
    },
  )

  test('are refused if they have or announce more bytes than the app allows', async () => {
    const handler = handlerTo(async () => json({}, 201), { maxBodySize: 30 })
    const fits = '{"name":"ééééééééé"}'
    expect(new TextEncoder().encode(fits)).toHaveLength(29)
    expect((await handler(postDog({}, fits))).status).toBe(201)
    expect((await handler(postDog({}, '{"name":"éééééééééé"}'))).status).toBe(413)
    expect((await handler(postDog({ 'Content-Length': '5' }, '{"name":"éééééééééé"}'))).status).toBe(413)
    expect((await handler(postDog({ 'Content-Length': '1000' }, fits))).status).toBe(413)
  })

  test('that never end are refused at the maximum size', async () => {
    let chunks = 0
    let isCanceled = false
    const endless = new ReadableStream({
      pull: (stream) => {
        chunks += 1
        stream.enqueue(new TextEncoder().encode('x'.repeat(10_000)))
      },
      cancel: () => {
        isCanceled = true
      },
    })
    const init = { body: endless, duplex: 'half' as const }
    const response = await handlerTo(noResponse)(visit('POST', listPath, {}, undefined, init))
    expect(await response.json()).toMatchObject({ code: 'too-large', status: 413 })
    expect(chunks).toBeLessThan(20) // ten chunks are the maximum, and the stream reads some ahead
    expect(isCanceled).toBe(true)
  })

  test.each([0, 1])('that break off after %d chunks are refused', async (chunks) => {
    const logged = vi.spyOn(console, 'error')
    let sent = 0
    const broken = new ReadableStream({
      pull: (stream) => {
        if (sent === chunks) return stream.error(new TypeError('terminated'))
        sent += 1
        stream.enqueue(new TextEncoder().encode('{"name":'))
      },
    })
    const fetch = vi.fn<Fetch>(noResponse)
    const init = { body: broken, duplex: 'half' as const }
    const response = await handlerTo(fetch)(visit('POST', listPath, {}, undefined, init))
    expect(await response.json()).toEqual({ code: 'incomplete', message: 'The request body broke off.', status: 400 })
    expect(fetch).not.toHaveBeenCalled()
    expect(logged).not.toHaveBeenCalled()
  })

  test('that have not arrived after ten seconds are refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    const stalled = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) })
    const init = { body: stalled, duplex: 'half' as const }
    const response = handlerTo(noResponse)(visit('POST', listPath, {}, undefined, init))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await (await response).json()).toMatchObject({ code: 'too-slow', status: 400 })
    vi.useRealTimers()
  })
})

describe('over a socket', () => {
  const lines = (...all: readonly string[]) => all.join('\r\n')
  const body = '{"name":"Dog"}'

  test.each([
    ['a path in the Host header', lines(`GET /public HTTP/1.1`, `Host: app.test${listPath}?`, '', ''), 404],
    ['an address with dots', lines(`GET /public/..${listPath} HTTP/1.1`, 'Host: app.test', '', ''), 400],
    ['an address with encoded dots', lines(`GET /public/%2e%2e${listPath} HTTP/1.1`, 'Host: app.test', '', ''), 400],
    ['backslashes', lines('GET \\api\\petstore\\v1\\categories HTTP/1.1', 'Host: app.test', '', ''), 400],
    ['an absolute address', lines(`GET http://evil.test${listPath} HTTP/1.1`, 'Host: app.test', '', ''), 400],
    ['two slashes', lines(`GET //evil.test${listPath} HTTP/1.1`, 'Host: app.test', '', ''), 400],
    ['a fragment', lines(`GET ${listPath}#x HTTP/1.1`, 'Host: app.test', '', ''), 400],
    ['a method that no Request has', lines(`TRACE ${listPath} HTTP/1.1`, 'Host: app.test', '', ''), 405],
    [
      'a second Host header',
      lines(`GET ${listPath} HTTP/1.1`, 'Host: app.test', 'Host: evil.test', 'Origin: https://app.test', '', ''),
      403,
    ],
    [
      'a second Sec-Fetch-Site header',
      lines(
        `POST ${listPath} HTTP/1.1`,
        'Host: app.test',
        'Sec-Fetch-Site: same-origin',
        'Sec-Fetch-Site: cross-site',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ),
      403,
    ],
  ])('%s is refused', async (_, text, status) => {
    const { service, origin } = await startServers()
    expect(await speak(origin, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(service.requests).toEqual([])
  })

  test.each([
    ['an absolute address', `http://app.test${listPath}`],
    ['an absolute address of a proxy that ends TLS', `https://app.test${listPath}`],
    ['an apostrophe in the query', `${listPath}?name=O'Brien`],
  ])('%s is accepted', async (_, target) => {
    const { service, origin } = await startServers()
    const socket = openSocket(origin)
    socket.write(lines(`GET ${target} HTTP/1.1`, 'Host: app.test', '', ''))
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /)
    expect(service.requests).toHaveLength(1)
  })

  /** A whole request. Where it is part of the body of another one, it must not be served. */
  const listRequest = lines(`GET ${listPath} HTTP/1.1`, 'Host: app.test', '', '')
  const post = (...headers: readonly string[]) =>
    lines(`POST ${listPath} HTTP/1.1`, 'Host: app.test', 'Content-Type: application/json', ...headers, '')

  test('a request in the unread rest of a refused body is not served', async () => {
    const { service, origin } = await startServers()
    const padding = 'x'.repeat(100_001)
    const received = await speak(
      origin,
      lines(post(`Content-Length: ${padding.length + listRequest.length}`), padding + listRequest),
    )
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
    expect(received).toContain('Connection: close')
    expect(service.requests).toEqual([])
  })

  test('a body that is too large is refused before it has fully arrived', async () => {
    const { service, origin } = await startServers()
    const socket = openSocket(origin)
    socket.write(lines(post('Transfer-Encoding: chunked'), '186A1', 'x'.repeat(100_001), '')) // the size in hexadecimal
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 413 /)
    expect(service.requests).toEqual([])
  })

  test('a body that arrives in pieces, and a second request on the same connection, are served', async () => {
    const { service, origin } = await startServers()
    const socket = openSocket(origin)
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    socket.write(post('Transfer-Encoding: chunked') + '\r\n')
    for (const letter of body) socket.write(`1\r\n${letter}\r\n`)
    socket.write('0\r\n\r\n')
    await vi.waitFor(() => expect(received).toContain('HTTP/1.1 201'), 60_000)
    socket.write(listRequest)
    await vi.waitFor(() => expect(received).toContain('HTTP/1.1 200'), 60_000)
    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  test('a body that other middleware has read gives a 500 that says what to do', async () => {
    const fetch = vi.fn<Fetch>(noResponse)
    const listener = toNodeHandler(handlerTo(fetch))
    const origin = await serve(async (incoming, outgoing) => {
      for await (const _ of incoming);
      listener(incoming, outgoing)
    })
    const headers = { 'Content-Type': 'application/json' }
    const response = await globalThis.fetch(origin + listPath, { method: 'POST', headers, body })
    expect(await response.json()).toEqual({
      code: 'body-read',
      message: 'Mount the handler before middleware that reads bodies.',
      status: 500,
    })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('a body that other middleware listens to reaches the service, even if `authorize` takes a while', async () => {
    let received = ''
    const authorize = () => new Promise<string>((resolve) => void setImmediate(() => resolve('ann')))
    const listener = toNodeHandler(handlerTo(async (request) => json(await request.json(), 201), { authorize }))
    const origin = await serve((incoming, outgoing) => {
      incoming.on('data', (chunk) => (received += String(chunk)))
      listener(incoming, outgoing)
    })
    const headers = { 'Content-Type': 'application/json' }
    const response = await globalThis.fetch(origin + listPath, { method: 'POST', headers, body })
    expect([response.status, await response.text(), received]).toEqual([201, body, body])
  })

  test('a handler that rejects closes the connection, and leaves the server up', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const origin = await serve(toNodeHandler(() => Promise.reject(new Error('failed'))))
    expect(await speak(origin, listRequest)).toBe('')
    expect(await speak(origin, listRequest)).toBe('')
    expect(logged).toHaveBeenCalledTimes(2)
    logged.mockRestore()
  })
})

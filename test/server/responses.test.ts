import { afterEach, describe, expect, test, vi } from 'vitest'
import { isPetstoreError, type PetstoreEvent } from '../../src/client.ts'
import { failureOf, type Fetch, json, networkFailure, noResponse, watchRequests } from '../client/client.setup.ts'
import { toNodeHandler } from '../../src/server.ts'
import {
  getList,
  handlerTo,
  listPath,
  openPage,
  pageOrigin,
  postDog,
  serve,
  serverKey,
  visit,
} from './handler.setup.ts'

afterEach(() => void vi.restoreAllMocks())

describe('failures of the service', () => {
  const errorBody = { code: 'no-name', message: 'The name is taken.', status: 400 }

  test.each<[string, Fetch, number, string]>([
    ['an invalid value', async () => json(errorBody, 400), 400, 'no-name'],
    ['a wrong API key of the server', async () => json({ ...errorBody, status: 401 }, 401), 502, 'authentication'],
    ['a ban', async () => json({ ...errorBody, status: 403 }, 403), 403, 'no-name'],
    ['a conflict without an Error body', async () => json({ error: 1 }, 409), 409, 'unexpected-status'],
    ['a failure', async () => json({ ...errorBody, status: 500 }, 500), 500, 'no-name'],
    ['a status after which browsers send the request again: 408', async () => json(errorBody, 408), 502, 'no-name'],
    ['a status after which browsers send the request again: 421', async () => json({}, 421), 502, 'unexpected-status'],
    ['a status after which browsers send the request again: 425', async () => json({}, 425), 502, 'unexpected-status'],
    ['a status that browsers handle as one of a proxy: 407', async () => json({}, 407), 502, 'unexpected-status'],
    ['a failure without an Error body', async () => new Response('<h1>', { status: 500 }), 500, 'server'],
    [
      'an impossible status',
      async () => Object.defineProperty(json(errorBody, 400), 'status', { value: 700 }),
      502,
      'server',
    ],
    ['a redirect', async () => new Response(null, { status: 302 }), 502, 'unexpected-status'],
    ['a success of another status', async () => json([], 299), 502, 'unexpected-status'],
    [
      'a page instead of JSON',
      async () => new Response('<!doctype html>', { status: 200 }),
      502,
      'response-validation',
    ],
    ['a body that was cut short', async () => json('[{"id":1', 200), 502, 'response-validation'],
    ['a lost connection', networkFailure, 502, 'network'],
  ])('%s becomes a response with an Error body, and is not sent again', async (name, respond, status, code) => {
    for (const request of [getList(), postDog()]) {
      // The client parses a body only if the status is a success, which is 201 for a POST.
      const needs201 = request.method === 'POST' && /instead|short/.test(name)
      const fetch = vi.fn<Fetch>(needs201 ? async () => new Response('[{', { status: 201 }) : respond)
      const response = await handlerTo(fetch)(request)
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({ code, message: expect.any(String), status })
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(response.headers.get('Content-Type')).toBe('application/json')
      expect(fetch).toHaveBeenCalledTimes(1)
    }
  })

  test.each([
    ['without a code', 'application/json', { message: 'name is too long' }],
    ['with a number as code', 'application/json', { code: 7, message: 'name is too long', status: 422 }],
    ['of RFC 9457', 'application/problem+json', { type: 'about:blank', status: 422, detail: 'name is too long' }],
  ])('an error message %s is passed on', async (_name, type, body) => {
    const response = await handlerTo(async () => json(body, 422, { 'Content-Type': type }))(postDog())
    expect(await response.json()).toEqual({ code: 'unexpected-status', message: 'name is too long', status: 422 })
  })

  test.each([408, 421])('after a %d a page knows that its POST may have been applied', async (status) => {
    const fetch = vi.fn<Fetch>(async () => json(errorBody, status))
    const origin = await serve(toNodeHandler(handlerTo(fetch)))
    const error = await failureOf(openPage(origin).createCategory({ name: 'Dog' }))
    expect(error).toMatchObject({ kind: 'server', status: 502, outcome: 'unknown', body: { code: 'no-name' } })
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  test('the events tell the app of a 401, which the visitor does not get', async () => {
    const events: PetstoreEvent[] = []
    const handler = handlerTo(async () => json(errorBody, 401), { onEvent: (event) => void events.push(event) })
    expect((await handler(getList())).status).toBe(502)
    expect(events).toContainEqual(expect.objectContaining({ type: 'response', status: 401 }))
  })

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['that the app cannot give', () => Promise.reject(new Error(serverKey)), /The apiKey function failed/],
    ['that no header can carry', () => `${serverKey}\n`, /The API key is empty, .*white space/],
  ])('a key %s is reported to the operator of this server, and not to the visitor', async (_name, apiKey, reason) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const events: PetstoreEvent[] = []
    const handler = handlerTo(noResponse, { apiKey, onEvent: (event) => void events.push(event) })
    const response = await handler(getList())
    expect(response.status).toBe(502)
    const text = await response.text()
    expect(text).not.toContain(serverKey)
    expect(text).toContain('This server has no usable key.')
    const event = expect.objectContaining({ type: 'settled', operation: 'listCategories', result: 'authentication' })
    expect(events).toEqual([event])
    expect(logged.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringMatching(reason) })]])
  })

  test('a service that does not respond in time gives a 504', async () => {
    const response = await handlerTo(noResponse, { timeout: 5 })(getList())
    expect(await response.json()).toMatchObject({ code: 'timeout', status: 504 })
  })

  test('a response that is too large gives a 502', async () => {
    const response = await handlerTo(async () => json('x'.repeat(100)), { maxResponseSize: 50 })(getList())
    expect(await response.json()).toMatchObject({ code: 'response-validation', status: 502 })
  })

  test.each([429, 200])('a limit that is used up after a %d gives a 429 that says when to retry', async (status) => {
    const now = Math.floor(Date.now() / 1_000)
    const headers = {
      Date: new Date(now * 1_000).toUTCString(),
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': `${now + 30}`,
      ...(status === 429 && { 'Retry-After': '30' }),
    }
    const fetch = vi.fn<Fetch>(async () => json([], status, headers))
    const handler = handlerTo(fetch)
    await handler(getList())
    const response = await handler(getList())
    expect(await response.json()).toMatchObject({ code: 'rate-limit', status: 429 })
    const wait = Number(response.headers.get('Retry-After'))
    expect(wait).toBeGreaterThanOrEqual(29)
    expect(wait).toBeLessThanOrEqual(33) // the 30 s, the gate's margin and rounding
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('0')
    const reset = Number(response.headers.get('X-RateLimit-Reset'))
    expect(reset).toBeGreaterThanOrEqual(now + 29)
    // The fields of the IETF draft say the same.
    expect(response.headers.get('RateLimit')).toMatch(/^"visitor";r=0;t=(?:29|3\d)$/)
    expect(response.headers.get('RateLimit-Policy')).toBe('"visitor";q=60')
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  test('a pause that the service asks for reaches the visitor', async () => {
    const response = await handlerTo(async () => json(errorBody, 503, { 'Retry-After': '7' }))(getList())
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(7)
    expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(9)
  })
})

test('each response says in Server-Timing where the time went', async () => {
  const response = await handlerTo(async () => json([]))(getList())
  expect(response.headers.get('Server-Timing')).toMatch(/^queue;dur=\d+(?:\.\d+)?, upstream;dur=\d+(?:\.\d+)?$/)
})

test('headers of the service do not reach visitors', async () => {
  const headers = { 'Set-Cookie': 'a=b', 'X-Internal': '1', 'Content-Encoding': 'br', Location: '/', Link: '</a>' }
  const response = await handlerTo(async () => json([], 200, headers))(getList())
  for (const name of Object.keys(headers)) expect(response.headers.has(name)).toBe(false)
})

describe('headers that pass', () => {
  const id = 'a1b2-c3'

  test('the id of a request reaches the service, and that of the response the visitor', async () => {
    const { sent, fetch } = watchRequests(async () =>
      json([], 200, { 'X-Request-Id': 'of-the-service', 'X-Other': '1' }),
    )
    const handler = handlerTo(fetch)
    const response = await handler(getList({ 'X-Request-Id': id }))
    expect(response.headers.get('X-Request-Id')).toBe('of-the-service')
    expect(response.headers.get('X-Other')).toBeNull()
    await handler(postDog())
    expect(sent.map(({ headers }) => headers['x-request-id'])).toEqual([id, undefined])
  })

  test('the id of a response also passes through Node, into an error of the page', async () => {
    const fetch: Fetch = async ({ headers }) =>
      json({}, 409, { 'X-Request-Id': `${headers.get('X-Request-Id')}/7`, 'X-Other': '1' })
    const origin = await serve(toNodeHandler(handlerTo(fetch)))
    const page = openPage(origin, {
      fetch: (request) => {
        request.headers.set('X-Request-Id', id)
        return globalThis.fetch(request)
      },
    })
    const error = await failureOf(page.listCategories())
    expect(error).toMatchObject({ kind: 'unexpected-status', status: 409 })
    if (!isPetstoreError(error)) throw error
    expect(error.headers?.get('X-Request-Id')).toBe(`${id}/7`)
    expect(error.headers?.get('X-Other')).toBeNull()
  })

  test.each(['a b', '', 'ä', 'x'.repeat(201)])('%j is no id of a request, and is not passed on', async (text) => {
    const { sent, fetch } = watchRequests(async () => json([]))
    expect((await handlerTo(fetch)(getList({ 'X-Request-Id': text }))).status).toBe(200)
    expect(sent[0]?.headers).not.toHaveProperty('x-request-id')
  })

  test('those that the app names pass, also with a kept response, without the API key', async () => {
    const options = { exposeHeaders: ['Sunset', 'X-Echo'], cache: { listCategories: { maxAge: 1_000 } } }
    const fetch: Fetch = async () => json([], 200, { Sunset: 'soon', 'X-Echo': serverKey, 'X-Request-Id': '7' })
    const handler = handlerTo(fetch, options)
    for (const age of [null, '0']) {
      const { headers } = await handler(getList())
      expect(['Age', 'Sunset', 'X-Echo', 'X-Request-Id'].map((name) => headers.get(name))).toEqual([
        age,
        'soon',
        '[API key]',
        '7',
      ])
    }
  })

  test('pages of an allowed origin may read and send them', async () => {
    const headers = { Origin: pageOrigin, 'Sec-Fetch-Site': 'cross-site' }
    const handler = handlerTo(async () => json([]), { allowedOrigins: [pageOrigin], exposeHeaders: ['Sunset'] })
    const { headers: read } = await handler(getList(headers))
    expect(read.get('Access-Control-Expose-Headers')?.split(', ').slice(-2)).toEqual(['X-Request-Id', 'Sunset'])
    const { headers: send } = await handler(visit('OPTIONS', listPath, headers))
    expect(send.get('Access-Control-Allow-Headers')?.split(', ')).toContain('X-Request-Id')
  })

  test.each(['Set-Cookie', 'content-encoding', 'ETag', 'X-RateLimit-Limit', 'Access-Control-Allow-Origin', 'a b', ''])(
    '%j is refused in `exposeHeaders`',
    (name) => {
      expect(() => handlerTo(noResponse, { exposeHeaders: [name] })).toThrow(`exposeHeaders holds "${name}"`)
    },
  )
})

describe('the API key', () => {
  const escaped = serverKey
    .split('')
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
  /** Other forms: `test/security/redaction.test.ts`. */
  const forms = { plain: serverKey, escaped }
  const wholeResponse = async (response: Response): Promise<string> =>
    `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`

  const echoes: readonly (readonly [string, (form: string) => Fetch])[] = [
    ['a list', (form) => async () => json(`[{"id":9007199254740993,"name":"a ${form} b"}]`)],
    ['the name of a field', (form) => async () => json(`{"${form}":1}`)],
    ['an Error body', (form) => async () => json(`{"code":"${form}","message":"${form}","status":400}`, 400)],
    ['a 401', (form) => async () => json(`{"code":"x","message":"${form}","status":401}`, 401)],
    ['a body that is no JSON', (form) => async () => new Response(`<p>${form}</p>`)],
    ['headers', (form) => async () => json([], 200, { 'X-Echo': form, 'X-RateLimit-Limit': form, ETag: form })],
    ['a failure', (form) => () => Promise.reject(new TypeError(form))],
  ]

  test.each(
    echoes.flatMap(([where, respond]) => Object.entries(forms).map(([form, text]) => ({ where, form, text, respond }))),
  )('in $where, $form, reaches neither visitors nor logs', async ({ text, respond }) => {
    const logs = (['log', 'warn', 'error', 'info', 'debug'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation(() => {}),
    )
    const events: PetstoreEvent[] = []
    const handler = handlerTo(respond(text), {
      onEvent: (event) => void events.push(event),
      cache: { listCategories: { maxAge: 1_000 } },
    })
    const seen = [await wholeResponse(await handler(getList())), await wholeResponse(await handler(postDog()))]
    const written = JSON.stringify([events, logs.flatMap(({ mock }) => mock.calls.map((values) => values.map(String)))])
    for (const all of [...seen, written]) {
      // A text inside of JSON has each backslash twice.
      const decoded = all.replaceAll(String.raw`\\`, '\\')
      for (const form of Object.values(forms)) expect(decoded).not.toContain(form)
    }
  })

  test('is removed from each response, whatever key the request before had', async () => {
    const keys = ['the-key-of-ann', 'the-key-of-bob', 'the-key-of-ann']
    const rest = [...keys]
    const handler = handlerTo(async () => json([{ id: 1, name: keys.join() }]), { apiKey: () => rest.shift() ?? '' })
    const names = async () => (await (await handler(getList())).json())[0].name
    expect(await names()).toBe('[API key],the-key-of-bob,[API key]')
    expect(await names()).toBe('the-key-of-ann,[API key],the-key-of-ann')
    expect(await names()).toBe('[API key],the-key-of-bob,[API key]')
  })

  test('is not looked for in numbers, nor in Base64 without its padding', async () => {
    const text = '[{"id":12345,"name":"MTIzNDU is no secret, \\\\ neither"}]'
    const response = await handlerTo(async () => json(text), { apiKey: '12345' })(getList())
    expect(await response.text()).toBe(text)
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  AuthenticationError,
  BadRequestError,
  defineOperation,
  int64,
  type Operation,
  operations,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  UnexpectedStatusError,
} from '../../../src/client.ts'
import { rawOutput } from '../../../src/client/rawOutput.ts'
import { parseExactJson } from '../../../src/contract/parseExactJson.ts'
import { createQuickClient, failureOf, json } from '../client.setup.ts'

/** A client whose service always gives this response. */
const clientReceiving = (response: () => Response) => createQuickClient(async () => response())

describe('an id', () => {
  const pet = defineOperation({
    name: 'getPet',
    path: '/pets/{petId}',
    input: z.object({ petId: z.string() }),
    output: z.object({ id: int64, parents: z.array(int64), price: z.number() }),
  })

  test.each(['0', '7', '-7', '9007199254740991', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    "of %s is exact, in categories and in responses of the app's operations",
    async (id) => {
      const text = `{"price": 1.5, "parents": [${id}, 1, ${id}], "id": ${id}, "note": "id: ${id}"}`
      expect(await clientReceiving(() => json(text)).call(pet, { petId: id })).toStrictEqual({
        id,
        parents: [id, '1', id],
        price: 1.5,
      })
      expect(await clientReceiving(() => json(`[{"id":${id},"name":"${id}"}]`)).listCategories()).toStrictEqual([
        { id, name: id },
      ])
      expect(
        await clientReceiving(() => json(`{"name":"Dog","id":${id}}`, 201)).createCategory({ name: 'Dog' }),
      ).toStrictEqual({ id, name: 'Dog' })
    },
  )
})

test.each<[string, Operation['output']]>([
  ['a message', operations.sendMessage.output],
  ['the response itself', rawOutput],
])('a call for %s rejects with the abort reason where a `response` listener aborts it', async (_, output) => {
  const controller = new AbortController()
  const client = createQuickClient(async () => json('{}'), { quickstartBaseUrl: 'https://petstore.test/q' })
  client.subscribe(({ type }) => type === 'response' && controller.abort('left'))
  const operation = { ...operations.sendMessage, output }
  expect(await failureOf(client.call(operation, { message: 'Hello' }, { signal: controller.signal }))).toBe('left')
})

describe('the body of a success', () => {
  test.each([
    ['{', 'cut off'],
    ['[{"id":1,"name":"Dog"}', 'cut off later'],
    ['<html>Welcome to the hotel</html>', 'a page'],
    ['Dog', 'a word'],
    ['[1,]', 'nearly JSON'],
    [' ', 'white space'],
    ['', 'nothing'],
  ])('is rejected if it is no JSON: %j (%s)', async (text) => {
    const error = await failureOf(clientReceiving(() => json(text)).listCategories())
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({
      attempts: 1,
      outcome: 'not-applied',
      issues: [{ message: expect.stringMatching(/^expected JSON/) }],
    })
  })

  test.each(['null', '{}', '{"categories":[]}', '"[]"', '0'])('is rejected if it is no list: %j', async (text) => {
    const error = await failureOf(clientReceiving(() => json(text)).listCategories())
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({ issues: [{ message: 'expected an array' }] })
  })

  test('can begin with a byte order mark and have any Content-Type', async () => {
    const client = clientReceiving(() => new Response('\uFEFF[]', { headers: { 'Content-Type': 'text/plain' } }))
    expect(await client.listCategories()).toEqual([])
  })

  describe('shows whether the service or another server has responded:', () => {
    const page = '<!doctype html><h1>Sign in</h1>'
    const html = { 'Content-Type': 'text/html' }
    const quota = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }

    test.each([
      ['a page in its place', page, html, 'unknown'],
      ['nothing at all', '', {}, 'unknown'],
      ['a page that is too large', page.repeat(9), html, 'unknown'],
      ['JSON that is cut short, with the quota', '{"id":', quota, 'applied'],
      ['a text with the quota', 'OK', quota, 'applied'],
      ['JSON of another shape', '{"ok":true}', {}, 'applied'],
      ['JSON that is too large, with the quota', JSON.stringify(page.repeat(9)), quota, 'applied'],
    ])('%s', async (_, body, headers, outcome) => {
      const fetch = async (request: Request) =>
        new Response(body, { status: request.url.endsWith('/messages') ? 202 : 201, headers })
      const client = createQuickClient(fetch, { quickstartBaseUrl: 'https://petstore.test/q', maxResponseSize: 200 })
      const failed = { kind: 'response-validation', outcome }
      expect(await failureOf(client.createCategory({ name: 'Dog' }))).toMatchObject(failed)
      expect(await failureOf(client.sendMessage({ message: 'Hello' }))).toMatchObject(failed)
    })

    test('an empty page in place of the response to a GET is refused', async () => {
      const get = defineOperation({ name: 'getSettings', path: '/settings', output: z.unknown() })
      const portal = clientReceiving(() => new Response('', { status: 200, headers: html }))
      expect(await failureOf(portal.call(get))).toMatchObject({ kind: 'response-validation', problem: 'not-json' })
    })
  })

  test('is missing from a 204, which is read as undefined', async () => {
    const remove = defineOperation({ name: 'removePet', method: 'DELETE', path: '/pets/7', output: z.undefined() })
    const nothing = () => new Response(null, { status: 204 })
    expect(await clientReceiving(nothing).call(remove)).toBeUndefined()
    expect(await failureOf(clientReceiving(() => json({})).call(remove))).toBeInstanceOf(ResponseValidationError)
    expect(await failureOf(clientReceiving(nothing).listCategories())).toBeInstanceOf(UnexpectedStatusError)
  })
})

describe('the body of an error', () => {
  const html = '<!doctype html><h1>Welcome to the hotel</h1>'
  const classes = [
    [400, BadRequestError],
    [401, AuthenticationError],
    [404, UnexpectedStatusError],
    [429, RateLimitError],
    [500, ServerError],
    [503, ServerError],
  ] as const
  const noErrorBodies = ['', html, '{', '[]', 'null', '"text"', '{"error":"no"}', '{"code":1,"message":7,"status":400}']

  test.each(classes.flatMap(([status, type]) => noErrorBodies.map((text) => [status, text, type] as const)))(
    'of status %d can be anything: %j',
    async (status, text, type) => {
      const response = () => new Response(text, { status, headers: { 'Content-Type': 'text/html' } })
      const error = await failureOf(clientReceiving(response).listCategories())
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ body: undefined })
      expect(String(error)).not.toMatch(/hotel|says/)
    },
  )

  test.each([404, 405, 500])(
    'of status %d has a `message` that is kept without a complete Error body',
    async (status) => {
      const text = '{"message":"No route with s3cret here.","documentation_url":"https://docs.test"}'
      const client = createQuickClient(async () => json(text, status), { apiKey: 's3cret' })
      expect(await failureOf(client.listCategories())).toMatchObject({
        status,
        body: undefined,
        serviceMessage: 'No route with [API key] here.',
        message: expect.stringMatching(/ The service says: No route with \[API key\] here\.$/),
      })
    },
  )

  test('is kept if it has the documented fields, and only then', async () => {
    const documented = z.object({ code: z.string(), message: z.string(), status: z.int() })
    const field = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constantFrom(null, 2 ** 60, '400', [], {}))
    const bodies = fc.oneof(
      fc.record({ code: field, message: field, status: field, more: field }, { requiredKeys: [] }),
      fc.record({ code: fc.string(), message: fc.string(), status: field }),
      fc.jsonValue(),
    )
    const check = fc.asyncProperty(bodies, async (value) => {
      const text = JSON.stringify(value)
      const error = await failureOf(clientReceiving(() => json(text, 500)).listCategories())
      const accepted = z.safeParse(documented, parseExactJson(text))
      expect(error).toHaveProperty('body', accepted.data)
    })
    await fc.assert(check, { numRuns: 300 })
  })
})

describe('the status', () => {
  test.each([201, 202, 203, 206])('%d is not a success of listCategories', async (status) => {
    const error = await failureOf(clientReceiving(() => json([], status)).listCategories())
    expect(error).toBeInstanceOf(UnexpectedStatusError)
    expect(error).toMatchObject({ status, outcome: 'not-applied' })
  })

  test.each([200, 201, 202, 206, 299])(
    '%d is a success of an operation whose successes are not documented',
    async (status) => {
      expect(await clientReceiving(() => json({ id: 7 }, status)).call(operations.listOrders)).toEqual({ id: 7 })
    },
  )
})

import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  AuthenticationError,
  BadRequestError,
  defineOperation,
  int64,
  operations,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  UnexpectedStatusError,
} from '../../../src/client.ts'
import { createPetstoreService } from '../../../src/testing.ts'
import { createQuickClient, failureOf, json } from '../client.setup.ts'

const clientReceiving = (response: () => Response) => createQuickClient(async () => response())

describe('an id', () => {
  const pet = defineOperation({
    name: 'getPet',
    path: '/pets/{petId}',
    input: z.object({ petId: z.string() }),
    output: z.object({ id: int64, parents: z.array(int64), price: z.number() }),
  })

  test.each(['0', '7', '-7', '9007199254740991', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'of %s is exact, in categories and in the responses of operations of your own',
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

  test('that is no int64 is refused', async () => {
    const error = await failureOf(
      clientReceiving(() => json('[{"id":9223372036854775808,"name":"Dog"}]')).listCategories(),
    )
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({ issues: [{ path: [0, 'id'] }] })
  })

  test('that the in-memory service assigns is exact too', async () => {
    const service = createPetstoreService({ categories: [], firstId: '9223372036854775806' })
    const client = createQuickClient(service.fetch, { retry: { maxWait: 1_000 } })
    const created = await client.createCategory({ name: 'Dog' })
    expect(created).toStrictEqual({ id: '9223372036854775806', name: 'Dog' })
    expect(await client.listCategories()).toStrictEqual([created])
  })
})

describe('fields', () => {
  test('that nobody documented are dropped', async () => {
    const client = clientReceiving(() =>
      json('[{"id":1,"name":"Dog","legs":4,"__proto__":{"evil":true},"toString":1}]'),
    )
    const [category] = await client.listCategories()
    expect(category).toStrictEqual({ id: '1', name: 'Dog' })
    expect(category).not.toHaveProperty('evil')
  })

  test('that are missing are named with their place', async () => {
    const client = clientReceiving(() => json('[{"id":1,"name":"Dog"},{"id":2}]'))
    const error = await failureOf(client.listCategories())
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({
      message: 'listCategories: The response is not what the operation promises: 1.name: expected a string',
      issues: [{ message: 'expected a string', path: [1, 'name'] }],
      outcome: 'applied',
    })
  })

  test('of a message are kept as text, its status whatever it is', async () => {
    const message = { id: 'm-1', message: 'Hello', status: 'delivered', createdAt: '2026-01-01T00:00:00Z' }
    for (const status of [200, 201, 202]) {
      expect(
        await clientReceiving(() => json({ ...message, extra: 1 }, status)).sendMessage({ message: 'Hello' }),
      ).toStrictEqual(message)
    }
  })
})

describe('a body', () => {
  test.each([
    ['{', 'cut off'],
    ['[{"id":1,"name":"Dog"}', 'cut off later'],
    ['<html>Welcome to the hotel</html>', 'a page'],
    ['Dog', 'a word'],
    ['[1,]', 'nearly JSON'],
    [' ', 'white space'],
  ])('%j (%s) is no JSON', async (text) => {
    const error = await failureOf(clientReceiving(() => json(text)).listCategories())
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({
      attempts: 1,
      outcome: 'applied',
      issues: [{ message: expect.stringMatching(/^expected JSON/) }],
    })
  })

  test.each(['', 'null', '{}', '{"categories":[]}', '"[]"', '0'])('%j is no list of categories', async (text) => {
    const error = await failureOf(clientReceiving(() => json(text)).listCategories())
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({ issues: [{ message: 'expected an array' }] })
  })

  test('may begin with a byte order mark, and have any Content-Type', async () => {
    const client = clientReceiving(() => new Response('\uFEFF[]', { headers: { 'Content-Type': 'text/plain' } }))
    expect(await client.listCategories()).toEqual([])
  })

  test.each([
    ['malformed-json', [{ message: expect.stringMatching(/^expected JSON/) }]],
    ['wrong-shape', [{ path: ['id'] }, { path: ['name'] }]],
  ] as const)('that the service spoils (%s) does not hide that the work was done', async (body, issues) => {
    const service = createPetstoreService({ categories: [] })
    service.failNext({ body })
    const error = await failureOf(createQuickClient(service.fetch).createCategory({ name: 'Dog' }))
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({ outcome: 'applied', issues })
    expect(service.categories()).toHaveLength(1)
  })

  test('is missing from a 204, which is the value undefined', async () => {
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
  const noErrorBodies = [
    '',
    html,
    '{',
    '[]',
    'null',
    '"text"',
    '{"error":"no"}',
    '{"code":1,"message":"no","status":400}',
  ]

  test.each(classes.flatMap(([status, type]) => noErrorBodies.map((text) => [status, text, type] as const)))(
    'of status %d may be anything: %j',
    async (status, text, type) => {
      const response = () => new Response(text, { status, headers: { 'Content-Type': 'text/html' } })
      const error = await failureOf(clientReceiving(response).listCategories())
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ body: undefined })
      expect(String(error)).not.toMatch(/hotel|says/)
    },
  )

  test.each(classes)(
    'of status %d is kept, whatever its code, without fields that nobody documented',
    async (status, type) => {
      const body = { code: 'nobody_listed_this', message: 'Schöne Grüße 猫', status: 418 }
      const error = await failureOf(clientReceiving(() => json({ ...body, trace: 'x' }, status)).listCategories())
      expect(error).toBeInstanceOf(type)
      expect(error).toHaveProperty('body', body)
    },
  )

  test('is not promised with a 429: the time to wait is known all the same', async () => {
    const before = Date.now()
    const error = await failureOf(
      clientReceiving(() => new Response(null, { status: 429, headers: { 'Retry-After': '30' } })).listCategories(),
    )
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error instanceof RateLimitError && error.retryAt - before).toBeGreaterThanOrEqual(30_000)
  })
})

describe('a status', () => {
  test.each([201, 202, 203, 206])('%d is no success of listCategories', async (status) => {
    const error = await failureOf(clientReceiving(() => json([], status)).listCategories())
    expect(error).toBeInstanceOf(UnexpectedStatusError)
    expect(error).toMatchObject({ status, outcome: 'applied' })
  })

  test.each([200, 201, 202, 206, 299])(
    '%d is a success of an operation whose successes are not documented',
    async (status) => {
      expect(await clientReceiving(() => json({ id: 7 }, status)).call(operations.listOrders)).toEqual({ id: 7 })
    },
  )
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, InputValidationError, operations } from '../../src/client.ts'
import { createQuickClient, failureOf, json, watchRequests } from './client.setup.ts'

const dog = { id: 7, name: 'Dog' }

function createWatched() {
  const watched = watchRequests(async ({ method }) => json(method === 'POST' ? dog : {}, method === 'POST' ? 201 : 200))
  return { sent: watched.sent, client: createQuickClient(watched.fetch, { plan: { limit: 1_000, per: 1_000 } }) }
}

const anything = z.unknown()
const search = defineOperation<unknown, unknown>({ name: 'search', path: '/search', input: anything, output: anything })
const below = 'https://petstore.test/v1'

describe('a field of the path', () => {
  test.each([
    ['7', '/pets/7'],
    ['a/b', '/pets/a%2Fb'],
    ['../../admin', '/pets/..%2F..%2Fadmin'],
    ['..%2f', '/pets/..%252f'],
    ['%2e%2e', '/pets/%252e%252e'],
    ['...', '/pets/...'],
    ['.a', '/pets/.a'],
    ['a?limit=1', '/pets/a%3Flimit%3D1'],
    ['a#b', '/pets/a%23b'],
    ['a b', '/pets/a%20b'],
    ['a\\b', '/pets/a%5Cb'],
    ['a\r\nX-Evil: 1', '/pets/a%0D%0AX-Evil%3A%201'],
    ['\t', '/pets/%09'],
    ['ü', '/pets/%C3%BC'],
    ['猫🐈', '/pets/%E7%8C%AB%F0%9F%90%88'],
    ['{petId}', '/pets/%7BpetId%7D'],
    ['$&', '/pets/%24%26'],
    ['__proto__', '/pets/__proto__'],
  ])('%j stands in it as one segment', async (petId, path) => {
    const { sent, client } = createWatched()
    await client.call(operations.getPet, { petId })
    expect(sent.map(({ url }) => url)).toEqual([below + path])
  })

  test.each(['', '.', '..', '\ud800', 'a\udc00b'])(
    '%j could not stand in it: it is refused, and nothing is sent',
    async (petId) => {
      const { sent, client } = createWatched()
      const error = await failureOf(client.call(operations.getPet, { petId }))
      expect(error).toBeInstanceOf(InputValidationError)
      expect(error).toMatchObject({ operation: 'getPet', attempts: 0, issues: [{ path: ['petId'] }] })
      expect(sent).toEqual([])
    },
  )

  const toy = defineOperation<unknown, unknown>({
    name: 'getToy',
    path: '/pets/{petId}/toys/{toyId}',
    input: anything,
    output: anything,
  })

  test.each([undefined, null, true, {}, [], ['7'], Symbol('7')])(
    'that is %o is refused, and nothing is sent',
    async (toyId) => {
      const { sent, client } = createWatched()
      const error = await failureOf(client.call(toy, { petId: 7, toyId }))
      expect(error).toBeInstanceOf(InputValidationError)
      expect(error).toMatchObject({ issues: [{ message: 'expected text that can stand in a path', path: ['toyId'] }] })
      expect(sent).toEqual([])
    },
  )

  test.each([undefined, null, 'text', 7, [], {}])('is missing from %o', async (input) => {
    const { sent, client } = createWatched()
    expect(await failureOf(client.call(toy, input))).toBeInstanceOf(InputValidationError)
    expect(sent).toEqual([])
  })

  test('may be a number or a bigint, and is taken from nowhere else', async () => {
    const { sent, client } = createWatched()
    await client.call(toy, { petId: 7, toyId: 9007199254740993n, size: 'big' })
    expect(sent.map(({ url }) => url)).toEqual([`${below}/pets/7/toys/9007199254740993?size=big`])
    const inherited: unknown = Object.create({ petId: '7', toyId: '8' })
    expect(await failureOf(client.call(toy, inherited))).toBeInstanceOf(InputValidationError)
  })

  test('arrives as it was given, whatever it is', async () => {
    const { sent, client } = createWatched()
    const isPaired = (code: number) => code < 0xd800 || code > 0xdfff
    const unit = fc
      .integer({ min: 0, max: 0x10ffff })
      .filter(isPaired)
      .map((code) => String.fromCodePoint(code))
    const mixed = fc.oneof(unit, fc.constantFrom('.', '/', '\\', '%', '2', 'e', '?', '#'))
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: mixed, minLength: 1 }), async (petId) => {
        fc.pre(petId !== '.' && petId !== '..')
        sent.length = 0
        await client.call(operations.getPet, { petId })
        const segments = new URL(sent[0]?.url ?? '').pathname.split('/')
        expect(segments.slice(0, -1)).toEqual(['', 'v1', 'pets'])
        expect(decodeURIComponent(segments.at(-1) ?? '')).toBe(petId)
      }),
    )
  })
})

describe('the query of a GET', () => {
  test.each([
    [{}, ''],
    [undefined, ''],
    [{ limit: 10 }, '?limit=10'],
    [{ a: 'b', c: true, d: 0, e: '', f: 9007199254740993n }, '?a=b&c=true&d=0&e=&f=9007199254740993'],
    [{ a: undefined, b: null, c: 1 }, '?c=1'],
    [{ q: 'a&b=c#d?e/f+g h' }, '?q=a%26b%3Dc%23d%3Fe%2Ff%2Bg+h'],
    [{ 'a&b': '=' }, '?a%26b=%3D'],
    [{ q: '猫\r\nX-Evil: 1' }, '?q=%E7%8C%AB%0D%0AX-Evil%3A+1'],
  ])('of %o is "%s"', async (input, query) => {
    const { sent, client } = createWatched()
    await client.call(search, input)
    expect(sent).toMatchObject([{ method: 'GET', url: `${below}/search${query}`, body: '' }])
  })

  test('is that of a DELETE too', async () => {
    const { sent, client } = createWatched()
    const remove = defineOperation({
      name: 'removePet',
      method: 'DELETE',
      path: '/pets/{petId}',
      input: z.object({ petId: z.string(), reason: z.string() }),
      output: anything,
    })
    await client.call(remove, { petId: '7', reason: 'sold' })
    expect(sent).toMatchObject([{ method: 'DELETE', url: `${below}/pets/7?reason=sold`, body: '' }])
    expect(sent[0]?.headers).not.toHaveProperty('content-type')
  })
})

describe('the body', () => {
  const post = defineOperation<unknown, unknown>({
    name: 'post',
    method: 'POST',
    path: '/things',
    input: anything,
    output: anything,
  })

  test.each(['POST', 'PUT', 'PATCH'] as const)(
    'of a %s is the input, without what stands in the path',
    async (method) => {
      const { sent, client } = createWatched()
      const change = defineOperation({
        name: 'changePet',
        method,
        path: '/pets/{petId}',
        input: z.object({ petId: z.string(), name: z.string() }),
        output: anything,
      })
      await client.call(change, { petId: '7', name: 'Rex' })
      expect(sent).toMatchObject([{ method, url: `${below}/pets/7`, body: '{"name":"Rex"}' }])
      expect(sent[0]?.headers).toEqual({
        accept: 'application/json',
        authorization: 'Bearer demo',
        'content-type': 'application/json',
      })
    },
  )

  test.each([
    [{ a: 1 }, '{"a":1}'],
    [[1, 2], '[1,2]'],
    ['text', '"text"'],
    [null, 'null'],
    [0, '0'],
  ])('may be %j', async (input, body) => {
    const { sent, client } = createWatched()
    await client.call(post, input)
    expect(sent).toMatchObject([{ body, headers: { 'content-type': 'application/json' } }])
  })

  test('is none where there is no input', async () => {
    const { sent, client } = createWatched()
    await client.call(post)
    expect(sent).toMatchObject([{ method: 'POST', body: '' }])
    expect(sent[0]?.headers).toEqual({ accept: 'application/json', authorization: 'Bearer demo' })
  })

  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  test.each([
    ['a bigint', { id: 7n }],
    ['a circle', circle],
  ])('cannot hold %s: that is refused, and nothing is sent', async (_, input) => {
    const { sent, client } = createWatched()
    const error = await failureOf(client.call(post, input))
    expect(error).toBeInstanceOf(InputValidationError)
    expect(error).toMatchObject({ attempts: 0, issues: [{ message: 'expected a value that JSON can hold' }] })
    expect(sent).toEqual([])
  })

  test('of a new category never holds an id, nor anything else that is not sent', async () => {
    const { sent, client } = createWatched()
    const withMore = { id: '7', name: 'Dog', description: 'Barks', extra: true }
    await client.createCategory(withMore)
    await client.createCategory({ name: 'Dog', description: undefined })
    expect(sent.map(({ body }) => body)).toEqual(['{"name":"Dog","description":"Barks"}', '{"name":"Dog"}'])
  })

  test('of a message holds its text alone, as it is', async () => {
    const { sent, client } = createWatched()
    const message = 'Line 1\r\nX-Evil: 1\u2028"quoted" 猫'
    await failureOf(client.sendMessage(Object.assign({ message }, { status: 'sent' })))
    expect(sent).toMatchObject([{ method: 'POST', url: 'https://quickstart.test/messages' }])
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ message })
    expect(sent[0]?.headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer demo',
      'content-type': 'application/json',
    })
  })
})

describe('the input', () => {
  test('is checked before anything else happens', async () => {
    let asked = 0
    const { sent, fetch } = watchRequests(async () => json(dog, 201))
    const client = createQuickClient(fetch, { apiKey: () => `key-${++asked}` })
    const error = await failureOf(client.createCategory(JSON.parse('{"name": 7}')))
    expect(error).toBeInstanceOf(InputValidationError)
    expect(error).toMatchObject({ attempts: 0, issues: [{ message: 'expected a string', path: ['name'] }] })
    expect(await failureOf(client.sendMessage(JSON.parse('null')))).toBeInstanceOf(InputValidationError)
    expect(sent).toEqual([])
    expect(asked).toBe(0)
  })

  test('may be checked by a schema that takes its time, and is sent as the schema gives it', async () => {
    const input = z.object({
      born: z.pipe(
        z.date(),
        z.transform(async (date) => date.toISOString().slice(0, 10)),
      ),
    })
    const { sent, client } = createWatched()
    const create = defineOperation({ name: 'createPet', method: 'POST', path: '/pets', input, output: anything })
    await client.call(create, { born: new Date(0) })
    expect(sent.map(({ body }) => body)).toEqual(['{"born":"1970-01-01"}'])
  })

  test('of an operation that takes none goes nowhere', async () => {
    const { sent, client } = createWatched()
    await client.call(operations.listOrders, JSON.parse('{"limit": 1}'))
    expect(sent).toMatchObject([{ url: `${below}/store/orders`, body: '' }])
  })
})

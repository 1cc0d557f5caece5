import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, InputValidationError, operations } from '../../src/client.ts'
import { createQuickClient, failureOf, json, watchRequests } from './client.setup.ts'

const dog = { id: 7, name: 'Dog' }

/** A client whose requests all succeed, and the requests that it sends. */
function createRecordedClient() {
  const { sent, fetch } = watchRequests(async ({ method }) => (method === 'POST' ? json(dog, 201) : json({})))
  return { sent, client: createQuickClient(fetch, { plan: { limit: 1_000, per: 1_000 } }) } // a pace no test reaches
}

const anything = z.unknown()
const search = defineOperation<unknown, unknown>({ name: 'search', path: '/search', input: anything, output: anything })
const base = 'https://petstore.test/v1'

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
  ])('%j is encoded as one segment', async (petId, path) => {
    const { sent, client } = createRecordedClient()
    await client.call(operations.getPet, { petId })
    expect(sent.map(({ url }) => url)).toEqual([base + path])
  })

  test.each(['', '.', '..', '\ud800', 'a\udc00b'])(
    '%j is rejected, since a path cannot hold it, and nothing is sent',
    async (petId) => {
      const { sent, client } = createRecordedClient()
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
    '%o is rejected, and nothing is sent',
    async (toyId) => {
      const { sent, client } = createRecordedClient()
      const error = await failureOf(client.call(toy, { petId: 7, toyId }))
      expect(error).toBeInstanceOf(InputValidationError)
      expect(error).toMatchObject({
        issues: [{ message: 'expected text or a number that a URL can hold', path: ['toyId'] }],
      })
      expect(sent).toEqual([])
    },
  )

  test.each([undefined, null, 'text', 7, [], {}])('is missing from %o: the call is rejected', async (input) => {
    const { sent, client } = createRecordedClient()
    expect(await failureOf(client.call(toy, input))).toBeInstanceOf(InputValidationError)
    expect(sent).toEqual([])
  })

  test('can be a number or a bigint, and has to be an own property', async () => {
    const { sent, client } = createRecordedClient()
    await client.call(toy, { petId: 7, toyId: 9007199254740993n, size: 'big' })
    expect(sent.map(({ url }) => url)).toEqual([`${base}/pets/7/toys/9007199254740993?size=big`])
    const inherited: unknown = Object.create({ petId: '7', toyId: '8' })
    expect(await failureOf(client.call(toy, inherited))).toBeInstanceOf(InputValidationError)
  })

  test('is decoded to the same text, for any text', async () => {
    const { sent, client } = createRecordedClient()
    const isNoSurrogate = (code: number) => code < 0xd800 || code > 0xdfff
    const unit = fc
      .integer({ min: 0, max: 0x10ffff })
      .filter(isNoSurrogate)
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

describe('the query', () => {
  test.each([
    [{}, ''],
    [undefined, ''],
    [{ limit: 10 }, '?limit=10'],
    [{ a: 'b', c: true, d: 0, e: '', f: 9007199254740993n }, '?a=b&c=true&d=0&e=&f=9007199254740993'],
    [{ a: undefined, b: null, c: 1 }, '?c=1'],
    [{ q: 'a&b=c#d?e/f+g h' }, '?q=a%26b%3Dc%23d%3Fe%2Ff%2Bg+h'],
    [{ 'a&b': '=' }, '?a%26b=%3D'],
    [{ q: '猫\r\nX-Evil: 1' }, '?q=%E7%8C%AB%0D%0AX-Evil%3A+1'],
  ])('of a GET with the input %o is "%s"', async (input, query) => {
    const { sent, client } = createRecordedClient()
    await client.call(search, input)
    expect(sent).toMatchObject([{ method: 'GET', url: `${base}/search${query}`, body: '' }])
  })

  test.each(['cats', 7, ['a']])('of a GET cannot be %o, which is refused before anything is sent', async (input) => {
    const { sent, client } = createRecordedClient()
    expect(await failureOf(client.call(search, input))).toMatchObject({ kind: 'input-validation', attempts: 0 })
    expect(sent).toEqual([])
  })

  test.each(['\ud83d', { a: 1 }, ['a'], Number.NaN])(
    'with the value %o is refused before anything is sent, as in a path',
    async (q) => {
      const { sent, client } = createRecordedClient()
      const error = await failureOf(client.call(search, { q }))
      expect(error).toMatchObject({ kind: 'input-validation', issues: [{ path: ['q'] }], attempts: 0 })
      expect(sent).toEqual([])
    },
  )

  test('of a DELETE holds the input without the fields of the path', async () => {
    const { sent, client } = createRecordedClient()
    const remove = defineOperation({
      name: 'removePet',
      method: 'DELETE',
      path: '/pets/{petId}',
      input: z.object({ petId: z.string(), reason: z.string() }),
      output: anything,
    })
    await client.call(remove, { petId: '7', reason: 'sold' })
    expect(sent).toMatchObject([{ method: 'DELETE', url: `${base}/pets/7?reason=sold`, body: '' }])
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
    'of a %s is the input without the fields of the path',
    async (method) => {
      const { sent, client } = createRecordedClient()
      const change = defineOperation({
        name: 'changePet',
        method,
        path: '/pets/{petId}',
        input: z.object({ petId: z.string(), name: z.string() }),
        output: anything,
      })
      await client.call(change, { petId: '7', name: 'Rex' })
      expect(sent).toMatchObject([{ method, url: `${base}/pets/7`, body: '{"name":"Rex"}' }])
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
    [{}, '{}'],
    [Object.create(null), '{}'],
    [Object.assign(Object.create({ inherited: 1 }), { own: 1 }), '{"own":1}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('can be %j', async (input, body) => {
    const { sent, client } = createRecordedClient()
    await client.call(post, input)
    expect(sent).toMatchObject([{ body, headers: { 'content-type': 'application/json' } }])
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  test.each([
    ['a bigint', { id: 7n }],
    ['a cycle', cyclic],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['an object whose toJSON returns nothing', { toJSON() {} }],
    ['a form', new FormData()],
    ['a map', new Map([['name', 'Dog']])],
    ['a blob', new Blob(['Dog'])],
  ])('cannot hold %s: the call is rejected, and nothing is sent', async (_, input) => {
    const { sent, client } = createRecordedClient()
    const error = await failureOf(client.call(post, input))
    expect(error).toBeInstanceOf(InputValidationError)
    expect(error).toMatchObject({ attempts: 0, issues: [{ message: 'expected a value that JSON can hold' }] })
    expect(sent).toEqual([])
  })
})

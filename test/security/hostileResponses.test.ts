import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createPetstoreClient, defineOperation, type PetstoreClientOptions } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createQuickClient, failureOf, json } from '../client/client.setup.ts'
import { serve } from '../server/handler.setup.ts'

/** A client of a real server. */
async function createClientFor(listener: RequestListener, options: Partial<PetstoreClientOptions> = {}) {
  const baseUrl = `${await serve(listener)}/v1`
  return createPetstoreClient({ baseUrl, apiKey: 'canary', rateLimitStore: createMemoryStore(), ...options })
}

const tooLarge = { kind: 'response-validation', problem: 'too-large', outcome: 'not-applied', attempts: 1 }
const jsonString = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
const anything = defineOperation({ name: 'anything', path: '/anything', output: z.unknown() })

/** An endless body of equal chunks. `body` counts how many the client has read. */
function createEndlessBody(chunk: Uint8Array) {
  const body = { chunks: 0, isCancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        body.chunks += 1
        // After 500 chunks it ends, so that a test fails, not hangs, if the client reads everything.
        if (body.chunks > 500) controller.close()
        else controller.enqueue(chunk)
      },
      cancel: () => {
        body.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, stream }
}

describe('the maximum size of a response', () => {
  test('is maxResponseSize, in bytes', async () => {
    const client = (body: string) => createQuickClient(async () => json(body), { maxResponseSize: 10 })
    expect(await client(jsonString(10)).call(anything)).toBe('x'.repeat(8))
    expect(await failureOf(client(jsonString(11)).call(anything))).toMatchObject(tooLarge)
    expect(await client('"éééé"').call(anything)).toBe('éééé')
    expect(await failureOf(client('"ééééé"').call(anything))).toMatchObject(tooLarge)
  })

  test('is 100 MB by default, and the client stops reading there', async () => {
    const { body, stream } = createEndlessBody(new Uint8Array(1_000_000))
    expect(await failureOf(createQuickClient(async () => new Response(stream)).listCategories())).toMatchObject(
      tooLarge,
    )
    expect(body).toEqual({ chunks: 101, isCancelled: true }) // a megabyte each
  })

  test('can be Infinity', async () => {
    let left = 120
    const stream = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(1_000_000)) : controller.close()),
    })
    const client = createQuickClient(async () => new Response(stream), { maxResponseSize: Number.POSITIVE_INFINITY })
    expect(await failureOf(client.listCategories())).toMatchObject({ problem: 'not-json' })
  })

  test('applies to Content-Length before the body is read', async () => {
    const { body, stream } = createEndlessBody(new Uint8Array(10))
    const fetch = async () => new Response(stream, { headers: { 'Content-Length': '100000001' } })
    expect(await failureOf(createQuickClient(fetch).listCategories())).toMatchObject(tooLarge)
    expect(body).toEqual({ chunks: 0, isCancelled: true })
  })

  test('applies to the body when Content-Length is too low', async () => {
    const { body, stream } = createEndlessBody(new Uint8Array(1_000))
    const fetch = async () => new Response(stream, { headers: { 'Content-Length': '2' } })
    const client = createQuickClient(fetch, { maxResponseSize: 10_000 })
    expect(await failureOf(client.listCategories())).toMatchObject(tooLarge)
    expect(body).toEqual({ chunks: 11, isCancelled: true })
  })

  test.each(['', 'lots', '-1', '2, 3', 'NaN'])('ignores a Content-Length of %j', async (length) => {
    const fetch = async () => new Response('[]', { headers: { 'Content-Length': length } })
    expect(await createQuickClient(fetch).listCategories()).toEqual([])
  })

  test('applies to a stream that fails to cancel', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
      cancel: () => Promise.reject(new Error('no')),
    })
    const client = createQuickClient(async () => new Response(stream), { maxResponseSize: 10_000 })
    expect(await failureOf(client.listCategories())).toMatchObject(tooLarge)
  })

  test('closes the connection of an endless body, and does not retry', async () => {
    let requests = 0
    let closed: Promise<unknown> | undefined
    const client = await createClientFor(
      (_, response) => {
        requests += 1
        closed = once(response, 'close')
        const write = () => {
          while (response.write('x'.repeat(10_000)));
        }
        response.on('drain', write)
        write()
      },
      { maxResponseSize: 100_000 },
    )
    expect(await failureOf(client.listCategories())).toMatchObject(tooLarge)
    await closed
    expect(requests).toBe(1)
  })

  test('applies to the decompressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, ' '))
    expect(bomb.length).toBeLessThan(20_000)
    const client = await createClientFor(
      (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }).end(bomb),
      { maxResponseSize: 1_000_000 },
    )
    expect(await failureOf(client.listCategories())).toMatchObject(tooLarge)
  })

  test('applies to error bodies, so that the error has no body', async () => {
    const body = JSON.stringify({ code: 'c', message: 'm'.repeat(100), status: 500 })
    const client = (status: number) => createQuickClient(async () => json(body, status), { maxResponseSize: 100 })
    expect(await failureOf(client(500).listCategories())).toMatchObject({ kind: 'server', body: undefined })
    expect(await failureOf(client(400).listCategories())).toMatchObject({ kind: 'bad-request', body: undefined })
  })
})

describe('a body', () => {
  test('may arrive in chunks of any size, with a byte order mark and invalid bytes', async () => {
    const bytes = new TextEncoder().encode('\uFEFF"é🐕"')
    for (const size of [1, 2, 3, 5]) {
      let offset = 0
      const stream = new ReadableStream({
        pull: (controller) => {
          controller.enqueue(bytes.slice(offset, (offset += size)))
          if (offset >= bytes.length) controller.close()
        },
      })
      expect(await createQuickClient(async () => new Response(stream)).call(anything)).toBe('é🐕')
    }
    const broken = () => new Response(new Uint8Array([0x22, 0xff, 0x22]))
    expect(await createQuickClient(async () => broken()).call(anything)).toBe('\uFFFD')
  })

  test('may come from a fetch without streams', async () => {
    const fetch = async () => Object.defineProperty(json([{ id: 1, name: 'Dog' }]), 'body', { value: undefined })
    expect(await createQuickClient(fetch).listCategories()).toEqual([{ id: '1', name: 'Dog' }])
  })
})

describe('JSON with 100,000 levels', () => {
  const levels = 100_000
  const deep = '['.repeat(levels) + ']'.repeat(levels)
  const deepObject = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

  test.each([
    ['of arrays', deep],
    ['of objects', deepObject],
    ['in the id', `[{"id":${deep},"name":"Dog"}]`],
    ['in the name', `[{"id":1,"name":${deepObject}}]`],
  ])('%s is not a list of categories', async (_, body) => {
    const error = await failureOf(createQuickClient(async () => json(body)).listCategories())
    expect(error).toMatchObject({ kind: 'response-validation', problem: 'wrong-shape' })
    expect(JSON.stringify(error).length).toBeLessThan(1_000)
  })

  test('in an unknown field is ignored', async () => {
    const client = createQuickClient(async () => json(`[{"id":1,"more":${deep},"name":"Dog"}]`))
    expect(await client.listCategories()).toEqual([{ id: '1', name: 'Dog' }])
  })

  test('in an Error body leaves the error without a body', async () => {
    const client = createQuickClient(async () => json(`{"code":"c","message":${deep},"status":400}`, 400))
    expect(await failureOf(client.listCategories())).toMatchObject({ kind: 'bad-request', body: undefined })
  })

  test('that overflows the schema of an app is refused', async () => {
    interface Tree extends ReadonlyArray<Tree> {}
    const tree: z.ZodMiniType<Tree> = z.lazy(() => z.array(tree))
    const client = createQuickClient(async () => json(deep))
    const error = await failureOf(client.call(defineOperation({ name: 'tree', path: '/tree', output: tree })))
    expect(error).toMatchObject({
      kind: 'response-validation',
      problem: 'wrong-shape',
      issues: [{ message: 'the schema failed on it', path: [] }],
    })
  })
})

describe('field names with a meaning in JavaScript', () => {
  const evil = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1'

  test('do not pollute results', async () => {
    const message = '{"id":"m","message":"Hi","status":"queued","createdAt":"2026-01-01T00:00:00Z"'
    const bodies: Readonly<Record<string, string>> = {
      'GET /v1/categories': `[{"id":1,"name":"Dog",${evil}}]`,
      'POST /v1/categories': `{"id":1,"name":"Dog",${evil}}`,
      'POST /messages': `${message},${evil}}`,
      'GET /v1/anything': `{${evil}}`,
    }
    const client = createQuickClient(
      async ({ method, url }) => {
        const body = bodies[`${method} ${new URL(url).pathname}`] ?? ''
        return json(body, method === 'POST' ? 201 : 200)
      },
      { retry: { attempts: 1, maxWait: 5_000 } },
    )
    const results = [
      ...(await client.listCategories()),
      await client.createCategory({ name: 'Dog' }),
      await client.sendMessage({ message: 'Hi' }),
    ]
    for (const result of results) {
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
      expect(Object.keys(result).every((name) => /^(id|name|message|status|createdAt)$/.test(name))).toBe(true)
    }
    expect(Object.getPrototypeOf(await client.call(anything))).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'are accepted as error codes: %s',
    async (code) => {
      const client = createQuickClient(async () => json({ code, message: code, status: 400 }, 400))
      expect(await failureOf(client.listCategories())).toMatchObject({ body: { code, message: code, status: 400 } })
    },
  )

  test('do not pollute requests', async () => {
    const sent: string[] = []
    const client = createQuickClient(async (request) => {
      sent.push(await request.text())
      return json({ id: 1, name: 'Dog' }, 201)
    })
    await client.createCategory(JSON.parse(`{"name":"Dog",${evil}}`))
    expect(sent).toEqual(['{"name":"Dog"}'])
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('headers', () => {
  test('that exceed the limit of Node are a network error', async () => {
    const client = await createClientFor(
      (_, response) => {
        for (let index = 0; index < 500; index += 1) response.setHeader(`X-Flood-${index}`, 'x'.repeat(1_000))
        response.end('[]')
      },
      { retry: { attempts: 1 } },
    )
    expect(await failureOf(client.listCategories())).toMatchObject({ kind: 'network' })
  })

  test.each(['1,', '0,', '-1,', '99999999999999999999,', 'x,', ',', 'Thu, 01 Jan 1970 00:00:00 GMT,', '1 '])(
    'that repeat %j up to 3,000 characters give finite numbers',
    async (value) => {
      const flood = value.repeat(Math.floor(3_000 / value.length)) // four of them stay below the limit of Node
      const names = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
      const client = await createClientFor((_, response) => {
        for (const name of names) response.setHeader(name, flood)
        response.end('[]')
      })
      expect(await client.listCategories()).toEqual([])
      const { limit = 1, remaining = 0, resetAt = 0 } = client.rateLimit.getSnapshot()
      for (const number of [limit, remaining, resetAt]) expect(Number.isFinite(number) && number >= 0).toBe(true)
    },
  )
})

test.each([
  ['markup', '<img src=x onerror=alert(1)><script>alert(1)</script>'],
  ['bidirectional control characters', '\u202Egod\u202C\u2066\u2069\u200F'],
  ['invisible characters', 'D\u0000o\u0007g\u200B\u00AD\uFEFF'],
  ['line breaks', 'Dog\r\nX-Evil: 1\u2028\u2029'],
  ['an unpaired surrogate', 'Dog\uD83D'],
  ['a million characters', 'x'.repeat(1_000_000)],
])('a name with %s stays unchanged', async (_, name) => {
  const sent: string[] = []
  const client = createQuickClient(async (request) => {
    sent.push(await request.text())
    return json({ id: 1, name }, 201)
  })
  expect(await client.createCategory({ name })).toEqual({ id: '1', name })
  expect(sent.map((body) => JSON.parse(body))).toEqual([{ name }])
})

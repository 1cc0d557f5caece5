import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineOperation, operations } from '../../src/client.ts'
import type { PetstoreHandlerOptions } from '../../src/server.ts'
import type { PetstoreServiceOptions } from '../../src/testing.ts'
import * as z from 'zod/mini'
import { type Fetch, json, watch } from '../client/client.setup.ts'
import { getList, postDog, setupInVirtualTime, visit } from './handler.setup.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

interface SetupOptions {
  readonly service?: PetstoreServiceOptions
  readonly handler?: Partial<PetstoreHandlerOptions>
  readonly fetch?: Fetch
}

/** A handler and its service in virtual time, which passes in `run` alone. The cookie names the user. */
function setup({ service: serviceOptions = {}, handler: options = {}, fetch: respond }: SetupOptions = {}) {
  const { clock, service, sent, handler, run } = setupInVirtualTime({
    service: { categories: [], ...serviceOptions },
    handler: { cache: { listCategories: { maxAge: 2_000 } }, ...options },
    fetch: respond,
  })
  /** Sends a request, which gets its response within `ms` of virtual time. */
  async function ask(request: Request, ms = 0): Promise<Response> {
    const response = watch(handler(request))
    await run(ms)
    if (response.now.state !== 'fulfilled') throw new Error('There is no response yet.')
    return response.now.value
  }
  const get = (user = 'ann', ms = 0) => ask(getList({ Cookie: user }), ms)
  const post = (user = 'ann', ms = 0) => ask(postDog({ Cookie: user }), ms)
  return { clock, service, handler, sent, run, ask, get, post }
}

describe('kept responses', () => {
  test('are none by default', async () => {
    const { get, sent } = setup({ handler: { cache: {} } })
    await get()
    const response = await get()
    expect(sent).toHaveLength(2)
    expect(response.headers.get('ETag')).toBeNull()
    expect(response.headers.get('Age')).toBeNull()
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  test('are served for maxAge, with their age and without asking the service', async () => {
    const { get, run, sent } = setup({ service: { categories: [{ id: '9007199254740993', name: 'Dog' }] } })
    const first = await get()
    expect(first.headers.get('Age')).toBeNull()
    await run(1_999)
    const second = await get()
    expect(await second.text()).toBe(await first.text())
    expect(second.headers.get('Age')).toBe('1')
    expect(second.headers.get('Server-Timing')).toBe('cache')
    expect(second.headers.get('X-RateLimit-Limit')).toBe('60')
    expect(sent).toHaveLength(1)
    await run(1)
    expect((await get()).headers.get('Age')).toBeNull()
    expect(sent).toHaveLength(2)
  })

  test('are reloaded once in the background while they are stale, for as long as the app says', async () => {
    const { get, run, sent } = setup({
      service: { latency: 100 },
      handler: { cache: { listCategories: { maxAge: 1_000, staleWhileRevalidate: 5_000 } } },
    })
    await get('ann', 100)
    await run(1_500)
    for (let times = 0; times < 5; times += 1) expect((await get()).headers.get('Age')).toBe('1')
    expect(sent).toHaveLength(2)
    await run(100)
    expect((await get()).headers.get('Age')).toBe('0')
    await run(6_001)
    expect((await get('ann', 100)).headers.get('Age')).toBeNull()
    expect(sent).toHaveLength(3)
  })

  test('stay when their reload fails, until they are too old', async () => {
    let isDown = false
    const { get, run, sent } = setup({
      fetch: async () => (isDown ? new Response(null, { status: 503 }) : json([])),
      handler: { cache: { listCategories: { maxAge: 1_000, staleWhileRevalidate: 1_000 } } },
    })
    await get()
    isDown = true
    await run(1_000)
    expect((await get()).status).toBe(200)
    expect((await get()).status).toBe(200)
    await run(1_000)
    expect((await get()).status).toBe(503)
    isDown = false
    await run(60_000)
    expect((await get()).status).toBe(200)
    expect(sent.length).toBeGreaterThanOrEqual(4)
  })

  test('are never failures', async () => {
    let status = 500
    const { get } = setup({ fetch: async () => json(status === 200 ? [] : {}, status) })
    expect((await get()).status).toBe(500)
    status = 200
    expect((await get()).status).toBe(200)
  })

  test('belong to a user, unless the app says that they are shared', async () => {
    const { get, sent } = setup()
    await get('ann')
    await get('bob')
    await get('ann')
    await get('bob')
    expect(sent).toHaveLength(2)
    const shared = setup({ handler: { cache: { listCategories: { maxAge: 2_000, shared: true } } } })
    await shared.get('ann')
    await shared.get('bob')
    expect(shared.sent).toHaveLength(1)
  })

  test('are not served to visitors whom the handler refuses', async () => {
    const { get, ask } = setup({ handler: { cache: { listCategories: { maxAge: 2_000, shared: true } } } })
    await get('ann')
    expect((await ask(getList())).status).toBe(401)
    expect((await ask(getList({ Cookie: 'ann', 'Sec-Fetch-Site': 'cross-site' }))).status).toBe(403)
  })

  test('are dropped by each POST of a visitor or of the handler’s client, and by no GET', async () => {
    const { get, post, run, sent, handler } = setup()
    await get('ann')
    await get('bob')
    await post('bob')
    expect(JSON.parse(await (await get('ann')).text())).toMatchObject([{ name: 'Dog' }])
    expect(sent).toHaveLength(4)
    void handler.client.createCategory({ name: 'Cat' })
    await run()
    expect(await (await get('ann')).text()).toContain('Cat')
    void handler.client.call(operations.sendMessage, { message: 'Hello' })
    await run()
    await get('ann')
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(5)
    void handler.client.listCategories()
    await run()
    await get('ann')
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(6) // the GET of the handler’s client
  })

  test('are dropped by a change whose response was lost: it may have happened', async () => {
    let isLost = false
    const { get, post, sent } = setup({ fetch: async () => (isLost ? Promise.reject(new TypeError()) : json([])) })
    await get()
    isLost = true
    expect((await post()).status).toBe(502)
    isLost = false
    await get()
    expect(sent).toHaveLength(3)
  })

  test('are dropped by a POST with the `fetch` of the handler’s client', async () => {
    const { get, handler, run, sent } = setup()
    await get()
    const url = sent[0]?.url ?? ''
    await Promise.all([handler.client.fetch(url, { method: 'POST', body: '{"name":"Fox"}' }), run(0)])
    await get()
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  })

  test('differ by the input that the operation takes, and by nothing else in the address', async () => {
    const search = defineOperation({
      name: 'search',
      path: '/pets/{petId}',
      input: z.object({ petId: z.string(), page: z.optional(z.int()) }),
      output: z.unknown(),
    })
    const { ask, sent } = setup({
      fetch: async ({ url }) => json({ url }),
      handler: { operations: [search], cache: { search: { maxAge: 2_000 }, listCategories: { maxAge: 2_000 } } },
    })
    const at = (path: string) => ask(visit('GET', `/api/petstore/v1${path}`, { Cookie: 'ann' }))
    for (const path of ['/pets/1', '/pets/1?junk=2', '/pets/%31', '/pets/1?junk=3&other=4']) await at(path)
    expect(sent).toHaveLength(1)
    for (const path of ['/pets/2', '/pets/1?page=1', '/pets/1?page=2', '/categories', '/categories?junk=1'])
      await at(path)
    expect(sent).toHaveLength(5)
    expect((await at('/pets/1?page=x')).status).toBe(400)
  })

  test('take at most `maxCacheSize` bytes: the least recently used are dropped', async () => {
    const { get, sent } = setup({
      fetch: async () => json(`"${'é'.repeat(4_000)}"`), // two of these fit
      handler: { maxCacheSize: 20_000 },
    })
    await get('ann')
    await get('bob')
    await get('ann')
    expect(sent).toHaveLength(2)
    await get('eve')
    await get('ann')
    expect(sent).toHaveLength(3)
    await get('bob')
    expect(sent).toHaveLength(4)
  })

  test('do not include one that alone takes more than `maxCacheSize`', async () => {
    // A response counts as 500 bytes more than its texts.
    const { get, sent } = setup({ fetch: async () => json([]), handler: { maxCacheSize: 500 } })
    await get()
    await get()
    expect(sent).toHaveLength(2)
  })

  test('are not served once the clock has been set back', async () => {
    const { get, sent, clock } = setup({ fetch: async () => json([]) })
    await get()
    const { now } = clock
    vi.spyOn(clock, 'now').mockImplementation(() => now() - 3_600_000)
    await get()
    expect(sent).toHaveLength(2)
  })
})

describe('ETag', () => {
  test('a visitor who has the response already gets a 304, with its headers', async () => {
    const { get, ask, run } = setup({ service: { categories: [{ name: 'Dög' }] } })
    const first = await get()
    const etag = first.headers.get('ETag') ?? ''
    expect(etag).toMatch(/^"[\w+/]+"$/)
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache')
    await run(1_000)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await ask(getList({ Cookie: 'ann', 'If-None-Match': known }))
      expect(response.status).toBe(304)
      expect(await response.text()).toBe('')
      expect(response.headers.get('ETag')).toBe(etag)
      expect(response.headers.get('Age')).toBe('1')
      expect(response.headers.get('X-RateLimit-Limit')).toBe('60')
    }
    for (const other of ['"other"', etag.slice(1, -1), '']) {
      expect((await ask(getList({ Cookie: 'ann', 'If-None-Match': other }))).status).toBe(200)
    }
  })

  test('is another one when the response has changed', async () => {
    const { get, post } = setup()
    const before = await get()
    await post()
    expect((await get()).headers.get('ETag')).not.toBe(before.headers.get('ETag'))
  })

  test('is missing where nothing can hash the response', async () => {
    const { get } = setup()
    vi.stubGlobal('crypto', undefined)
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBeNull()
  })
})

describe('identical GETs in flight', () => {
  const getAtOnce = (users: readonly string[], options: SetupOptions) => {
    const world = setup({ service: { latency: 100 }, ...options })
    const responses = users.map((user) => watch(world.handler(getList({ Cookie: user }))))
    return { ...world, responses }
  }
  const users = ['ann', 'bob', 'ann', 'bob', 'ann']

  test.each([
    ['of each user', {}, 2],
    ['of each user, where responses are kept', { listCategories: { maxAge: 0 } }, 2],
    ['of all users, where they share', { listCategories: { maxAge: 0, shared: true } }, 1],
  ])('%s are one request', async (_, cache, requests) => {
    const { responses, run, sent } = getAtOnce(users, { handler: { cache } })
    await run(1_000)
    expect(responses.map(({ now }) => now.state === 'fulfilled' && now.value.status)).toEqual(users.map(() => 200))
    expect(sent).toHaveLength(requests)
  })
})

test('200 visitors in five seconds on the Free plan all get the list, from three requests', async () => {
  const cache = { listCategories: { maxAge: 2_000, shared: true } }
  const { clock, handler, run, sent } = setup({ service: { plan: 'free' }, handler: { cache } })
  const responses: ReturnType<typeof watch<Response>>[] = []
  for (let index = 0; index < 200; index += 1) {
    clock.wakeAfter(index * 25, () => void responses.push(watch(handler(getList({ Cookie: `${index}` })))))
  }
  await run(15_000)
  expect(responses.map(({ now }) => now.state === 'fulfilled' && now.value.status)).toEqual(Array(200).fill(200))
  expect(sent).toHaveLength(3) // at 0, 2 and 4 s
})

import { describe, expect, test } from 'vitest'
import { AuthenticationError, createMemoryStore, createPetstoreClient, operations } from '../../src/client.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { respondWith, createQuickClient, setup, failureOf, json, watch, watchRequests } from './client.setup.ts'

/** Untyped code hands in anything. */
const untyped = (apiKey: unknown): object => ({ apiKey })

describe('the API key', () => {
  test('goes into the Authorization header, and nowhere else', async () => {
    const { sent, fetch } = watchRequests(async () => json([]))
    await createQuickClient(fetch, { apiKey: 'k3y!#$%&"~' }).listCategories()
    expect(sent).toEqual([
      {
        at: expect.any(Number),
        method: 'GET',
        url: 'https://petstore.test/v1/categories',
        headers: { accept: 'application/json', authorization: 'Bearer k3y!#$%&"~' },
        body: '',
      },
    ])
  })

  test.each([{}, { apiKey: undefined }])('may be left out: then there is no Authorization header', async (options) => {
    const { sent, fetch } = watchRequests(async () => json([]))
    const rateLimitStore = createMemoryStore()
    await createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      fetch,
      rateLimitStore,
      ...options,
    }).listCategories()
    expect(sent.map(({ headers }) => headers)).toEqual([{ accept: 'application/json' }])
  })

  test('goes to the two configured addresses only, whatever is asked for', async () => {
    const service = createPetstoreService()
    const { sent, fetch } = watchRequests(service.fetch)
    const client = createQuickClient(fetch, {
      baseUrl: 'https://one.test/v1',
      quickstartBaseUrl: 'https://two.test/quickstart',
      retry: { maxWait: 1_000 },
    })
    await Promise.allSettled([
      client.listCategories(),
      client.createCategory({ name: 'https://evil.test/' }),
      client.sendMessage({ message: '//evil.test' }),
      client.call(operations.listOrders),
      ...['//evil.test', '@evil.test', 'https://evil.test', '\\\\evil.test', '.evil.test', ':80', '#', '?'].map(
        (petId) => client.call(operations.getPet, { petId }),
      ),
    ])
    expect(sent).toHaveLength(12)
    for (const { url, headers } of sent) {
      expect(url).toMatch(
        /^https:\/\/(?:one\.test\/v1\/(?:categories$|store\/orders$|pets\/)|two\.test\/quickstart\/messages$)/,
      )
      expect(headers['authorization']).toBe('Bearer demo')
    }
  })

  test.each([
    ['nothing', ''],
    ['a space', ' '],
    ['white space around it', ' s3cret'],
    ['white space within it', 's3cret s3cret'],
    ['a line break', 's3cret\nX-Evil: 1'],
    ['a carriage return', 's3cret\r\nX-Evil: 1'],
    ['a line break at its end', 's3cret\n'],
    ['a tab', 's3cret\t'],
    ['a zero', 's3cret\0'],
    ['a letter that headers cannot carry', 's3crét'],
    ['the scheme', 'Bearer s3cret'],
    ['a number', 7],
    ['null', null],
    ['an object', { toString: () => 's3cret' }],
  ])('is refused, and not shown, if it is or holds %s', async (_, apiKey) => {
    const { sent, fetch } = watchRequests(async () => json([]))
    for (const given of [apiKey, () => apiKey, async () => apiKey]) {
      const error = await failureOf(createQuickClient(fetch, untyped(given)).listCategories())
      expect(error).toBeInstanceOf(AuthenticationError)
      expect(error).toMatchObject({ attempts: 0, outcome: 'not-applied', status: undefined, body: undefined })
      expect(String(error)).toBe(
        'AuthenticationError: listCategories: The API key is empty, is not text, or holds white space or characters that a header cannot carry.',
      )
    }
    expect(sent).toEqual([])
  })

  test('is refused if the function gives none', async () => {
    const { sent, fetch } = watchRequests(async () => json([]))
    const error = await failureOf(
      createQuickClient(
        fetch,
        untyped(() => undefined),
      ).listCategories(),
    )
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(sent).toEqual([])
  })
})

describe('the apiKey function', () => {
  test.each([
    ['at once', () => 'from-function'],
    ['with a promise', async () => 'from-function'],
  ])('may respond %s', async (_, apiKey) => {
    const { sent, fetch } = watchRequests(async () => json([]))
    await createQuickClient(fetch, { apiKey }).listCategories()
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer from-function'])
  })

  test('is asked at each call, and not before the first', async () => {
    let asked = 0
    const { sent, fetch } = watchRequests(async () => json([]))
    const client = createQuickClient(fetch, { apiKey: () => `key-${++asked}` })
    expect(asked).toBe(0)
    await client.listCategories()
    await client.listCategories()
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer key-1', 'Bearer key-2'])
  })

  const cause = new Error('no session')
  test.each([
    [
      'throws',
      () => {
        throw cause
      },
    ],
    ['rejects', () => Promise.reject(cause)],
  ])('that %s fails the call, not the client', async (_, fail) => {
    const { sent, fetch } = watchRequests(async () => json([]))
    let isDown = true
    const client = createQuickClient(fetch, { apiKey: () => (isDown ? fail() : 'demo') })
    const error = await failureOf(client.listCategories())
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ attempts: 0, cause })
    expect(sent).toEqual([])
    isDown = false
    expect(await client.listCategories()).toEqual([])
  })

  test('is asked once for a refused key, and the call is made again with the new one', async () => {
    const keys = ['old', 'new']
    const asked: string[] = []
    const { client, service, run } = setup({
      service: { keys: ['new'] },
      client: {
        apiKey: async () => {
          const key = keys[asked.length] ?? 'too-often'
          asked.push(key)
          return key
        },
      },
    })
    const call = watch(client.createCategory({ name: 'Fox' }))
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled', value: { name: 'Fox' } })
    expect(service.requests.map(({ key, status }) => [key, status])).toEqual([
      ['old', 401],
      ['new', 201],
    ])
    expect(asked).toEqual(['old', 'new'])
  })

  test('is asked once only, even if the new key is refused too', async () => {
    let asked = 0
    const { client, sent, run } = setup({ client: { apiKey: () => `wrong-${++asked}` } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'authentication', status: 401, attempts: 2 } })
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer wrong-1', 'Bearer wrong-2'])
    expect(asked).toBe(2)
  })

  test('that gives the same key again is believed: nothing is sent again', async () => {
    const { client, sent, run } = setup({ client: { apiKey: () => 'wrong' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'authentication', status: 401, attempts: 1 } })
    expect(sent).toHaveLength(1)
  })

  test('is not asked again for a key that was given as text: there is no other', async () => {
    const { client, sent, run } = setup({ client: { apiKey: 'wrong' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'authentication', status: 401, attempts: 1 } })
    expect(sent).toHaveLength(1)
  })

  test('that fails when asked for a new key fails the call with its reason', async () => {
    let asked = 0
    const signedOut = new Error('signed out')
    const apiKey = () => {
      asked += 1
      if (asked > 1) throw signedOut
      return 'wrong'
    }
    const { client, sent, run } = setup({ client: { apiKey } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({
      state: 'rejected',
      error: { kind: 'authentication', attempts: 1, cause: signedOut },
    })
    expect(sent).toHaveLength(1)
  })

  test('is asked once for all calls whose key was refused, however many are under way', async () => {
    let current = 'old'
    let asked = 0
    const { client, service, run, clock } = setup({
      service: { keys: ['old', 'new'], latency: 100 },
      client: {
        apiKey: async () => {
          asked += 1
          const key = current
          // Longer than the responses are apart.
          await new Promise<void>((resolve) => void clock.wakeAfter(500, resolve))
          return key
        },
        // From some time on the service refuses the old key.
        fetch: (request) => {
          if (current === 'new' && request.headers.get('authorization') === 'Bearer old') {
            return Promise.resolve(json({ code: 'expired', message: 'Expired.', status: 401 }, 401))
          }
          return service.fetch(request)
        },
      },
    })
    const first = watch(client.listCategories())
    await run()
    expect(first.now).toMatchObject({ state: 'fulfilled' })
    asked = 0
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => watch(client.createCategory({ name })))
    await run(clock.now() + 100)
    expect(asked).toBe(5)
    current = 'new'
    await run()
    expect(calls.map(({ now }) => now.state)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'))
    expect(asked).toBe(5 + 1)
    expect(service.categories().filter(({ name }) => /^[a-e]$/.test(name))).toHaveLength(5)
  })

  test('is asked once also where the refusals come one by one, and it responses at once', async () => {
    let current = 'old'
    let asked = 0
    const apiKey = () => {
      asked += 1
      return current
    }
    const { client, run, clock, sent } = setup({ service: { keys: ['new'], latency: 100 }, client: { apiKey } })
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => watch(client.createCategory({ name })))
    await run(clock.now() + 50)
    current = 'new'
    await run()
    expect(calls.map(({ now }) => now.state)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'))
    expect(sent.filter(({ headers }) => headers['authorization'] === 'Bearer new')).toHaveLength(5)
    expect(asked).toBe(5 + 1)
  })

  test('is asked anew when the app comes back to a key that was refused before', async () => {
    const given: string[] = []
    let next: readonly string[] = ['ann', 'bob']
    const apiKey = () => {
      const [key = 'none', ...rest] = next
      next = rest
      given.push(key)
      return key
    }
    const { client, run, sent } = setup({ service: { keys: ['bob', 'ann-2'] }, client: { apiKey } })
    const first = watch(client.createCategory({ name: 'a' }))
    await run()
    next = ['ann', 'ann-2']
    const second = watch(client.createCategory({ name: 'b' }))
    await run()
    expect([first.now.state, second.now.state]).toEqual(['fulfilled', 'fulfilled'])
    expect(given).toEqual(['ann', 'bob', 'ann', 'ann-2'])
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer ann',
      'Bearer bob',
      'Bearer ann',
      'Bearer ann-2',
    ])
  })

  test('that gives a key whose limit is used up lets the call wait, or fail, for the limit', async () => {
    const { anotherClient, service, run, clock } = setup({ service: { keys: ['new'] } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    watch(anotherClient({ apiKey: 'new', retry: { maxWait: 0 } }).listCategories())
    await run()
    const refreshing = () => {
      const keys = ['old', 'new']
      return () => keys.shift() ?? ''
    }
    const hasty = watch(anotherClient({ apiKey: refreshing(), retry: { maxWait: 0 } }).listCategories())
    const patient = watch(anotherClient({ apiKey: refreshing() }).listCategories())
    await run(clock.now())
    expect(hasty.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', attempts: 1, body: undefined } })
    expect(patient.now).toEqual({ state: 'pending' })
    await run()
    expect(patient.now).toMatchObject({ state: 'fulfilled' })
  })

  test('is asked anew for each key that is refused later', async () => {
    const keys = ['a', 'b', 'b', 'c']
    let asked = 0
    const refusing = (refused: string) => async (request: Request) =>
      request.headers.get('authorization') === `Bearer ${refused}` ? new Response(null, { status: 401 }) : json([])
    const { client, sent, run } = setup({
      client: {
        apiKey: () => keys[asked++] ?? '',
        fetch: respondWith(refusing('a'), refusing('a'), refusing('b'), refusing('b')),
      },
    })
    const first = watch(client.listCategories())
    await run()
    const second = watch(client.listCategories())
    await run()
    expect([first.now.state, second.now.state]).toEqual(['fulfilled', 'fulfilled'])
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer a',
      'Bearer b',
      'Bearer b',
      'Bearer c',
    ])
  })
})

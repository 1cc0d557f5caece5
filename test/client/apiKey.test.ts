import { describe, expect, test } from 'vitest'
import { AuthenticationError, createPetstoreClient, operations } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService } from '../../src/testing.ts'
import {
  authorizations,
  createPrerenderError,
  createQuickClient,
  failureOf,
  json,
  setup,
  startOfTests,
  watch,
  watchRequests,
} from './client.setup.ts'

/** A key of any type, as untyped code can pass it. */
const untyped = (apiKey: unknown): object => ({ apiKey })

describe('the API key', () => {
  test('is sent in the Authorization header, and nowhere else', async () => {
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

  test.each([{}, { apiKey: undefined }])(
    'can be left out, and then no Authorization header is sent',
    async (options) => {
      const { sent, fetch } = watchRequests(async () => json([]))
      const rateLimitStore = createMemoryStore()
      await createPetstoreClient({
        baseUrl: 'https://petstore.test/v1',
        fetch,
        rateLimitStore,
        ...options,
      }).listCategories()
      expect(sent.map(({ headers }) => headers)).toEqual([{ accept: 'application/json' }])
    },
  )

  test('is sent to the two configured addresses only, whatever the input', async () => {
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
    ['leading white space', ' s3cret'],
    ['white space inside', 's3cret s3cret'],
    ['a line break', 's3cret\nX-Evil: 1'],
    ['a carriage return', 's3cret\r\nX-Evil: 1'],
    ['a trailing line break', 's3cret\n'],
    ['a tab', 's3cret\t'],
    ['a zero', 's3cret\0'],
    ['a letter that headers cannot carry', 's3crét'],
    ['the scheme', 'Bearer s3cret'],
    ['a number', 7],
    ['null', null],
    ['an object', { toString: () => 's3cret' }],
  ])('is rejected, and not shown, where it is or holds %s', async (_, apiKey) => {
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
})

describe('the apiKey function', () => {
  test.each([
    ['at once', () => 'from-function'],
    ['with a promise', async () => 'from-function'],
  ])('can return the key %s', async (_, apiKey) => {
    const { sent, fetch } = watchRequests(async () => json([]))
    await createQuickClient(fetch, { apiKey }).listCategories()
    expect(authorizations(sent)).toEqual(['Bearer from-function'])
  })

  test('can reject with an error of the framework, with which the call then rejects', async () => {
    const error = createPrerenderError()
    const { client, sent, events, run } = setup({ client: { apiKey: () => Promise.reject(error) } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toEqual({ state: 'rejected', error })
    expect([sent, events]).toEqual([[], []])
  })

  test('that never settles fails the call after `timeout`, and says so', async () => {
    const { client, run, clock, sent } = setup({ client: { apiKey: () => new Promise(() => {}), timeout: 5_000 } })
    const call = watch(client.listCategories())
    await run(startOfTests + 4_999)
    expect(call.now).toEqual({ state: 'pending' })
    await run()
    expect(call.now).toMatchObject({
      state: 'rejected',
      error: {
        kind: 'authentication',
        attempts: 0,
        status: undefined,
        message: 'listCategories: The apiKey function did not settle within 5000 ms.',
      },
    })
    expect(clock.now()).toBe(startOfTests + 5_000)
    expect(sent).toEqual([])
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
  ])('that %s fails the call, but not the client', async (_, fail) => {
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
})

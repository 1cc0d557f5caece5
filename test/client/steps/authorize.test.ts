import { describe, expect, test, vi } from 'vitest'
import { AuthenticationError, NetworkError, operations, RateLimitError, ServerError } from '../../../src/client.ts'
import type { ApiKeySource } from '../../../src/client/apiKey.ts'
import type { Attempt } from '../../../src/client/Call.ts'
import { authorize } from '../../../src/client/steps/authorize.ts'
import { authorizations, failureOf, json, respondWith, setup, statesOf, watch } from '../client.setup.ts'
import { createAttempt, createKeys, receivedBy, stubNext } from './step.setup.ts'

const context = { operation: operations.listCategories.name, attempts: 1, method: 'GET', replay: 'safe' } as const
const refusal = new AuthenticationError(context, { status: 401, body: undefined })
const serverError = new ServerError(context, { status: 503, body: undefined })
const networkError = new NetworkError(context, new TypeError('fetch failed'))
const rateLimitError = new RateLimitError(context, 60_000)

/** A source that returns `read` and `renewed`, and counts how often. */
function stubApiKeys({ read = 'read', renewed }: { read?: string; renewed?: string } = {}) {
  return {
    read: vi.fn<ApiKeySource['read']>(async () => read),
    renew: vi.fn<ApiKeySource['renew']>(async () => renewed),
  }
}

/** Runs the step with a \`next\` that always rejects. */
const failureAfter = (error: unknown, apiKeys: ApiKeySource, attempt: Partial<Attempt> = {}) =>
  failureOf(authorize(apiKeys)(createAttempt(attempt), () => Promise.reject(error)))

describe('the key of an attempt', () => {
  test('is the one that the call has read, for the first attempt', async () => {
    const apiKeys = stubApiKeys()
    const next = stubNext<Attempt>()
    const attempt = createAttempt({ key: 'first' })
    expect(await authorize(apiKeys)(attempt, next)).toBe('the result')
    expect(receivedBy(next)).toEqual([attempt])
    expect(apiKeys.read).not.toHaveBeenCalled()
  })

  test.each([
    ['a network failure', networkError],
    ['a server error', serverError],
    ['a 429', rateLimitError],
  ])('is read again before a retry after %s', async (_, previousError) => {
    const apiKeys = stubApiKeys()
    const next = stubNext<Attempt>()
    await authorize(apiKeys)(createAttempt({ key: 'first', attempts: 1, previousError }), next)
    expect(receivedBy(next)).toMatchObject([{ key: 'read', attempts: 1, previousError }])
    expect(apiKeys.read.mock.calls).toMatchObject([[context]])
  })

  test('rejects the attempt where it cannot be read, and calls no further step', async () => {
    const cause = new Error('signed out')
    const next = stubNext<Attempt>()
    const apiKeys = createKeys(() => Promise.reject(cause))
    const error = await failureOf(authorize(apiKeys)(createAttempt({ attempts: 1, previousError: serverError }), next))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ attempts: 1, cause })
    expect(next).not.toHaveBeenCalled()
  })
})

describe('a refused key', () => {
  /** Has the service refuse the key of an attempt, and makes the next attempt. */
  async function retryAfterRefusal(apiKeys: ApiKeySource, attempt: Partial<Attempt> = {}) {
    const step = authorize(apiKeys)
    const next = stubNext<Attempt>()
    next.mockRejectedValueOnce(refusal)
    const refused = createAttempt(attempt)
    expect(await failureOf(step(refused, next))).toBe(refusal)
    const result = step({ ...refused, attempts: 1, previousError: refusal }, next)
    return { result, next }
  }

  test('is renewed for the next attempt, and is not read again', async () => {
    const apiKeys = stubApiKeys({ renewed: 'renewed' })
    const { result, next } = await retryAfterRefusal(apiKeys, { key: 'first' })
    expect(await result).toBe('the result')
    expect(receivedBy(next)).toMatchObject([{ key: 'first' }, { key: 'renewed', attempts: 1 }])
    expect(apiKeys.renew.mock.calls).toEqual([['first', refusal]])
    expect(apiKeys.read).not.toHaveBeenCalled()
  })

  test('is the key of that attempt, not the one that the call has read', async () => {
    const apiKeys = stubApiKeys({ read: 'read', renewed: 'renewed' })
    const { result } = await retryAfterRefusal(apiKeys, { key: 'first', previousError: serverError })
    await result
    expect(apiKeys.renew.mock.calls).toEqual([['read', refusal]])
  })

  test.each([
    ['the key is text', createKeys('demo')],
    ['the function returns the same key', createKeys(() => 'demo')],
  ])('rejects the next attempt with the refusal where %s, and calls no further step', async (_, apiKeys) => {
    const { result, next } = await retryAfterRefusal(apiKeys)
    expect(await failureOf(result)).toBe(refusal)
    expect(next).toHaveBeenCalledOnce()
  })

  test('of a server is not renewed', async () => {
    const apiKeys = stubApiKeys({ renewed: 'renewed' })
    const { result, next } = await retryAfterRefusal(apiKeys, { key: undefined })
    expect(await failureOf(result)).toBe(refusal)
    expect(apiKeys.renew).not.toHaveBeenCalled()
    expect(next).toHaveBeenCalledOnce()
  })

  test('rejects the next attempt with the error of the app where it cannot be renewed', async () => {
    const cause = new Error('signed out')
    const { result } = await retryAfterRefusal(createKeys(() => Promise.reject(cause)))
    const error = await failureOf(result)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ cause, attempts: 1 })
  })
})

test.each([
  ['a 429', rateLimitError],
  ['a server error', serverError],
  ['an abort', new DOMException('Aborted', 'AbortError')],
  ['a mistake', new Error('mistake')],
])('%s passes unchanged, and renews nothing', async (_, error) => {
  const apiKeys = stubApiKeys({ renewed: 'renewed' })
  expect(await failureAfter(error, apiKeys)).toBe(error)
  expect(apiKeys.renew).not.toHaveBeenCalled()
})

describe('the apiKey function', () => {
  test('is called once for a refused key, and the call is sent again with the new key', async () => {
    const keys = ['old', 'new']
    const read: string[] = []
    const { client, service, run } = setup({
      service: { keys: ['new'] },
      client: {
        apiKey: async () => {
          const key = keys[read.length] ?? 'too-often'
          read.push(key)
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
    expect(read).toEqual(['old', 'new'])
  })

  test('is called once only, even if the service refuses the new key, too', async () => {
    const keys = ['wrong-1', 'wrong-2', 'wrong-3', 'wrong-4']
    const { client, sent, run } = setup({ client: { apiKey: () => keys.shift() ?? 'wrong-4' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'authentication', status: 401, attempts: 2 } })
    expect(authorizations(sent)).toEqual(['Bearer wrong-1', 'Bearer wrong-2'])
    expect(keys).toHaveLength(2)
  })

  test('that returns the refused key again causes no retry', async () => {
    const { client, sent, run } = setup({ client: { apiKey: () => 'wrong' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'authentication', status: 401, attempts: 1 } })
    expect(sent).toHaveLength(1)
  })

  test('is the only source of another key: a key given as text causes no retry', async () => {
    const { client, sent, run } = setup({ client: { apiKey: 'wrong' } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'authentication', status: 401, attempts: 1 } })
    expect(sent).toHaveLength(1)
  })

  test('that fails to return a new key fails the call with its error as the cause', async () => {
    let keysRead = 0
    const signedOut = new Error('signed out')
    const apiKey = () => {
      keysRead += 1
      if (keysRead > 1) throw signedOut
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

  test('is called once for all calls whose key was refused, however many are in flight', async () => {
    let current = 'old'
    let keysRead = 0
    const { client, service, run, clock } = setup({
      service: { keys: ['old', 'new'], latency: 100 },
      client: {
        apiKey: async () => {
          keysRead += 1
          const key = current
          // Longer than the time between two responses.
          await new Promise<void>((resolve) => void clock.wakeAfter(500, resolve))
          return key
        },
        // Once there is a new key, the service refuses the old one.
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
    keysRead = 0
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => watch(client.createCategory({ name })))
    await run(clock.now() + 100)
    expect(keysRead).toBe(5)
    current = 'new'
    await run()
    expect(statesOf(calls)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'))
    expect(keysRead).toBe(5 + 1)
    expect(service.categories().filter(({ name }) => /^[a-e]$/.test(name))).toHaveLength(5)
  })

  test('is called once for refusals that arrive one by one', async () => {
    let current = 'old'
    let keysRead = 0
    const apiKey = () => {
      keysRead += 1
      return current
    }
    const { client, run, clock, sent } = setup({ service: { keys: ['new'], latency: 100 }, client: { apiKey } })
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => watch(client.createCategory({ name })))
    await run(clock.now() + 50)
    current = 'new'
    await run()
    expect(statesOf(calls)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'))
    expect(sent.filter(({ headers }) => headers['authorization'] === 'Bearer new')).toHaveLength(5)
    expect(keysRead).toBe(5 + 1)
  })

  test('is called again when the app returns to a key that was refused before', async () => {
    const returned: string[] = []
    let next: readonly string[] = ['ann', 'bob']
    const apiKey = () => {
      const [key = 'none', ...rest] = next
      next = rest
      returned.push(key)
      return key
    }
    const { client, run, sent } = setup({ service: { keys: ['bob', 'ann-2'] }, client: { apiKey } })
    const first = watch(client.createCategory({ name: 'a' }))
    await run()
    next = ['ann', 'ann-2']
    const second = watch(client.createCategory({ name: 'b' }))
    await run()
    expect(statesOf([first, second])).toEqual(['fulfilled', 'fulfilled'])
    expect(returned).toEqual(['ann', 'bob', 'ann', 'ann-2'])
    expect(authorizations(sent)).toEqual(['Bearer ann', 'Bearer bob', 'Bearer ann', 'Bearer ann-2'])
  })

  test('that returns a key whose limit is used up makes the call wait, or fail, for that limit', async () => {
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

  test('is called again for each key that is refused later', async () => {
    const keys = ['a', 'b', 'b', 'c']
    let keysRead = 0
    const refusing = (refused: string) => async (request: Request) =>
      request.headers.get('authorization') === `Bearer ${refused}` ? new Response(null, { status: 401 }) : json([])
    const { client, sent, run } = setup({
      client: {
        apiKey: () => keys[keysRead++] ?? '',
        fetch: respondWith(refusing('a'), refusing('a'), refusing('b'), refusing('b')),
      },
    })
    const first = watch(client.listCategories())
    await run()
    const second = watch(client.listCategories())
    await run()
    expect(statesOf([first, second])).toEqual(['fulfilled', 'fulfilled'])
    expect(authorizations(sent)).toEqual(['Bearer a', 'Bearer b', 'Bearer b', 'Bearer c'])
  })

  test('is called again before a retry, so an expired key is not sent again', async () => {
    const keys = ['first', 'second']
    const { client, run, sent } = setup({
      service: { keys },
      client: {
        apiKey: () => keys.shift() ?? '',
        fetch: respondWith(
          () => json({}, 503),
          () => json([]),
        ),
      },
    })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(authorizations(sent)).toEqual(['Bearer first', 'Bearer second'])
  })
})

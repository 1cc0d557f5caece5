import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AuthenticationError, defineOperation, NetworkError, operations, RateLimitError } from '../../../src/client.ts'
import type { KeyedCall } from '../../../src/client/Call.ts'
import { retry } from '../../../src/client/steps/retry.ts'
import { MaxWaitExceeded } from '../../../src/rate-limit/pendingRequest.ts'
import { createVirtualClock } from '../../rate-limit/virtualClock.ts'
import {
  type Fetch,
  json,
  type MakeCall,
  networkFailure,
  noResponse,
  respondWith,
  type Setup,
  setup,
  startOfTests,
  watch,
} from '../client.setup.ts'
import { createKeyedCall, stubNext } from './step.setup.ts'

const list: MakeCall = (client) => client.listCategories()
const create: MakeCall = (client) => client.createCategory({ name: 'Dog' })
const send: MakeCall = (client) => client.sendMessage({ message: 'Hello' })

const respondWithStatus =
  (code: number, headers: Record<string, string> = {}) =>
  async () =>
    new Response(null, { status: code, headers })
const empty: Fetch = async () => json([])

/** Makes one call and runs until it has settled. */
async function settle({ client, run }: Pick<Setup, 'client' | 'run'>, makeCall: MakeCall = list) {
  const call = watch(makeCall(client))
  await run()
  return call.now
}

/** When the requests left, in ms after the first. */
const delays = (sent: readonly { readonly at: number }[]) => sent.map(({ at }) => at - (sent[0]?.at ?? 0))

describe('the step alone', () => {
  const post = operations.createCategory
  const context = { operation: 'listCategories', attempts: 1 }
  const statusDetails = (code: number) => ({ status: code, body: undefined })
  const body = { code: 'slow-down', message: 'Slow down.', status: 429 }
  const networkError = new NetworkError(context, new TypeError('fetch failed'))
  const rateLimitError = new RateLimitError(context, startOfTests + 30_000, body)
  const unauthorized = new AuthenticationError(context, statusDetails(401))
  const maxWaitExceeded = new MaxWaitExceeded(startOfTests + 90_000, 'rate-limit')

  /** The step with three attempts, in virtual time. `perform` runs a call through it until it has settled. */
  function setupStep() {
    const clock = createVirtualClock(startOfTests)
    const step = retry(3, clock, () => 1)
    const next = stubNext<KeyedCall>()
    const perform = async (call: Partial<KeyedCall> = {}) => {
      const result = watch(step(createKeyedCall(call), next))
      await clock.run()
      return result.now
    }
    return { clock, next, perform }
  }

  test('after a second 401 rejects with it, also where a 429 came between', async () => {
    const { next, perform } = setupStep()
    const second = new AuthenticationError({ ...context, attempts: 3 }, statusDetails(401))
    next.mockRejectedValueOnce(unauthorized).mockRejectedValueOnce(rateLimitError).mockRejectedValueOnce(second)
    expect(await perform({ operation: post })).toEqual({ state: 'rejected', error: second })
    expect(next).toHaveBeenCalledTimes(3)
  })

  test.each([
    ['the first attempt', [], { kind: 'rate-limit', retryAt: maxWaitExceeded.retryAt, attempts: 0, body: undefined }],
    ['a 429', [rateLimitError], { kind: 'rate-limit', retryAt: maxWaitExceeded.retryAt, attempts: 1, body }],
    [
      'a 401 and another key',
      [unauthorized],
      { kind: 'rate-limit', retryAt: maxWaitExceeded.retryAt, attempts: 1, body: undefined },
    ],
    ['a network failure', [networkError], { kind: 'network', attempts: 1 }],
  ])('rejects where the gate would hold the call past maxWait after %s', async (_, errors, expected) => {
    const { next, perform } = setupStep()
    for (const error of errors) next.mockRejectedValueOnce(error)
    next.mockRejectedValue(maxWaitExceeded)
    const { operation } = createKeyedCall()
    expect(await perform()).toMatchObject({ state: 'rejected', error: { operation: operation.name, ...expected } })
    expect(next).toHaveBeenCalledTimes(errors.length + 1)
  })

  test('rejects where the breaker would hold the call past maxWait: the outcome of earlier requests stays unknown', async () => {
    const { next, perform } = setupStep()
    const error = new AuthenticationError({ ...context, method: 'PUT', previousOutcome: 'unknown' }, statusDetails(401))
    next.mockRejectedValueOnce(error).mockRejectedValue(new MaxWaitExceeded(startOfTests + 90_000, 'connection'))
    expect(await perform({ operation: { ...post, method: 'PUT' } })).toMatchObject({
      error: { kind: 'network', attempts: 1, outcome: 'unknown' },
    })
  })

  test('rejects where the breaker would hold the call past maxWait, with 0 attempts if nothing was sent', async () => {
    const { next, perform } = setupStep()
    next.mockRejectedValue(new MaxWaitExceeded(startOfTests + 90_000, 'connection'))
    expect(await perform()).toMatchObject({ state: 'rejected', error: { kind: 'network', attempts: 0 } })
  })
})

const retryable: readonly (readonly [string, Fetch, string])[] = [
  ['a network failure', networkFailure, 'network'],
  ['no response in time', noResponse, 'timeout'],
  ['502', respondWithStatus(502), 'server'],
  ['503', respondWithStatus(503), 'server'],
  ['504', respondWithStatus(504), 'server'],
  ['a success whose body is cut short', async () => json('[{"id":1,'), 'response-validation'],
]

describe('after a failure that may pass', () => {
  test.each(retryable)('(%s) a GET is sent again, three times in all', async (_, fail) => {
    const { client, sent, run } = setup({ client: { fetch: respondWith(fail, fail, empty) } })
    expect(await settle({ client, run })).toEqual({ state: 'fulfilled', value: [] })
    expect(sent).toHaveLength(3)
  })

  test.each(retryable)(
    '(%s) three times, a GET rejects with the last error and the number of attempts',
    async (_, fail, kind) => {
      const { client, sent, run } = setup({ client: { fetch: respondWith(fail) } })
      expect(await settle({ client, run })).toMatchObject({ state: 'rejected', error: { kind, attempts: 3 } })
      expect(sent).toHaveLength(3)
    },
  )

  test.each(retryable.flatMap(([what, fail, kind]) => [create, send].map((call) => [what, fail, kind, call] as const)))(
    '(%s) a POST is never sent again, since it may have been applied',
    async (_, fail, kind, call) => {
      const { client, sent, run } = setup({ client: { fetch: respondWith(fail) } })
      const failure = await settle({ client, run }, call)
      expect(failure).toMatchObject({ state: 'rejected' })
      expect(failure.state === 'rejected' && failure.error).toMatchObject(
        // The documented success of the POST is 201, so its 200 is an unexpected status.
        kind === 'response-validation' && call === create
          ? { kind: 'unexpected-status', attempts: 1 }
          : { kind, attempts: 1 },
      )
      expect(sent).toHaveLength(1)
    },
  )

  test.each(retryable)('(%s) nothing is sent again where only one attempt is allowed', async (_, fail, kind) => {
    const { client, sent, run } = setup({ client: { fetch: respondWith(fail), retry: { attempts: 1 } } })
    expect(await settle({ client, run })).toMatchObject({ state: 'rejected', error: { kind, attempts: 1 } })
    expect(sent).toHaveLength(1)
  })
})

test('an operation of the app is sent again only if it is declared safe to replay', async () => {
  const operation = (method: 'GET' | 'POST', replay: 'safe' | 'only-if-refused') =>
    defineOperation({ name: 'own', method, path: '/own', replay, output: z.unknown() })
  for (const method of ['GET', 'POST'] as const) {
    const safe = setup({ client: { fetch: networkFailure } })
    await settle(safe, (client) => client.call(operation(method, 'safe')))
    expect(safe.sent).toHaveLength(3)
    const unsafe = setup({ client: { fetch: networkFailure } })
    await settle(unsafe, (client) => client.call(operation(method, 'only-if-refused')))
    expect(unsafe.sent).toHaveLength(1)
  }
})

test.each([
  [400, 'bad-request'],
  [401, 'authentication'],
  [404, 'unexpected-status'],
])('a %d after a lost request leaves open whether a change was applied', async (status, kind) => {
  const put = defineOperation({ name: 'own', method: 'PUT', path: '/own', replay: 'safe', output: z.unknown() })
  const service = setup({ client: { fetch: respondWith(networkFailure, respondWithStatus(status)) } })
  const result = await settle(service, (client) => client.call(put))
  expect(result).toMatchObject({ error: { kind, outcome: 'unknown' } })
})

test.each([400, 402, 403, 404, 405, 408, 409, 410, 418, 422, 425, 500, 501, 505, 511, 302, 204])(
  'after %d nothing is sent again',
  async (code) => {
    const { client, sent, run } = setup({ client: { fetch: respondWith(respondWithStatus(code)) } })
    expect(await settle({ client, run })).toMatchObject({ state: 'rejected', error: { attempts: 1 } })
    expect(sent).toHaveLength(1)
  },
)

test('after a response of the wrong shape nothing is sent again', async () => {
  const { client, run } = setup({ client: { fetch: respondWith(async () => json({})) } })
  expect(await settle({ client, run })).toMatchObject({
    state: 'rejected',
    error: { kind: 'response-validation', attempts: 1 },
  })
})

describe('the time between attempts', () => {
  const failing = (random: number, attempts: number) =>
    setup({
      random: () => random,
      client: { fetch: respondWith(respondWithStatus(503)), retry: { attempts, maxWait: Number.POSITIVE_INFINITY } },
    })

  test('grows exponentially, up to half a minute', async () => {
    const { client, sent, run } = failing(1, 8)
    await settle({ client, run })
    expect(delays(sent)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000])
  })

  test('has full jitter', async () => {
    const half = failing(0.5, 4)
    await settle(half)
    expect(delays(half.sent)).toEqual([0, 500, 1_500, 3_500])
    const none = failing(0, 4)
    await settle(none)
    expect(delays(none.sent)).toEqual([0, 0, 0, 0])
  })

  test.each([
    ['seconds', '20', 20_000],
    ['fractions of seconds', '1.5', 1_500],
    ['a date', new Date(startOfTests + 20_000).toUTCString(), 20_000],
    // `rateLimit` adds half a second: `margin`.
  ])('is the Retry-After of a 503 (%s) and half a second', async (_, header, retryAfter) => {
    const { client, sent, run } = setup({
      random: () => 0,
      client: {
        fetch: respondWith(
          respondWithStatus(503, { 'Retry-After': header, Date: new Date(startOfTests).toUTCString() }),
          empty,
        ),
      },
    })
    expect(await settle({ client, run })).toEqual({ state: 'fulfilled', value: [] })
    expect(delays(sent)).toEqual([0, retryAfter + 500])
  })

  test('does not begin where it would go past maxWait: the call rejects at once', async () => {
    const { client, clock, run } = setup({
      client: { fetch: respondWith(respondWithStatus(503, { 'Retry-After': '66' })) },
    })
    expect(await settle({ client, run })).toMatchObject({
      state: 'rejected',
      error: { kind: 'server', status: 503, attempts: 1 },
    })
    expect(clock.now()).toBe(startOfTests)
  })

  test('is followed by the wait at the gate: a 429 to another call holds this one, too', async () => {
    const { client, sent, run, after } = setup({
      random: () => 1,
      client: { fetch: respondWith(networkFailure, respondWithStatus(429, { 'Retry-After': '30' }), empty) },
    })
    const first = watch(list(client))
    const other = defineOperation({ name: 'other', path: '/other', output: z.unknown() })
    after(500, () => watch(client.call(other)))
    await run()
    expect(first.now).toEqual({ state: 'fulfilled', value: [] })
    const [, , third] = delays(sent)
    expect(third).toBeGreaterThanOrEqual(30_500) // 30 s after the other call
  })
})

describe('after 429', () => {
  test.each([
    ['a GET', list],
    ['a POST', create],
    ['the quickstart request', send],
  ])('%s is sent again when its Retry-After has passed', async (_, call) => {
    const { client, service, sent, run } = setup({ service: { categories: [] } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    expect(await settle({ client, run }, call)).toMatchObject({ state: 'fulfilled' })
    expect(service.requests.map(({ status: code }) => code)).toEqual([429, expect.any(Number)])
    const [, second] = delays(sent)
    expect(second).toBeGreaterThanOrEqual(30_000)
    expect(second).toBeLessThan(32_000)
  })

  test('a call is sent again until maxWait, whatever its number of attempts', async () => {
    const { client, service, sent, run } = setup({ client: { retry: { attempts: 1, maxWait: 600_000 } } })
    service.failNext({ status: 429, headers: { 'Retry-After': '10' } }, 4)
    expect(await settle({ client, run }, create)).toMatchObject({ state: 'fulfilled' })
    expect(sent).toHaveLength(5)
    const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(10_000)
  })
})

import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, type PetstoreClient } from '../../../src/client.ts'
import { respondWith, setup, json, opening, silence, watch } from '../client.setup.ts'

type Fetch = (request: Request) => Promise<Response>
type Call = (client: PetstoreClient) => Promise<unknown>

const list: Call = (client) => client.listCategories()
const create: Call = (client) => client.createCategory({ name: 'Dog' })
const send: Call = (client) => client.sendMessage({ message: 'Hello' })

const lost: Fetch = () => Promise.reject(new TypeError('fetch failed'))
const status =
  (code: number, headers: Record<string, string> = {}) =>
  async () =>
    new Response(null, { status: code, headers })
const empty: Fetch = async () => json([])

/** Makes one call to the end. */
async function callOn({ client, run }: Pick<ReturnType<typeof setup>, 'client' | 'run'>, call: Call = list) {
  const watched = watch(call(client))
  await run()
  return watched.now
}

/** When the requests left, in ms since the first. */
const delays = (sent: readonly { readonly at: number }[]) => sent.map(({ at }) => at - (sent[0]?.at ?? 0))

const passing: readonly (readonly [string, Fetch, string])[] = [
  ['a network failure', lost, 'network'],
  ['no response in time', silence, 'timeout'],
  ['502', status(502), 'server'],
  ['503', status(503), 'server'],
  ['504', status(504), 'server'],
  ['a success that is cut short', async () => json('[{"id":1,'), 'response-validation'],
]

describe('a failure that may pass', () => {
  test.each(passing)('after %s a GET is made again, three times in all', async (_, fail) => {
    const stage = setup({ client: { fetch: respondWith(fail, fail, empty) } })
    expect(await callOn(stage)).toEqual({ state: 'fulfilled', value: [] })
    expect(stage.sent).toHaveLength(3)
  })

  test.each(passing)(
    'after %s thrice a GET fails with the last failure and the number of attempts',
    async (_, fail, kind) => {
      const stage = setup({ client: { fetch: respondWith(fail) } })
      expect(await callOn(stage)).toMatchObject({ state: 'rejected', error: { kind, attempts: 3 } })
      expect(stage.sent).toHaveLength(3)
    },
  )

  test.each(passing.flatMap(([what, fail, kind]) => [create, send].map((call) => [what, fail, kind, call] as const)))(
    'after %s a POST is never made again: it may have been done',
    async (_, fail, kind, call) => {
      const stage = setup({ client: { fetch: respondWith(fail) } })
      const failure = await callOn(stage, call)
      expect(failure).toMatchObject({ state: 'rejected' })
      expect(failure.state === 'rejected' && failure.error).toMatchObject(
        // Of a POST whose documented success is 201 a 200 says enough.
        kind === 'response-validation' && call === create
          ? { kind: 'unexpected-status', attempts: 1 }
          : { kind, attempts: 1 },
      )
      expect(stage.sent).toHaveLength(1)
    },
  )

  test.each(passing)('after %s nothing is made again where one attempt is all', async (_, fail, kind) => {
    const stage = setup({ client: { fetch: respondWith(fail), retry: { attempts: 1 } } })
    expect(await callOn(stage)).toMatchObject({ state: 'rejected', error: { kind, attempts: 1 } })
    expect(stage.sent).toHaveLength(1)
  })
})

test('the connection that is lost after a POST was done leaves it done once', async () => {
  const stage = setup({ service: { categories: [] } })
  stage.service.failNext({ connection: 'lost-after' })
  expect(await callOn(stage, create)).toMatchObject({
    state: 'rejected',
    error: { kind: 'network', outcome: 'unknown' },
  })
  expect(stage.service.categories()).toHaveLength(1)
  expect(stage.service.requests).toHaveLength(1)
})

test('an operation of your own is made again if, and only if, it says that this is safe', async () => {
  const operation = (method: 'GET' | 'POST', replay: 'safe' | 'only-if-refused') =>
    defineOperation({ name: 'own', method, path: '/own', replay, output: z.unknown() })
  for (const method of ['GET', 'POST'] as const) {
    const safe = setup({ client: { fetch: respondWith(lost) } })
    await callOn(safe, (client) => client.call(operation(method, 'safe')))
    expect(safe.sent).toHaveLength(3)
    const unsafe = setup({ client: { fetch: respondWith(lost) } })
    await callOn(unsafe, (client) => client.call(operation(method, 'only-if-refused')))
    expect(unsafe.sent).toHaveLength(1)
  }
})

test.each([400, 402, 403, 404, 405, 408, 409, 410, 418, 422, 425, 500, 501, 505, 511, 302, 204])(
  'after %d nothing is made again',
  async (code) => {
    const stage = setup({ client: { fetch: respondWith(status(code)) } })
    expect(await callOn(stage)).toMatchObject({ state: 'rejected', error: { attempts: 1 } })
    expect(stage.sent).toHaveLength(1)
  },
)

test('a response of the wrong shape is not asked for again', async () => {
  const stage = setup({ client: { fetch: respondWith(async () => json({})) } })
  expect(await callOn(stage)).toMatchObject({ state: 'rejected', error: { kind: 'response-validation', attempts: 1 } })
})

describe('the time between attempts', () => {
  const failing = (random: number, attempts: number) =>
    setup({
      random: () => random,
      client: { fetch: respondWith(status(503)), retry: { attempts, maxWait: Number.POSITIVE_INFINITY } },
    })

  test('grows exponentially up to 30 s', async () => {
    const stage = failing(1, 8)
    await callOn(stage)
    expect(delays(stage.sent)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 94_000])
  })

  test('has full jitter: any part of it may be left out, but not the pause of the gate', async () => {
    const half = failing(0.5, 4)
    await callOn(half)
    expect(delays(half.sent)).toEqual([0, 500, 2_250, 5_000])
    const none = failing(0, 4)
    await callOn(none)
    expect(delays(none.sent)).toEqual([0, 0, 1_500, 4_000])
  })

  test.each([
    ['seconds', '20', 20_000],
    ['fractions of seconds', '1.5', 1_500],
    ['a date', new Date(opening + 20_000).toUTCString(), 20_000],
    // The gate adds half a second and more, as after a 429.
  ])('is no shorter than the Retry-After of a 503 (%s)', async (_, header, least) => {
    const stage = setup({
      random: () => 0,
      client: {
        fetch: respondWith(status(503, { 'Retry-After': header, Date: new Date(opening).toUTCString() }), empty),
      },
    })
    expect(await callOn(stage)).toEqual({ state: 'fulfilled', value: [] })
    expect(delays(stage.sent)).toEqual([0, least + 500])
  })

  test('is not cut by a shorter Retry-After', async () => {
    const stage = setup({
      random: () => 1,
      client: { fetch: respondWith(status(503, { 'Retry-After': '0' }), empty) },
    })
    await callOn(stage)
    expect(delays(stage.sent)).toEqual([0, 2_000])
  })

  test('that would be too long is not begun: the failure is told at once', async () => {
    const stage = setup({ client: { fetch: respondWith(status(503, { 'Retry-After': '66' })) } })
    expect(await callOn(stage)).toMatchObject({
      state: 'rejected',
      error: { kind: 'server', status: 503, attempts: 1 },
    })
    expect(stage.clock.now()).toBe(opening)
  })

  test('does not lead past the gate: what closes meanwhile holds the call too', async () => {
    const stage = setup({
      random: () => 1,
      client: { fetch: respondWith(lost, status(429, { 'Retry-After': '30' }), empty) },
    })
    const first = watch(list(stage.client))
    const other = defineOperation({ name: 'other', path: '/other', output: z.unknown() })
    stage.after(500, () => watch(stage.client.call(other)))
    await stage.run()
    expect(first.now).toEqual({ state: 'fulfilled', value: [] })
    const [, , third] = delays(stage.sent)
    expect(third).toBeGreaterThanOrEqual(30_500)
  })
})

describe('after 429', () => {
  test.each([
    ['a GET', list],
    ['a POST', create],
    ['the quickstart request', send],
  ])('%s is made again, once the time has come, and counts as one call', async (_, call) => {
    const stage = setup({ service: { categories: [] } })
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    expect(await callOn(stage, call)).toMatchObject({ state: 'fulfilled' })
    expect(stage.service.requests.map(({ status: code }) => code)).toEqual([429, expect.any(Number)])
    const [, second] = delays(stage.sent)
    expect(second).toBeGreaterThanOrEqual(30_000)
    expect(second).toBeLessThan(32_000)
  })

  test('a call is made again as often as there is time, however few attempts it has', async () => {
    const stage = setup({ client: { retry: { attempts: 1, maxWait: 600_000 } } })
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '10' } }, 4)
    expect(await callOn(stage, create)).toMatchObject({ state: 'fulfilled' })
    expect(stage.sent).toHaveLength(5)
    // Further and further apart, whatever is asked for.
    const gaps = stage.sent.slice(1).map(({ at }, index) => at - (stage.sent[index]?.at ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(10_000)
  })

  test('nothing leaves before its time, whoever asks', async () => {
    const stage = setup()
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const calls = [list, create, send].map((call) => watch(call(stage.client)))
    stage.after(5_000, () => calls.push(watch(create(stage.anotherClient()))))
    await stage.run()
    expect(calls.map(({ now }) => now.state)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'])
    for (const delay of delays(stage.sent).slice(1)) expect(delay).toBeGreaterThanOrEqual(30_000)
    expect(stage.service.requests.filter(({ status: code }) => code === 429)).toHaveLength(1)
  })

  test('the error of a call that may not wait tells from when on it could be made', async () => {
    const stage = setup({ client: { retry: { maxWait: 0 } } })
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const failure = await callOn(stage, create)
    expect(failure).toMatchObject({
      state: 'rejected',
      error: { kind: 'rate-limit', attempts: 1, outcome: 'not-applied' },
    })
    expect(failure.state === 'rejected' && failure.error).toHaveProperty(
      'retryAt',
      stage.client.rateLimit.getSnapshot().retryAt,
    )
    expect(stage.clock.now()).toBe(opening)
  })

  test('other failures are dealt with as ever', async () => {
    const stage = setup({
      client: {
        fetch: respondWith(status(429, { 'Retry-After': '1' }), lost, status(429, { 'Retry-After': '1' }), empty),
      },
    })
    expect(await callOn(stage)).toEqual({ state: 'fulfilled', value: [] })
    const post = setup({ client: { fetch: respondWith(status(429, { 'Retry-After': '1' }), lost) } })
    expect(await callOn(post, create)).toMatchObject({ state: 'rejected', error: { kind: 'network', attempts: 2 } })
  })
})

import { describe, expect, test } from 'vitest'
import { isPetstoreError, type CallOptions, type PetstoreClient } from '../../src/client.ts'
import { respondWith, setup, json, opening, silence, stalledBody, watch } from './client.setup.ts'

type Fetch = (request: Request) => Promise<Response>

/** How the one who calls may leave, and what the call then rejects with. */
const leavings: readonly (readonly [string, (controller: AbortController) => void, unknown])[] = [
  ['without a reason', (controller) => controller.abort(), expect.objectContaining({ name: 'AbortError' })],
  ['with a reason', (controller) => controller.abort('the user left'), 'the user left'],
]

const calls: readonly (readonly [string, (client: PetstoreClient, options: CallOptions) => Promise<unknown>])[] = [
  ['a GET', (client, options) => client.listCategories(options)],
  ['a POST', (client, options) => client.createCategory({ name: 'Dog' }, options)],
]

const ways = leavings.flatMap(([how, leave, reason]) =>
  calls.map(([what, call]) => ({ how, leave, reason, what, call })),
)

/** Makes a call, leaves it after a while, and lets the rest of the day pass. */
async function leaveAfter(
  ms: number,
  { call, leave }: (typeof ways)[number],
  stage: ReturnType<typeof setup>,
): Promise<{ readonly error: unknown; readonly sentLater: number }> {
  const leaving = new AbortController()
  const watched = watch(call(stage.client, { signal: leaving.signal }))
  await stage.run(stage.clock.now() + ms)
  expect(watched.now).toEqual({ state: 'pending' })
  const before = stage.sent.length
  leave(leaving)
  // At once: no time passes.
  await stage.run(stage.clock.now())
  const settled = watched.now
  await stage.run()
  if (settled.state !== 'rejected') throw new Error(`The call is ${settled.state}.`)
  return { error: settled.error, sentLater: stage.sent.length - before }
}

/** The call after it is sent at once, and responded to. */
async function expectNextToPass({ client, run, clock, sent }: ReturnType<typeof setup>) {
  const next = watch(client.createCategory({ name: 'Cat' }))
  const at = clock.now()
  await run(at)
  expect(next.now).toMatchObject({ state: 'fulfilled', value: { name: 'Cat' } })
  expect(sent.at(-1)).toMatchObject({ at, body: '{"name":"Cat"}' })
}

const cat: Fetch = async () => json({ id: 8, name: 'Cat' }, 201)

describe('aborting', () => {
  test.each(ways)('$what $how before it begins sends nothing, and asks for no key', async ({ leave, call, reason }) => {
    let asked = 0
    const apiKey = () => {
      asked += 1
      return 'demo'
    }
    const stage = setup({ client: { apiKey } })
    const leaving = new AbortController()
    leave(leaving)
    const watched = watch(call(stage.client, { signal: leaving.signal }))
    await stage.run()
    expect(watched.now).toEqual({ state: 'rejected', error: reason })
    expect(stage.sent).toEqual([])
    expect(asked).toBe(0)
    await expectNextToPass(stage)
  })

  test.each(ways)('$what $how while the key is asked for', async (way) => {
    let give = (_key: string) => {}
    let asked = 0
    const apiKey = () => {
      asked += 1
      return asked > 1 ? 'demo' : new Promise<string>((resolve) => (give = resolve))
    }
    const stage = setup({ client: { apiKey } })
    stage.after(60_000, () => give('demo'))
    expect(await leaveAfter(1_000, way, stage)).toEqual({ error: way.reason, sentLater: 0 })
    expect(stage.sent).toEqual([])
    await expectNextToPass(stage)
  })

  test.each(ways)('$what $how while it waits for a response to another', async (way) => {
    const stage = setup({ service: { latency: 10_000 } })
    const other = watch(stage.client.createCategory({ name: 'Fox' }))
    expect(await leaveAfter(1_000, way, stage)).toEqual({ error: way.reason, sentLater: 0 })
    expect(other.now).toMatchObject({ state: 'fulfilled' })
    expect(stage.service.requests).toHaveLength(1)
  })

  test.each(ways)('$what $how while it waits for the rate limit', async (way) => {
    const stage = setup()
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    expect(await leaveAfter(10_000, way, stage)).toEqual({ error: way.reason, sentLater: 0 })
    expect(stage.sent).toHaveLength(1)
    await stage.run(opening + 32_000)
    await expectNextToPass(stage)
  })

  test('one of many that wait lets the others move up', async () => {
    const stage = setup()
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const leaving = new AbortController()
    const [first, second, third] = [
      watch(stage.client.createCategory({ name: 'a' }, { signal: leaving.signal })),
      watch(stage.client.createCategory({ name: 'b' })),
      watch(stage.client.createCategory({ name: 'c' })),
    ]
    await stage.run(opening + 10_000)
    leaving.abort()
    await stage.run()
    expect([first, second, third].map(({ now }) => now.state)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(stage.sent.map(({ body }) => body)).toEqual(['{"name":"a"}', '{"name":"b"}', '{"name":"c"}'])
  })

  const underWay: readonly (readonly [string, Fetch])[] = [
    ['in flight', silence],
    ['in flight, with a fetch that does not listen', () => new Promise(() => {})],
    ['while its body is read', async () => stalledBody()],
    ['while the body of an error is read', async () => stalledBody(500)],
  ]
  test.each(underWay.flatMap(([when, fetch]) => ways.map((way) => ({ ...way, when, fetch }))))(
    '$what $how $when',
    async ({ fetch, ...way }) => {
      let request: Request | undefined
      const first: Fetch = (sent) => {
        request = sent
        return fetch(sent)
      }
      const stage = setup({ client: { fetch: respondWith(first, cat) } })
      expect(await leaveAfter(10_000, way, stage)).toEqual({ error: way.reason, sentLater: 0 })
      expect(stage.sent).toHaveLength(1)
      expect(request?.signal.aborted).toBe(true)
      await expectNextToPass(stage)
    },
  )

  test.each(ways.filter(({ what }) => what === 'a GET'))('$what $how between two attempts', async (way) => {
    const unavailable: Fetch = async () => new Response(null, { status: 503, headers: { 'Retry-After': '30' } })
    const stage = setup({ client: { fetch: respondWith(unavailable, cat) } })
    expect(await leaveAfter(10_000, way, stage)).toEqual({ error: way.reason, sentLater: 0 })
    expect(stage.clock.now()).toBe(opening + 10_000) // nothing was left to wake up for
    expect(stage.sent).toHaveLength(1)
    await stage.run(opening + 31_000) // the whole key waits for as long as the 503 asks
    await expectNextToPass(stage)
  })

  test.each(ways)('$what $how while a new key is asked for', async (way) => {
    let asked = 0
    const apiKey = () => {
      asked += 1
      if (asked === 2) return new Promise<string>(() => {})
      return asked === 1 ? 'wrong' : 'demo'
    }
    const stage = setup({ client: { apiKey } })
    expect(await leaveAfter(10_000, way, stage)).toEqual({ error: way.reason, sentLater: 0 })
    await expectNextToPass(stage)
  })

  test('a call that is over does nothing', async () => {
    const stage = setup()
    const leaving = new AbortController()
    const call = watch(stage.client.listCategories({ signal: leaving.signal }))
    await stage.run()
    leaving.abort()
    await stage.run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    await expectNextToPass(stage)
  })

  test('gives no error of this package', async () => {
    const stage = setup({ client: { fetch: silence } })
    const leaving = new AbortController()
    const call = watch(stage.client.listCategories({ signal: leaving.signal }))
    await stage.run(opening)
    leaving.abort()
    await stage.run(opening)
    expect(call.now.state === 'rejected' && isPetstoreError(call.now.error)).toBe(false)
    expect(call.now.state === 'rejected' && call.now.error).toBe(leaving.signal.reason)
  })

  test.each([
    ['a POST that the service has not begun with is not done', 10, 0],
    ['a POST that the service has done with is done', 90, 1],
  ])('%s', async (_, ms, created) => {
    const stage = setup({ service: { latency: 100, categories: [] } })
    const leaving = new AbortController()
    const call = watch(stage.client.createCategory({ name: 'Dog' }, { signal: leaving.signal }))
    stage.after(ms, () => leaving.abort('gone'))
    await stage.run()
    expect(call.now).toEqual({ state: 'rejected', error: 'gone' })
    expect(stage.service.categories()).toHaveLength(created)
  })
})

describe('close', () => {
  test('cancels everything that is under way, wherever it is', async () => {
    const stage = setup({ client: { fetch: silence } })
    const all = [
      stage.client.createCategory({ name: 'in flight' }),
      stage.client.createCategory({ name: 'waiting' }),
      stage.client.listCategories(),
      stage.client.listCategories(),
    ].map((call) => watch<unknown>(call))
    const others = watch(stage.anotherClient({ fetch: async () => json([]) }).listCategories())
    await stage.run(opening + 100)
    expect([...all, others].map(({ now }) => now.state)).toEqual(Array.from({ length: 5 }, () => 'pending'))
    stage.client.close()
    await stage.run(opening + 100)
    for (const { now } of all) expect(now).toMatchObject({ state: 'rejected', error: { name: 'AbortError' } })
    expect(others.now).toEqual({ state: 'fulfilled', value: [] })
    await stage.run()
    expect(stage.sent).toHaveLength(1)
  })

  test('leaves a client that can be used again, and may be called twice', async () => {
    const stage = setup()
    stage.client.close()
    stage.client.close()
    await expectNextToPass(stage)
    const call = watch(stage.client.listCategories())
    stage.client.close()
    await stage.run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { name: 'AbortError' } })
    await expectNextToPass(stage)
  })

  test('keeps what is known of the rate limit', async () => {
    const stage = setup()
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(stage.client.listCategories())
    await stage.run(opening + 1_000)
    stage.client.close()
    await stage.run(opening + 1_000)
    expect(call.now).toMatchObject({ state: 'rejected', error: { name: 'AbortError' } })
    const next = watch(stage.client.listCategories())
    await stage.run(opening + 29_000)
    expect(next.now).toEqual({ state: 'pending' })
    expect(stage.sent).toHaveLength(1)
  })
})

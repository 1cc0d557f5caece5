import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import { defineOperation, type CallOptions, type PetstoreClient } from '../../src/client.ts'
import {
  type Fetch,
  json,
  noResponse,
  respondWith,
  type Setup,
  setup,
  stalledBody,
  startOfTests,
  statesOf,
  watch,
} from './client.setup.ts'

/** Ways to abort, and the reason with which the call then rejects. */
const aborts: readonly (readonly [how: string, (controller: AbortController) => void, unknown])[] = [
  ['without a reason', (controller) => controller.abort(), expect.objectContaining({ name: 'AbortError' })],
  ['with a reason', (controller) => controller.abort('the user left'), 'the user left'],
]

type Search = StandardSchemaV1<{ search: string }>

/** A schema that accepts everything at once. */
const immediate: Search = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: { search: '' } }) } }
/** A schema whose check never ends. */
const endless: Search = { '~standard': { version: 1, vendor: 'test', validate: () => new Promise<never>(() => {}) } }

const calls: readonly (readonly [string, (client: PetstoreClient, options: CallOptions) => Promise<unknown>])[] = [
  ['a GET', (client, options) => client.listCategories(options)],
  ['a POST', (client, options) => client.createCategory({ name: 'Dog' }, options)],
]

const cases = aborts.flatMap(([how, abort, reason]) =>
  calls.map(([what, call]) => [`${what}, ${how},`, { abort, reason, call, isGet: what === 'a GET' }] as const),
)

type CallSetup = Pick<Setup, 'client' | 'run' | 'clock' | 'sent'>

/** Makes a call and aborts it after `ms`. Returns its error, and how many requests left after the abort. */
async function abortAfter(
  ms: number,
  { call, abort }: (typeof cases)[number][1],
  { client, run, clock, sent }: CallSetup,
): Promise<{ readonly error: unknown; readonly sentLater: number }> {
  const controller = new AbortController()
  const aborted = watch(call(client, { signal: controller.signal }))
  await run(clock.now() + ms)
  expect(aborted.now).toEqual({ state: 'pending' })
  const sentBefore = sent.length
  abort(controller)
  // The call rejects at once, before any time passes.
  await run(clock.now())
  const settled = aborted.now
  await run()
  if (settled.state !== 'rejected') throw new Error(`The call is ${settled.state}.`)
  return { error: settled.error, sentLater: sent.length - sentBefore }
}

/** Expects the next call to be sent at once and to succeed. */
async function expectNextCallToSucceed({ client, run, clock, sent }: CallSetup) {
  const next = watch(client.createCategory({ name: 'Cat' }))
  const at = clock.now()
  await run(at)
  expect(next.now).toMatchObject({ state: 'fulfilled', value: { name: 'Cat' } })
  expect(sent.at(-1)).toMatchObject({ at, body: '{"name":"Cat"}' })
}

const cat: Fetch = async () => json({ id: 8, name: 'Cat' }, 201)

describe('aborting', () => {
  test.each(cases)('%s before it begins sends nothing and reads no key', async (_, { abort, call, reason }) => {
    let keysRead = 0
    const apiKey = () => {
      keysRead += 1
      return 'demo'
    }
    const { client, sent, clock, run } = setup({ client: { apiKey } })
    const controller = new AbortController()
    abort(controller)
    const aborted = watch(call(client, { signal: controller.signal }))
    await run()
    expect(aborted.now).toEqual({ state: 'rejected', error: reason })
    expect(sent).toEqual([])
    expect(keysRead).toBe(0)
    await expectNextCallToSucceed({ client, run, clock, sent })
  })

  test.each(cases)('%s while the key is read rejects the call at once', async (_, each) => {
    let give = (_key: string) => {}
    let keysRead = 0
    const apiKey = () => {
      keysRead += 1
      return keysRead > 1 ? 'demo' : new Promise<string>((resolve) => (give = resolve))
    }
    const { client, sent, clock, run, after } = setup({ client: { apiKey } })
    after(60_000, () => give('demo'))
    expect(await abortAfter(1_000, each, { client, run, clock, sent })).toEqual({ error: each.reason, sentLater: 0 })
    expect(sent).toEqual([])
    await expectNextCallToSucceed({ client, run, clock, sent })
  })

  test.each(cases)('%s while it waits at the gate rejects the call at once', async (_, each) => {
    const { client, service, sent, clock, run } = setup()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    expect(await abortAfter(10_000, each, { client, run, clock, sent })).toEqual({ error: each.reason, sentLater: 0 })
    expect(sent).toHaveLength(1)
    await run(startOfTests + 32_000) // past the cool-down
    await expectNextCallToSucceed({ client, run, clock, sent })
  })

  test.each(aborts)(
    '%s while a schema of the app checks the input, or the response, rejects the call at once',
    async (...args) => {
      const [, abort, reason] = args
      const { client, sent, run, clock } = setup({ client: { fetch: async () => json([]) } })
      const operations = [
        defineOperation({ name: 'checked', method: 'POST', path: '/rows', input: endless, output: immediate }),
        defineOperation({ name: 'read', method: 'POST', path: '/rows', input: immediate, output: endless }),
      ]
      for (const operation of operations) {
        const controller = new AbortController()
        const aborted = watch(client.call(operation, { search: 'a' }, { signal: controller.signal }))
        await run(clock.now() + 1_000)
        expect(aborted.now).toEqual({ state: 'pending' })
        abort(controller)
        await run(clock.now())
        expect(aborted.now).toEqual({ state: 'rejected', error: reason })
      }
      expect(sent).toHaveLength(1)
    },
  )

  const inFlight: readonly (readonly [string, Fetch, ms: number])[] = [
    ['in flight', noResponse, 10_000],
    ['in flight with a `fetch` that ignores its signal', () => new Promise(() => {}), 10_000],
    ['while its body is read', async () => stalledBody(), 10_000],
    // The client waits only one second for the body of an error.
    ['while the body of an error is read', async () => stalledBody(500), 500],
  ]
  test.each(
    inFlight.flatMap(([when, fetch, ms]) => cases.map(([what, each]) => [what, when, { ...each, fetch, ms }] as const)),
  )('%s %s rejects the call at once', async (_what, _when, { fetch, ms, ...each }) => {
    let request: Request | undefined
    const first: Fetch = (sentRequest) => {
      request = sentRequest
      return fetch(sentRequest)
    }
    const { client, sent, clock, run } = setup({ client: { fetch: respondWith(first, cat) } })
    expect(await abortAfter(ms, each, { client, run, clock, sent })).toEqual({ error: each.reason, sentLater: 0 })
    expect(sent).toHaveLength(1)
    expect(request?.signal.aborted).toBe(true)
    await expectNextCallToSucceed({ client, run, clock, sent })
  })

  test.each(cases)(
    '%s before the head of its response holds the next call back for a second at most',
    async (_, each) => {
      const { client, sent, clock, run } = setup({ client: { fetch: respondWith(noResponse, cat) } })
      const controller = new AbortController()
      watch(each.call(client, { signal: controller.signal }))
      await run(startOfTests)
      each.abort(controller)
      const next = watch(client.createCategory({ name: 'Cat' }))
      await run(startOfTests + 999)
      expect(next.now).toEqual({ state: 'pending' })
      await run(startOfTests + 1_000)
      expect(next.now).toMatchObject({ state: 'fulfilled', value: { name: 'Cat' } })
      expect(sent.map(({ at }) => at - startOfTests)).toEqual([0, 1_000])
      await run()
      await expectNextCallToSucceed({ client, run, clock, sent })
    },
  )

  test.each(cases.filter(([, { isGet }]) => isGet))('%s between attempts rejects the call at once', async (_, each) => {
    const unavailable: Fetch = async () => new Response(null, { status: 503, headers: { 'Retry-After': '30' } })
    const { client, sent, clock, run } = setup({ client: { fetch: respondWith(unavailable, cat) } })
    expect(await abortAfter(10_000, each, { client, run, clock, sent })).toEqual({ error: each.reason, sentLater: 0 })
    // No timer was left, so the clock did not advance.
    expect(clock.now()).toBe(startOfTests + 10_000)
    expect(sent).toHaveLength(1)
    // Past the `Retry-After` of the 503, which holds back only the call that got it.
    await run(startOfTests + 31_000)
    await expectNextCallToSucceed({ client, run, clock, sent })
  })

  test.each(cases)('%s while a refused key is renewed rejects the call at once', async (_, each) => {
    let keysRead = 0
    const apiKey = () => {
      keysRead += 1
      if (keysRead === 2) return new Promise<string>(() => {})
      return keysRead === 1 ? 'wrong' : 'demo'
    }
    const { client, sent, clock, run } = setup({ client: { apiKey } })
    expect(await abortAfter(10_000, each, { client, run, clock, sent })).toEqual({ error: each.reason, sentLater: 0 })
    await expectNextCallToSucceed({ client, run, clock, sent })
  })

  test.each([
    ['before', 10],
    ['after', 90],
  ])('a POST %s the service processes it does not prevent or undo that: the request goes on', async (_, ms) => {
    const { client, service, run, after } = setup({ service: { latency: 100, categories: [] } })
    const controller = new AbortController()
    const call = watch(client.createCategory({ name: 'Dog' }, { signal: controller.signal }))
    after(ms, () => controller.abort('gone'))
    await run(startOfTests + ms)
    expect(call.now).toEqual({ state: 'rejected', error: 'gone' })
    await run()
    expect(service.categories()).toHaveLength(1)
  })
})

describe('close', () => {
  test('takes every request off the wire at once', async () => {
    const requests: Request[] = []
    const fetch: Fetch = (request) => {
      requests.push(request)
      return new Promise(() => {})
    }
    const { client, run } = setup({ client: { fetch } })
    watch(client.listCategories())
    await run(startOfTests + 100)
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false])
    client.close()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  test('cancels every call of the client, in whichever step it is', async () => {
    const { client, anotherClient, sent, run } = setup({ client: { fetch: noResponse } })
    const all = [
      client.createCategory({ name: 'in flight' }),
      client.createCategory({ name: 'waiting' }),
      client.listCategories(),
      client.listCategories(),
    ].map((call) => watch<unknown>(call))
    const others = watch(anotherClient({ fetch: async () => json([]) }).listCategories())
    await run(startOfTests + 100)
    expect(statesOf([...all, others])).toEqual(Array.from({ length: 5 }, () => 'pending'))
    client.close()
    await run(startOfTests + 100)
    for (const { now } of all) expect(now).toMatchObject({ state: 'rejected', error: { name: 'AbortError' } })
    await run()
    expect(others.now).toEqual({ state: 'fulfilled', value: [] })
    expect(sent).toHaveLength(1)
  })

  test('can be called twice, and leaves a client that works', async () => {
    const { client, sent, clock, run } = setup()
    client.close()
    client.close()
    await expectNextCallToSucceed({ client, run, clock, sent })
    const call = watch(client.listCategories())
    client.close()
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { name: 'AbortError' } })
    await expectNextCallToSucceed({ client, run, clock, sent })
  })
})

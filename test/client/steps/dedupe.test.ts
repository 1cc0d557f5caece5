import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, int64, operations } from '../../../src/client.ts'
import type { KeyedCall } from '../../../src/client/Call.ts'
import { dedupe } from '../../../src/client/steps/dedupe.ts'
import { authorizations, createPrerenderError, json, setup, startOfTests, statesOf, watch } from '../client.setup.ts'
import { createDeferred, createValidCall, type Deferred, settleAll, stubNext } from './step.setup.ts'

const slow = { service: { latency: 100 } }

/** A setup whose client knows its quota, so that several requests can be in flight. */
async function setupWithQuota(options: Parameters<typeof setup>[0]) {
  const { client, run, sent, ...rest } = setup(options)
  const first = watch(client.listCategories())
  await run()
  expect(first.now.state).toBe('fulfilled')
  return { ...rest, client, run, sent, sentBefore: sent.length }
}

describe('the step alone', () => {
  /** The steps that follow, stubbed: each call waits in `held` until the test settles it. */
  function holdingNext() {
    const held: Deferred<unknown>[] = []
    const next = stubNext<KeyedCall>(() => {
      const result = createDeferred<unknown>()
      held.push(result)
      return result.promise
    })
    return { next, held }
  }
  const readKey = () => 'demo'

  test('repeats a call that has joined the call of another render, when the framework ends that render', async () => {
    const { next, held } = holdingNext()
    const step = dedupe(readKey)
    const [prerendered, rendered] = [1, 2].map(() => watch(step(createValidCall(), next)))
    await settleAll()
    expect(next).toHaveBeenCalledOnce()
    const error = createPrerenderError()
    held[0]?.reject(error)
    await settleAll()
    expect(prerendered?.now).toEqual({ state: 'rejected', error })
    expect(rendered?.now).toEqual({ state: 'pending' })
    expect(next).toHaveBeenCalledTimes(2)
    held[1]?.resolve('the rows')
    await settleAll()
    expect(rendered?.now).toEqual({ state: 'fulfilled', value: 'the rows' })
  })
})

describe('identical GETs', () => {
  test('share one request and one unit of the quota', async () => {
    const { client, sent, service, run, sentBefore } = await setupWithQuota(slow)
    const remaining = client.rateLimit.getSnapshot().remaining ?? Number.NaN
    const calls = [1, 2, 3].map(() => watch(client.listCategories()))
    await run()
    const [one, ...others] = calls.map(({ now }) => now)
    expect(one).toMatchObject({ state: 'fulfilled' })
    for (const other of others) expect(other).toStrictEqual(one)
    expect(sent).toHaveLength(sentBefore + 1)
    expect(service.requests).toHaveLength(sentBefore + 1)
    expect(client.rateLimit.getSnapshot().remaining).toBe(remaining - 1)
  })

  test('share a failure, too', async () => {
    const { client, sent, service, run } = setup(slow)
    service.failNext({ status: 404 })
    const [one, other] = [watch(client.listCategories()), watch(client.listCategories())]
    await run()
    expect(one.now).toMatchObject({ state: 'rejected', error: { kind: 'unexpected-status' } })
    expect(other.now).toStrictEqual(one.now)
    expect(sent).toHaveLength(1)
  })

  test('go on when one caller aborts', async () => {
    const { client, sent, run, after } = setup(slow)
    const leaving = new AbortController()
    const first = watch(client.listCategories({ signal: leaving.signal }))
    const second = watch(client.listCategories())
    after(50, () => leaving.abort('gone'))
    await run()
    expect(first.now).toEqual({ state: 'rejected', error: 'gone' })
    expect(second.now).toMatchObject({ state: 'fulfilled' })
    expect(sent).toHaveLength(1)
  })

  test('reject each caller at once with its own abort reason, while the request goes on for a second', async () => {
    let request: Request | undefined
    const { client, run } = setup({
      client: {
        fetch: async (sent) => {
          request = sent
          return new Promise(() => {})
        },
      },
    })
    const [one, other] = [new AbortController(), new AbortController()]
    const first = watch(client.listCategories({ signal: one.signal }))
    const second = watch(client.listCategories({ signal: other.signal }))
    const soon = startOfTests + 1_000
    await run(soon)
    one.abort('first')
    await run(soon)
    expect(first.now).toEqual({ state: 'rejected', error: 'first' })
    expect(second.now).toEqual({ state: 'pending' })
    expect(request?.signal.aborted).toBe(false)
    other.abort('second')
    await run(soon)
    expect(second.now).toEqual({ state: 'rejected', error: 'second' })
    // Its head may still be a 429: `abortedTime` of `transport`.
    expect(request?.signal.aborted).toBe(false)
    await run(soon + 1_000)
    expect(request?.signal.aborted).toBe(true)
  })

  test('are not joined once all their callers have aborted', async () => {
    const { client, sent, run, sentBefore, clock } = await setupWithQuota(slow)
    const leaving = new AbortController()
    const first = watch(client.listCategories({ signal: leaving.signal }))
    await run(clock.now() + 50)
    leaving.abort('gone')
    await run(clock.now())
    expect(first.now).toEqual({ state: 'rejected', error: 'gone' })
    const second = watch(client.listCategories())
    await run()
    expect(second.now).toMatchObject({ state: 'fulfilled' })
    expect(sent).toHaveLength(sentBefore + 2)
  })
})

describe('a request of its own is sent for', () => {
  const pets = (name: string) =>
    defineOperation({ name, path: '/pets/{petId}', input: z.object({ petId: z.string() }), output: z.unknown() })
  const [pet, samePath] = [pets('getPet'), pets('getAnimal')]
  const strict = { ...pet, output: z.object({ id: int64 }) }

  test.each([
    ['another input', () => [pet, { petId: '1' }, pet, { petId: '2' }] as const],
    ['another operation on the same path', () => [pet, { petId: '1' }, samePath, { petId: '1' }] as const],
    // `getPet` takes the app's schema, and two parts of an app can have different ones.
    [
      'the same operation with another schema of its response',
      () => [pet, { petId: '1' }, strict, { petId: '1' }] as const,
    ],
  ])('%s', async (_, calls) => {
    const [one, oneInput, other, otherInput] = calls()
    const { client, sent, run } = setup({ client: { fetch: async () => json({ id: 7, name: 'Rex' }) } })
    const first = watch(client.call<{ petId: string }, unknown>(one, oneInput))
    const second = watch(client.call<{ petId: string }, unknown>(other, otherInput))
    await run()
    expect(first.now).toEqual({ state: 'fulfilled', value: { id: 7, name: 'Rex' } })
    const isStrict = other === strict
    expect(second.now).toEqual({ state: 'fulfilled', value: isStrict ? { id: '7' } : { id: 7, name: 'Rex' } })
    expect(sent).toHaveLength(2)
  })

  test('each POST, even if they are equal', async () => {
    const { client, service, run } = setup({ service: { latency: 100, categories: [] } })
    const calls = [1, 2, 3].map(() => watch(client.createCategory({ name: 'Dog' })))
    await run()
    expect(statesOf(calls)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(service.categories().map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  test('each key that the apiKey function returns', async () => {
    const keys = ['ann', 'bob']
    const { client, sent, run } = setup({
      service: { keys: ['ann', 'bob'], latency: 100 },
      client: { apiKey: () => keys.shift() ?? '' },
    })
    const calls = [client.listCategories(), client.listCategories()].map((call) => watch(call))
    await run()
    expect(statesOf(calls)).toEqual(['fulfilled', 'fulfilled'])
    expect(new Set(authorizations(sent))).toEqual(new Set(['Bearer ann', 'Bearer bob']))
    expect(sent).toHaveLength(2)
  })
})

describe('a GET after a write', () => {
  test.each([
    ['that succeeded', undefined, 'fulfilled'],
    ['whose response was lost', { connection: 'lost-after' } as const, 'rejected'],
  ])('%s does not join an earlier GET', async (_, fault, state) => {
    let hold = false
    const held: (() => void)[] = []
    const { client, service, run, clock } = setup({
      service: { categories: [] },
      client: {
        fetch: async (request) => {
          const response = await service.fetch(request)
          if (hold && request.method === 'GET') await new Promise<void>((resolve) => held.push(resolve))
          return response
        },
      },
    })
    const first = watch(client.listCategories())
    await run()
    expect(first.now).toEqual({ state: 'fulfilled', value: [] })
    hold = true
    const earlier = watch(client.listCategories())
    await run(clock.now())
    hold = false
    if (fault) service.failNext(fault)
    const write = watch(client.createCategory({ name: 'Dog' }))
    await run(clock.now())
    expect(write.now.state).toBe(state)
    const later = watch(client.listCategories())
    await run(clock.now())
    expect(earlier.now).toEqual({ state: 'pending' })
    expect(later.now).toMatchObject({ state: 'fulfilled', value: [{ name: 'Dog' }] })
    for (const release of held) release()
    await run(clock.now())
    expect(earlier.now).toEqual({ state: 'fulfilled', value: [] })
  })
})

describe('priority', () => {
  /** The paths of the requests, in the order in which they were sent. */
  const paths = (sent: readonly { readonly url: string }[]) =>
    sent.map(({ url }) => new URL(url).pathname.slice('/v1'.length))
  const background = { priority: 'background' } as const

  test('of a waiting background call rises when a user call joins it, so that it leaves earlier', async () => {
    const { client, sent, run, after } = setup(slow)
    const calls = [
      client.listCategories(),
      client.call(operations.listOrders, undefined, background),
      client.call(operations.getPet, { petId: '7' }),
    ].map(watch)
    after(50, () => calls.push(watch(client.call(operations.listOrders))))
    await run()
    expect(statesOf(calls)).not.toContain('pending')
    expect(paths(sent)).toEqual(['/categories', '/store/orders', '/pets/7'])
  })
})

test('onWait is called for every caller, also for one that joins later, whenever the time changes', async () => {
  const { client, run, service, clock } = setup({ client: { retry: { maxWait: Number.POSITIVE_INFINITY } } })
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
  const waits: [string, number | undefined][] = []
  const first = watch(client.listCategories({ onWait: (wait) => waits.push(['first', wait?.until]) }))
  await run(clock.now() + 10_000)
  const second = watch(client.listCategories({ onWait: (wait) => waits.push(['second', wait?.until]) }))
  await run()
  expect(statesOf([first, second])).toEqual(['fulfilled', 'fulfilled'])
  const [, early, , , , late] = waits
  expect(waits).toEqual([
    ['first', undefined],
    ['first', early?.[1]],
    ['second', early?.[1]],
    // The probe leaves and is refused.
    ['first', undefined],
    ['second', undefined],
    ['first', late?.[1]],
    ['second', late?.[1]],
    ['first', undefined],
    ['second', undefined],
  ])
  expect(late?.[1]).toBeGreaterThan((early?.[1] ?? Number.NaN) + 60_000)
})

import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, int64, operations } from '../../../src/client.ts'
import { setup, json, watch } from '../client.setup.ts'

const slow = { service: { latency: 100 } }

/** A stage on which the quota is known, so that several requests may be under way. */
async function setupOpen(...options: Parameters<typeof setup>) {
  const stage = setup(...options)
  const first = watch(stage.client.listCategories())
  await stage.run()
  expect(first.now.state).toBe('fulfilled')
  return { ...stage, before: stage.sent.length }
}

describe('identical GETs in flight', () => {
  test('share one request and one unit of the quota', async () => {
    const { client, sent, service, run, before } = await setupOpen(slow)
    const remaining = client.rateLimit.getSnapshot().remaining ?? Number.NaN
    const calls = [1, 2, 3].map(() => watch(client.listCategories()))
    await run()
    const [one, ...others] = calls.map(({ now }) => now)
    expect(one).toMatchObject({ state: 'fulfilled' })
    for (const other of others) expect(other).toStrictEqual(one)
    expect(sent).toHaveLength(before + 1)
    expect(service.requests).toHaveLength(before + 1)
    expect(client.rateLimit.getSnapshot().remaining).toBe(remaining - 1)
  })

  test('give the very same value to all', async () => {
    const { client, run } = setup(slow)
    const [one, other] = [watch(client.listCategories()), watch(client.call(operations.listCategories))]
    await run()
    expect(one.now.state === 'fulfilled' && one.now.value).toBe(other.now.state === 'fulfilled' && other.now.value)
  })

  test('share a failure too', async () => {
    const { client, sent, service, run } = setup(slow)
    service.failNext({ status: 404 })
    const [one, other] = [watch(client.listCategories()), watch(client.listCategories())]
    await run()
    expect(one.now).toMatchObject({ state: 'rejected', error: { kind: 'unexpected-status' } })
    expect(other.now).toStrictEqual(one.now)
    expect(sent).toHaveLength(1)
  })

  test('are asked again once they are over', async () => {
    const { client, sent, run } = setup()
    for (const count of [1, 2, 3]) {
      const call = watch(client.listCategories())
      await run()
      expect(call.now.state).toBe('fulfilled')
      expect(sent).toHaveLength(count)
    }
  })

  test('do not end with one who leaves', async () => {
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

  test('tell each who leaves its own reason, and are aborted with the last one', async () => {
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
    const opened = Date.UTC(2026, 0, 1, 0, 0, 21)
    await run(opened)
    one.abort('first')
    await run(opened)
    expect(first.now).toEqual({ state: 'rejected', error: 'first' })
    expect(second.now).toEqual({ state: 'pending' })
    expect(request?.signal.aborted).toBe(false)
    other.abort('second')
    await run(opened)
    expect(second.now).toEqual({ state: 'rejected', error: 'second' })
    expect(request?.signal.aborted).toBe(true)
  })

  test('that were given up by all are not joined any more', async () => {
    const { client, sent, run, before, clock } = await setupOpen(slow)
    const leaving = new AbortController()
    const first = watch(client.listCategories({ signal: leaving.signal }))
    await run(clock.now() + 50)
    leaving.abort('gone')
    await run(clock.now())
    expect(first.now).toEqual({ state: 'rejected', error: 'gone' })
    const second = watch(client.listCategories())
    await run()
    expect(second.now).toMatchObject({ state: 'fulfilled' })
    expect(sent).toHaveLength(before + 2)
  })

  test('that were given up before they had a key are not joined either', async () => {
    let asked = 0
    const apiKey = () => {
      asked += 1
      return asked === 1 ? new Promise<string>(() => {}) : 'demo'
    }
    const { client, run, clock } = setup({ client: { apiKey } })
    const leaving = new AbortController()
    const first = watch(client.listCategories({ signal: leaving.signal }))
    await run(clock.now())
    leaving.abort('gone')
    await run(clock.now())
    expect(first.now).toEqual({ state: 'rejected', error: 'gone' })
    const second = watch(client.listCategories())
    await run()
    expect(second.now).toMatchObject({ state: 'fulfilled' })
  })

  test('bring a response to who comes in the moment in which the last one leaves', async () => {
    const { client, run, clock } = await setupOpen(slow)
    const leaving = new AbortController()
    const first = watch(client.listCategories({ signal: leaving.signal }))
    await run(clock.now() + 50)
    leaving.abort('gone')
    const second = watch(client.listCategories())
    await run()
    expect(first.now).toEqual({ state: 'rejected', error: 'gone' })
    expect(second.now).toMatchObject({ state: 'fulfilled' })
  })
})

describe('a request of its own has', () => {
  const list = operations.listCategories
  const pets = (name: string) =>
    defineOperation({ name, path: '/pets/{petId}', input: z.object({ petId: z.string() }), output: z.unknown() })
  const [pet, samePath] = [pets('getPet'), pets('getAnimal')]
  const strict = { ...pet, output: z.object({ id: int64 }) }

  test.each([
    ['another input', () => [pet, { petId: '1' }, pet, { petId: '2' }] as const],
    ['another operation on the same path', () => [pet, { petId: '1' }, samePath, { petId: '1' }] as const],
    // `getPet` takes the schema of the app, and two parts of an app may bring different ones.
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

  test('each POST, however alike', async () => {
    const { client, service, run } = setup({ service: { latency: 100, categories: [] } })
    const calls = [1, 2, 3].map(() => watch(client.createCategory({ name: 'Dog' })))
    await run()
    expect(calls.map(({ now }) => now.state)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(service.categories().map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  test('each client', async () => {
    const { client, anotherClient, sent, run } = setup(slow)
    const calls = [client, anotherClient()].map((each) => watch(each.call(list)))
    await run()
    expect(calls.map(({ now }) => now.state)).toEqual(['fulfilled', 'fulfilled'])
    expect(sent).toHaveLength(2)
  })
})

describe('a GET after a change', () => {
  test.each([
    ['that was made', undefined, 'fulfilled'],
    ['that may have been made', { connection: 'lost-after' } as const, 'rejected'],
  ])('%s does not join an older one', async (_, fault, state) => {
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
    const opening = watch(client.listCategories())
    await run()
    expect(opening.now).toEqual({ state: 'fulfilled', value: [] })
    hold = true
    const older = watch(client.listCategories())
    await run(clock.now())
    hold = false
    if (fault) service.failNext(fault)
    const change = watch(client.createCategory({ name: 'Dog' }))
    await run(clock.now())
    expect(change.now.state).toBe(state)
    const newer = watch(client.listCategories())
    await run(clock.now())
    expect(older.now).toEqual({ state: 'pending' })
    expect(newer.now).toMatchObject({ state: 'fulfilled', value: [{ name: 'Dog' }] })
    for (const release of held) release()
    await run(clock.now())
    expect(older.now).toEqual({ state: 'fulfilled', value: [] })
  })
})

describe('people and machines', () => {
  /** Which requests have left, by their paths. */
  const paths = (sent: readonly { readonly url: string }[]) =>
    sent.map(({ url }) => new URL(url).pathname.slice('/v1'.length))
  const background = { priority: 'background' } as const

  test('people go before background work that came earlier', async () => {
    const { client, sent, run } = setup(slow)
    const calls = [
      client.listCategories(),
      client.call(operations.listOrders, undefined, background),
      client.call(operations.getPet, { petId: '7' }),
    ].map(watch)
    await run()
    expect(calls.map(({ now }) => now.state)).not.toContain('pending')
    expect(paths(sent)).toEqual(['/categories', '/pets/7', '/store/orders'])
  })

  test('a person who joins background work lifts it, even while it waits', async () => {
    const { client, sent, run, after } = setup(slow)
    const calls = [
      client.listCategories(),
      client.call(operations.listOrders, undefined, background),
      client.call(operations.getPet, { petId: '7' }),
    ].map(watch)
    after(50, () => calls.push(watch(client.call(operations.listOrders))))
    await run()
    expect(calls.map(({ now }) => now.state)).not.toContain('pending')
    expect(paths(sent)).toEqual(['/categories', '/store/orders', '/pets/7'])
  })

  test('what people ask for stays theirs after they have left, and background callers who join change nothing', async () => {
    const { client, sent, run } = setup(slow)
    const calls = [
      client.listCategories(),
      client.call(operations.listOrders),
      client.call(operations.listOrders, undefined, background),
      client.call(operations.getPet, { petId: '7' }),
    ].map(watch)
    await run()
    expect(calls.map(({ now }) => now.state)).not.toContain('pending')
    expect(paths(sent)).toEqual(['/categories', '/store/orders', '/pets/7'])
  })

  test('background work leaves people the last tenth of the quota, until a person joins it', async () => {
    const plan = [{ limit: 10, per: 60_000 }]
    const { client, run, clock, sent } = await setupOpen({ service: { plan } })
    for (let count = 0; count < 8; count += 1) {
      const call = watch(client.createCategory({ name: 'Dog' }))
      await run()
      expect(call.now.state).toBe('fulfilled')
    }
    expect(client.rateLimit.getSnapshot()).toMatchObject({ remaining: 1 })
    const machine = watch(client.listCategories(background))
    await run(clock.now())
    expect(machine.now).toEqual({ state: 'pending' })
    const joinedAt = clock.now()
    const person = watch(client.listCategories())
    await run(joinedAt)
    expect(person.now).toMatchObject({ state: 'fulfilled' })
    expect(machine.now).toStrictEqual(person.now)
    expect(sent.at(-1)?.at).toBe(joinedAt)
  })

  test('who joins a waiting call is told until when, and so is everybody when that becomes later', async () => {
    const { client, run, service, clock } = setup({ client: { retry: { maxWait: Number.POSITIVE_INFINITY } } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
    const told: [string, number | undefined][] = []
    const first = watch(client.listCategories({ onWait: (until) => told.push(['first', until]) }))
    await run(clock.now() + 10_000)
    const second = watch(client.listCategories({ onWait: (until) => told.push(['second', until]) }))
    await run()
    expect([first.now.state, second.now.state]).toEqual(['fulfilled', 'fulfilled'])
    const [early, , , , late] = told
    expect(told).toEqual([
      ['first', early?.[1]],
      ['second', early?.[1]],
      // The probe leaves, and is refused.
      ['first', undefined],
      ['second', undefined],
      ['first', late?.[1]],
      ['second', late?.[1]],
      ['first', undefined],
      ['second', undefined],
    ])
    expect(late?.[1]).toBeGreaterThan((early?.[1] ?? Number.NaN) + 29_000)
  })
})

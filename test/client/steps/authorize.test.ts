import { describe, expect, test } from 'vitest'
import { authorizations, json, respondWith, setup, statesOf, watch } from '../client.setup.ts'

describe('the apiKey function', () => {
  test('is called once more for a refused key, and the call is sent again with the new key', async () => {
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

  test.each([
    ['a function that returns the refused key again', () => 'wrong'],
    ['a text', 'wrong'],
  ])('has to return another key: no retry where `apiKey` is %s', async (_, apiKey) => {
    const { client, sent, run } = setup({ client: { apiKey } })
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
          // Reading the key takes longer than the time between two responses.
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
    // Its response makes the quota known, so that five calls can leave at once.
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
    expect(keysRead).toBe(5 + 1) // once for each call, and once for the new key
    expect(service.categories().filter(({ name }) => /^[a-e]$/.test(name))).toHaveLength(5)
  })

  test('that returns a new key in a cool-down makes the call wait for its end, or reject if maxWait is shorter', async () => {
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

  test('is called again before a retry, so an expired key is not sent again', async () => {
    const keys = ['first', 'second']
    const { client, run, sent } = setup({
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

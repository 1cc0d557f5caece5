import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createClientWith } from '../../../src/client/createPetstoreClient.ts'
import { createMemoryStore } from '../../../src/client.ts'
import { createVirtualClock } from '../../rate-limit/virtualClock.ts'
import { respondWith, setup, json, opening, silence, stalledBody, watch } from '../client.setup.ts'

const oneAttempt = { attempts: 1 }
type Fetch = (request: Request) => Promise<Response>

const late: readonly (readonly [string, Fetch])[] = [
  ['no response comes', silence],
  ['nobody listens to the signal', () => new Promise(() => {})],
  ['the body stalls', async () => stalledBody()],
  ['the body of an error stalls', async () => stalledBody(500)],
]

describe('timeout', () => {
  test.each(late)('ends a request after its time when %s', async (_, fetch) => {
    const { client, run, clock, sent } = setup({ client: { fetch, timeout: 5_000, retry: oneAttempt } })
    const call = watch(client.createCategory({ name: 'Dog' }))
    await run(opening + 4_999)
    expect(call.now).toEqual({ state: 'pending' })
    await run(opening + 5_000)
    expect(call.now).toMatchObject({
      state: 'rejected',
      error: { kind: 'timeout', timeout: 5_000, outcome: 'unknown' },
    })
    expect(clock.now()).toBe(opening + 5_000)
    expect(sent).toHaveLength(1)
  })

  test('is 30 s if nothing is said', async () => {
    const { client, run, clock } = setup({ client: { fetch: silence, retry: oneAttempt } })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'timeout', timeout: 30_000 } })
    expect(clock.now()).toBe(opening + 30_000)
  })

  test('of Infinity bounds nothing', async () => {
    const { client, run } = setup({
      client: { fetch: silence, timeout: Number.POSITIVE_INFINITY, retry: oneAttempt },
    })
    const leaving = new AbortController()
    const call = watch(client.listCategories({ signal: leaving.signal }))
    await run(opening + 20 * 86_400_000)
    expect(call.now).toEqual({ state: 'pending' })
    leaving.abort('enough')
    await run()
    expect(call.now).toEqual({ state: 'rejected', error: 'enough' })
  })

  test('aborts the request', async () => {
    let request: Request | undefined
    const fetch: Fetch = (sent) => {
      request = sent
      return silence(sent)
    }
    const { client, run } = setup({ client: { fetch, timeout: 5_000, retry: oneAttempt } })
    watch(client.listCategories())
    await run()
    expect(request?.signal.aborted).toBe(true)
  })

  test('is over with the response: no timer is left', async () => {
    const { client, run, clock } = setup()
    const call = watch(client.listCategories())
    await run()
    expect(call.now.state).toBe('fulfilled')
    expect(clock.now()).toBe(opening)
  })

  test('holds for each attempt, not for the time between them', async () => {
    const { client, run, sent } = setup({
      random: () => 1,
      client: { fetch: respondWith(silence, silence, async () => json([])), timeout: 5_000 },
    })
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(sent.map(({ at }) => at - opening)).toEqual([0, 6_000, 13_000])
  })

  test.each(late)('gives the unit back to the line when %s: the next call is not held', async (_, fetch) => {
    const { client, run, clock, sent } = setup({
      client: { fetch: respondWith(fetch, async () => json([])), timeout: 5_000, retry: oneAttempt },
    })
    const first = watch(client.listCategories())
    await run()
    expect(first.now).toMatchObject({ state: 'rejected' })
    const second = watch(client.listCategories())
    await run(clock.now())
    expect(second.now).toEqual({ state: 'fulfilled', value: [] })
    expect(sent).toHaveLength(2)
  })

  test('ends a real connection whose body stalls', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.write('[', () => server.emit('begun', response))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const begun = once(server, 'begun')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const clock = createVirtualClock()
    const client = createClientWith(
      { clock, random: Math.random },
      { baseUrl: `http://127.0.0.1:${port}/v1`, rateLimitStore: createMemoryStore(), retry: oneAttempt },
    )
    const call = watch(client.listCategories())
    const [response] = await begun
    const gone = once(response, 'close')
    await clock.run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'timeout', timeout: 30_000 } })
    await gone
    server.close()
  })
})

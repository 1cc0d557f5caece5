import { afterEach, expect, test } from 'vitest'
import { type ListeningService, listen } from '../../src/testing/node.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'

const servers: ListeningService[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options?: PetstoreServiceOptions) {
  const service = createPetstoreService(options)
  const server = await listen(service)
  servers.push(server)
  return { service, server }
}

const headers = { Authorization: 'Bearer demo' }

test('a list of 100,000 categories arrives as a whole', async () => {
  const { server } = await start({ categories: 100_000 })
  expect(await (await fetch(`${server.baseUrl}/categories`, { headers })).json()).toHaveLength(100_000)
})

test.each(['lost-before', 'lost-after'] as const)(
  'the fault %s closes the connection without a response',
  async (connection) => {
    const { service, server } = await start({ categories: [] })
    service.failNext({ connection })
    const request = { method: 'POST', headers, body: '{"name":"Fox"}' }
    await expect(fetch(`${server.baseUrl}/categories`, request)).rejects.toThrow(TypeError)
    expect(service.categories()).toHaveLength(connection === 'lost-after' ? 1 : 0)
    expect(service.requests).toHaveLength(1)
  },
)

test('no connection is used twice, since browsers repeat a request on one that closes without a response', async () => {
  const { server } = await start()
  const response = await fetch(`${server.baseUrl}/categories`, { headers })
  expect(response.headers.get('connection')).toBe('close')
})

test('a client that disconnects aborts its request', async () => {
  const service = createPetstoreService({ latency: 100, sleep: () => new Promise(() => {}) })
  const client = new AbortController()
  let outcome: Promise<unknown> | undefined
  const server = await listen({
    ...service,
    fetch(input) {
      const response = service.fetch(input)
      outcome = response.catch((error: unknown) => error)
      client.abort()
      return response
    },
  })
  servers.push(server)
  const request = fetch(`${server.baseUrl}/categories`, { headers, signal: client.signal })
  await expect(request).rejects.toMatchObject({ name: 'AbortError' })
  expect(await outcome).toMatchObject({ name: 'AbortError' })
})

test('close ends waiting connections and may be called twice', async () => {
  const { server } = await start({ latency: 100, sleep: () => new Promise(() => {}) })
  const waiting = fetch(`${server.baseUrl}/categories`, { headers }).catch((error: unknown) => error)
  await new Promise((resolve) => setImmediate(resolve))
  await server.close()
  await server.close()
  expect(await waiting).toBeInstanceOf(TypeError)
  await expect(fetch(server.origin)).rejects.toThrow(TypeError)
})

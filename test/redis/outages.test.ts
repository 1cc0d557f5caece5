import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPetstoreHandler, type PetstoreHandlerOptions } from '../../src/server.ts'
import { createRedisStore, type RedisStoreOptions } from '../../src/server/redis.ts'
import type { StoreFailureReason } from '../../src/rate-limit/RateLimitStore.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { redisClients } from './redisClients.ts'
import { hasRedis, type RedisServer, startRedis } from './startRedis.ts'

let server: RedisServer

beforeEach(async () => {
  if (hasRedis) server = await startRedis()
})

afterEach(async () => {
  if (hasRedis) await server.kill()
})

type Connect = () => Promise<RedisStoreOptions['client']>

/** One of several server processes: a handler, and the events of its store. */
async function startProcess(connect: Connect, options: Partial<PetstoreHandlerOptions> = {}) {
  const service = createPetstoreService({ plan: 'business' })
  const statuses: string[] = []
  const reasons: string[] = []
  const handler = createPetstoreHandler({
    baseUrl: service.baseUrl,
    apiKey: 'demo',
    authorize: 'everybody',
    fetch: service.fetch,
    allowUnmarkedRequests: true,
    rateLimitStore: createRedisStore({ client: await connect() }),
    onEvent: (event) => {
      if (event.type !== 'rate-limit-store') return
      statuses.push(event.status)
      if (event.reason) reasons.push(event.reason)
    },
    ...options,
  })
  return {
    service,
    statuses,
    reasons,
    handler,
    list: async () => {
      const { status } = await handler(new Request('https://shop.example/api/petstore/v1/categories'))
      return status
    },
    /** Asks for the health again and again, as a readiness probe does: each call lets the handler try its store. */
    becomesHealthy: async () => {
      await expect.poll(() => handler.health()).toEqual({ store: 'ok' })
    },
  }
}

const command = (...args: [string, ...string[]]) => commandWithPassword(undefined, ...args)

async function commandWithPassword(password: string | undefined, ...args: [string, ...string[]]): Promise<unknown> {
  const client = new Redis(server.url, password === undefined ? {} : { password }).on('error', () => {})
  const result = await client.call(...args)
  client.disconnect()
  return result
}

describe.runIf(hasRedis).each(Object.entries(redisClients))('with %s', (_name, connectTo) => {
  const connect: Connect = async () => {
    const { client, close } = await connectTo(server.url)
    onTestFinished(close)
    return client
  }
  type Outage = readonly [name: string, reason: StoreFailureReason, begin: () => unknown, end: () => unknown]
  const outages: readonly Outage[] = [
    ['is paused', 'timeout', () => server.pause(), () => server.resume()],
    ['is killed and comes back empty', 'unreachable', () => server.kill(), () => server.restart()],
    [
      'wants a password',
      'authentication',
      async () => {
        await command('CONFIG', 'SET', 'requirepass', 'changed') // asked of new connections alone
        await commandWithPassword('changed', 'CLIENT', 'KILL', 'TYPE', 'pubsub')
        await commandWithPassword('changed', 'CLIENT', 'KILL', 'TYPE', 'normal')
      },
      () => commandWithPassword('changed', 'CONFIG', 'SET', 'requirepass', ''),
    ],
    [
      'lets the user run no scripts',
      'permission',
      () => command('ACL', 'SETUSER', 'default', '-evalsha', '-eval'),
      () => command('ACL', 'SETUSER', 'default', '+evalsha', '+eval'),
    ],
    [
      'is a replica that cannot be written',
      'read-only',
      () => command('REPLICAOF', '127.0.0.1', '1'),
      () => command('REPLICAOF', 'NO', 'ONE'),
    ],
    [
      'has no memory left',
      'out-of-memory',
      () => command('CONFIG', 'SET', 'maxmemory', '1'),
      () => command('CONFIG', 'SET', 'maxmemory', '0'),
    ],
  ]

  test.each(outages)('a process goes on while Redis %s (%s), and rejoins it', async (_outage, reason, begin, end) => {
    const { list, statuses, reasons, handler, becomesHealthy } = await startProcess(connect)
    expect([await list(), handler.health()]).toEqual([200, { store: 'ok' }])
    await begin()
    expect([await list(), await list(), statuses]).toEqual([200, 200, ['failed']])
    await expect.poll(() => handler.health()).toEqual({ store: 'unavailable', reason })
    // The first command may time out a moment before the client reports the lost connection.
    expect([[reason], ['timeout']]).toContainEqual(reasons)
    await end()
    await becomesHealthy()
    expect([statuses, reasons.length]).toEqual([['failed', 'recovered'], 1])
    expect(await list()).toBe(200)
  })

  test('a process starts without Redis, and joins the others when it comes', async () => {
    const client = await connect()
    await server.kill()
    const process = await startProcess(async () => client)
    expect([await process.list(), process.statuses]).toEqual([200, ['failed']])
    await server.restart()
    await process.becomesHealthy()
    await expect.poll(() => command('KEYS', '{petstore:*}')).toHaveLength(1)
  })

  test('no request leaves in a cool-down that was known before Redis was lost together with its data', async () => {
    const process = await startProcess(connect)
    expect(await process.list()).toBe(200)
    process.service.failNext({ status: 429, headers: { 'Retry-After': '3600' } })
    expect(await process.list()).toBe(429)
    const sent = process.service.requests.length
    await server.kill()
    expect([await process.list(), await process.list()]).toEqual([429, 429])
    await server.restart()
    await process.becomesHealthy()
    expect(await process.list()).toBe(429)
    expect(process.service.requests).toHaveLength(sent)
    // A new process learns of the cool-down from Redis, where the first process has stored it again.
    const next = await startProcess(connect, { fetch: process.service.fetch, baseUrl: process.service.baseUrl })
    expect(await next.list()).toBe(429)
    expect(process.service.requests).toHaveLength(sent)
  })
})

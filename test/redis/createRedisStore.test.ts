import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisStore } from '../../src/server/redis.ts'
import { createPetstoreClient, type RateLimitStore } from '../../src/client.ts'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { storeChecks } from '../rate-limit/stores/storeChecks.ts'
import { redisClients } from './redisClients.ts'
import { hasRedis, type RedisServer, startRedis } from './startRedis.ts'

let server: RedisServer
const closings: (() => void)[] = []

beforeAll(async () => {
  if (hasRedis) server = await startRedis()
})

afterAll(async () => {
  for (const close of closings) close()
  if (hasRedis) await server.kill()
})

describe.runIf(hasRedis).each(Object.entries(redisClients))('with %s', (library, connect) => {
  const createStore = async () => {
    const { client, close } = await connect(server.url)
    closings.push(close)
    return createRedisStore({ client })
  }

  test.each(storeChecks(createStore))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  test('still updates records after Redis has forgotten its scripts', async () => {
    const store = await createStore()
    await store.update('scripts', () => 1)
    await connectIoRedis().script('FLUSH')
    await store.update('scripts', (stored) => Number(stored) + 1)
    expect(await recordIn('{petstore:scripts}')).toBe('2')
  })

  test('has at most one second connection, whichever channels Redis refuses, and none if it refuses all', async () => {
    const admin = connectIoRedis()
    await admin.call('ACL', 'SETUSER', library, 'on', 'nopass', '~*', '+@all', 'resetchannels', '&{petstore:open}')
    const { client, close } = await connect(server.url.replace('//', `//${library}:any@`))
    const connectionCount = async () => String(await admin.client('LIST')).split(` user=${library} `).length - 1
    const store = createRedisStore({ client })
    const isRefused = async (name: string) => {
      store.subscribe(name, () => {})
      await expect.poll(async () => JSON.stringify(await admin.call('ACL', 'LOG'))).toContain(`{petstore:${name}}`)
    }
    await isRefused(`${library} first`)
    await expect.poll(connectionCount).toBe(1)
    store.subscribe('open', () => {})
    await expect.poll(() => admin.pubsub('NUMSUB', '{petstore:open}')).toContain(1)
    await isRefused(`${library} second`)
    await expect.poll(connectionCount).toBe(2)
    close()
    await expect.poll(connectionCount).toBe(0)
  })
})

function connectIoRedis(options: { keyPrefix?: string } = {}): Redis {
  const client = new Redis(server.port, options).on('error', () => {})
  closings.push(() => client.disconnect())
  return client
}

const recordIn = (key: string) => connectIoRedis().hget(key, 'record')

const increment = (stored: unknown) => Number(stored ?? 0) + 1

describe('mistakes', () => {
  const methods = { evalsha: async () => [], eval: async () => [], duplicate: () => ({}), on: () => {} }

  test.each([
    [{ client: {} }, /^client is no client of `redis` or `ioredis`/],
    [undefined, /^client is no client/],
    [methods, /^client is no client/],
    [{ client: 'redis://127.0.0.1:6379' }, /^client is no client .*connect/],
    [{ client: Promise.resolve(methods) }, /^client is no client .*`await/],
    [{ client: methods, prefix: 'a}b' }, /^prefix is a text without "}"/],
    [{ client: methods, prefix: 7 }, /^prefix is a text/],
    [{ client: methods, processes: 0.5 }, /^processes is a number of processes/],
  ])('%o is an error at once', (options, message) => {
    const create: (options: never) => unknown = createRedisStore
    // Untyped code may pass anything.
    expect(() => Reflect.apply(create, undefined, [options])).toThrow(message)
  })
})

describe.runIf(hasRedis)('the store', () => {
  test('tells the gate how many processes there are, for the time without Redis', () => {
    const processesOf = (options: object) => createRedisStore({ client: connectIoRedis(), ...options }).processes
    expect([processesOf({}), processesOf({ processes: 4 })]).toEqual([1, 4])
  })

  test('names keys by prefix and name, in one slot of a cluster, and lets them expire after two days', async () => {
    const store = createRedisStore({ client: connectIoRedis(), prefix: 'shop' })
    await store.update('of the shop', increment)
    const reader = connectIoRedis()
    expect(await reader.keys('*shop*')).toEqual(['{shop:of the shop}'])
    const ttl = await reader.pttl('{shop:of the shop}')
    expect(ttl).toBeGreaterThan(172_000_000)
    expect(ttl).toBeLessThanOrEqual(172_800_000)
  })

  test('notifies of changes under the same keyPrefix of ioredis, and not of those under another one', async () => {
    const [one, same, other] = ['a:', 'a:', 'b:'].map((keyPrefix) =>
      createRedisStore({ client: connectIoRedis({ keyPrefix }) }),
    )
    const received: string[] = []
    const isReceived = new Promise((resolve) => {
      other?.subscribe('name', (record) => received.push(`other ${String(record)}`))
      same?.subscribe('name', (record) => {
        received.push(`same ${String(record)}`)
        resolve(undefined)
      })
    })
    await one?.update('name', increment)
    await isReceived
    expect(received).toEqual(['same 1'])
  })

  test('reads a record once, and then needs one round trip for each update', async () => {
    const client = connectIoRedis()
    const runScript = vi.spyOn(client, 'evalsha')
    const store = createRedisStore({ client })
    await store.update('trips', increment)
    expect(runScript).toHaveBeenCalledTimes(2)
    for (let update = 0; update < 5; update += 1) await store.update('trips', increment)
    expect(runScript).toHaveBeenCalledTimes(7)
    expect(await recordIn('{petstore:trips}')).toBe('6')
  })

  test('reads the record again if Redis has lost it and another process has stored a first version anew', async () => {
    const [one, other] = [connectIoRedis(), connectIoRedis()].map((client) => createRedisStore({ client }))
    await one?.update('life', () => 'first')
    await connectIoRedis().del('{petstore:life}')
    await other?.update('life', () => 'second')
    let seen: unknown
    await one?.update('life', (stored) => {
      seen = stored
      return 'third'
    })
    expect(seen).toBe('second')
  })

  test('two processes share one quota, and the service refuses none of their calls', async () => {
    const service = createPetstoreService({ plan: [{ limit: 10, per: 86_400_000 }] })
    const processes = [1, 2].map(() =>
      createPetstoreClient({
        ...service.providerProps(),
        rateLimitStore: createRedisStore({ client: connectIoRedis(), prefix: 'quota' }),
        retry: { maxWait: 3_000 },
      }),
    )
    // A gate reads the changes of others only while somebody subscribes to it or calls wait.
    for (const { rateLimit } of processes) onTestFinished(rateLimit.subscribe(() => {}))
    const calls = processes.flatMap((client) =>
      Array.from({ length: 10 }, (_, index) => client.createCategory({ name: `${index}` })),
    )
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(service.requests.map(({ status }) => status)).toEqual(Array(10).fill(201))
    // Each process learns through the channel of Redis what the other one has used last.
    for (const client of processes) {
      await expect.poll(client.rateLimit.getSnapshot).toMatchObject({ status: 'exhausted' })
    }
  })

  test('machines whose clocks differ by an hour end a cool-down at the same moment', async () => {
    const { now } = Date
    const hour = 3_600_000
    const onFastMachine = async (run: () => Promise<void>) => {
      const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + hour)
      await run().finally(() => spy.mockRestore())
    }
    const [fast, right] = [connectIoRedis(), connectIoRedis()].map((client) => createRedisStore({ client }))
    await onFastMachine(async () => {
      const time = Date.now()
      await fast?.update('clocks', () => ({ ...emptyRecord, updatedAt: time, cooldownUntil: time + 60_000 }))
    })
    const secondsLeft = async (store: RateLimitStore | undefined) => {
      let seen: unknown
      await store?.update('clocks', (stored) => (seen = stored))
      return Math.round((Object(seen).cooldownUntil - Date.now()) / 10_000) * 10
    }
    expect(await secondsLeft(right)).toBe(60)
    await onFastMachine(async () => expect(await secondsLeft(fast)).toBe(60))
  })

  test('ends its second connection with the client', async () => {
    const client = connectIoRedis()
    const store = createRedisStore({ client })
    store.subscribe('end', () => {})
    const reader = connectIoRedis()
    const subscriberCount = () => reader.pubsub('NUMSUB', '{petstore:end}')
    await expect.poll(subscriberCount).toEqual(['{petstore:end}', 1])
    client.disconnect()
    await expect.poll(subscriberCount).toEqual(['{petstore:end}', 0])
  })

  test('joins the channel that ioredis gave up while Redis was away', async () => {
    const away = await startRedis()
    onTestFinished(away.kill)
    await away.kill()
    const client = new Redis(away.url, { maxRetriesPerRequest: 0, retryStrategy: () => 50 }).on('error', () => {})
    closings.push(() => client.disconnect())
    const store = createRedisStore({ client })
    store.subscribe('away', () => {})
    await expect(store.update('away', increment)).rejects.toThrow()
    await away.restart()
    await expect.poll(() => store.update('away', increment).then(() => true)).toBe(true)
    await expect.poll(() => client.pubsub('NUMSUB', '{petstore:away}')).toContain(1)
  })
})

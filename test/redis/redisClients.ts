import { Redis as IoRedis6 } from 'ioredis'
import { Redis as IoRedis5 } from 'ioredis-5'
import { createClient as createNodeRedis6 } from 'redis'
import { createClient as createNodeRedis5 } from 'redis-5'

/** Connects the clients of Redis that apps use. An outage is no test's failure, so their error events are dropped. */
export const redisClients = {
  'node-redis 5': async (url: string) => {
    const client = createNodeRedis5({ url }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  'node-redis 6': async (url: string) => {
    const client = createNodeRedis6({ url }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  'ioredis 5': async (url: string) => {
    const client = new IoRedis5(url, { lazyConnect: true }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.disconnect() }
  },
  'ioredis 6': async (url: string) => {
    const client = new IoRedis6(url, { lazyConnect: true }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.disconnect() }
  },
}

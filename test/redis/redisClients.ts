import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { RedisStoreOptions } from '../../src/server/redis.ts'

interface Connection {
  readonly client: RedisStoreOptions['client']
  readonly close: () => void
}

/** Connects the clients of Redis that apps use. Drops their error events, because tests cause outages on purpose. */
export const redisClients: Readonly<Record<string, (url: string) => Promise<Connection>>> = {
  'node-redis': async (url: string) => {
    const client = createClient({ url, socket: { reconnectStrategy: 50 } }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  ioredis: async (url: string) => {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.disconnect() }
  },
}

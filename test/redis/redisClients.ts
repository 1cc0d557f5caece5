import { Redis } from 'ioredis'
import { createClient } from 'redis'

/** Connects the clients of Redis that apps use. An outage is no test's failure, so their error events are dropped. */
export const redisClients = {
  'node-redis': async (url: string) => {
    const client = createClient({ url }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  ioredis: async (url: string) => {
    const client = new Redis(url, { lazyConnect: true }).on('error', () => {})
    await client.connect()
    return { client, close: () => client.disconnect() }
  },
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, Redis } from 'ioredis'
import { createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisStore, type RedisStoreOptions } from '../../src/server/redis.ts'
import { hasRedis, type RedisServer, startRedis } from './startRedis.ts'

let server: RedisServer
const folder = mkdtempSync(join(tmpdir(), 'redis-cluster-'))

beforeAll(async () => {
  if (!hasRedis) return
  server = await startRedis({
    'cluster-enabled': 'yes',
    'cluster-config-file': join(folder, 'nodes.conf'),
    'cluster-announce-ip': '127.0.0.1',
  })
  const client = new Redis(server.url)
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  const isReady = async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')
  await vi.waitUntil(isReady, 60_000)
  client.disconnect()
})

afterAll(async () => {
  if (hasRedis) await server.kill()
  rmSync(folder, { recursive: true })
})

const clients: readonly (readonly [name: string, connect: () => Promise<RedisStoreOptions['client']>])[] = [
  [
    'ioredis',
    async () => {
      const client = new Cluster([server.url])
      onTestFinished(() => client.disconnect())
      return client
    },
  ],
  [
    'node-redis',
    async () => {
      const client = createCluster({ rootNodes: [{ url: server.url }] }).on('error', () => {})
      onTestFinished(() => client.destroy())
      await client.connect()
      return client
    },
  ],
]

describe.runIf(hasRedis).each(clients)('with a cluster client of %s', (library, connect) => {
  test('processes change one record, and learn of changes', async () => {
    const [one, other] = [createRedisStore({ client: await connect() }), createRedisStore({ client: await connect() })]
    const received: unknown[] = []
    onTestFinished(other.subscribe(library, (stored) => received.push(stored)))
    const increment = (stored: unknown) => Number(stored ?? 0) + 1
    await one.update(library, increment)
    await other.update(library, increment)
    await Promise.all([one.update(library, increment), other.update(library, increment)])
    await expect.poll(() => received.at(-1)).toBe(4)
  })
})

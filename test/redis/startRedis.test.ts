import { expect, test } from 'vitest'
import { redisClients } from './redisClients.ts'
import { hasRedis, startRedis } from './startRedis.ts'

interface Connection {
  readonly client: {
    readonly get: (name: string) => Promise<unknown>
    readonly set: (name: string, value: string) => Promise<unknown>
  }
  readonly close: () => void
}

test.runIf(hasRedis).each(Object.entries(redisClients))('%s finds a killed server empty', async (_name, connect) => {
  const server = await startRedis()
  const before: Connection = await connect(server.url)
  await before.client.set('name', 'value')
  expect(await before.client.get('name')).toBe('value')
  before.close()
  await server.kill()
  await server.restart()
  const after: Connection = await connect(server.url)
  expect(await after.client.get('name')).toBeNull()
  after.close()
  await server.kill()
})

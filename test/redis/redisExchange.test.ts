import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { createRedisExchange } from '../../src/server/redis/redisExchange.ts'
import { hasRedis, startRedis } from './startRedis.ts'

test.runIf(hasRedis)('after a failure a process knows whether the others have used Redis again', async () => {
  const server = await startRedis()
  onTestFinished(server.kill)
  const connect = () => {
    const client = new Redis(server.url, { retryStrategy: () => 20 }).on('error', () => {})
    onTestFinished(() => client.disconnect())
    return createRedisExchange(client, () => {})
  }
  const [one, other] = [connect(), connect()]
  const known = () => {
    const { count, areComplete } = one.processesOf('key')
    return { count, areComplete }
  }
  await other.exchange('key', '')
  await one.exchange('key', '')
  expect(known()).toEqual({ count: 2, areComplete: true })
  await server.kill()
  await expect(Promise.any([one.exchange('key', ''), other.exchange('key', '')])).rejects.toThrow('All promises')
  expect(known()).toEqual({ count: 2, areComplete: false })
  await server.restart()
  await expect.poll(() => one.exchange('key', '').then(() => 'back')).toBe('back')
  expect(known()).toEqual({ count: 2, areComplete: false })
  await expect.poll(() => other.exchange('key', '').then(() => 'back')).toBe('back')
  await one.exchange('key', '')
  expect(known()).toEqual({ count: 2, areComplete: true })
})

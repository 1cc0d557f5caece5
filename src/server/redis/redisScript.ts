import type { IoRedisClient, NodeRedisClient } from './redisClients.ts'

/** Runs one script of Redis. */
export type RedisScript = (keys: string[], args: string[]) => Promise<unknown>

export function isIoRedis(client: NodeRedisClient | IoRedisClient): client is IoRedisClient {
  return 'evalsha' in client
}

/** Sends the script itself only if Redis does not have it, as after a restart. */
export function createRedisScript(client: NodeRedisClient | IoRedisClient, script: string): RedisScript {
  let hash: Promise<string> | undefined

  function run(command: 'evalsha' | 'eval', text: string, keys: string[], args: string[]): Promise<unknown> {
    if (isIoRedis(client)) return client[command](text, keys.length, ...keys, ...args)
    return client[command === 'eval' ? 'eval' : 'evalSha'](text, { keys, arguments: args })
  }

  return async (keys, args) => {
    hash ??= sha1(script)
    try {
      return await run('evalsha', await hash, keys, args)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return run('eval', script, keys, args)
    }
  }
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

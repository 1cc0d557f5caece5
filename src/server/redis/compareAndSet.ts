import { type IoRedisClient, isIoRedis, type NodeRedisClient } from './redisClients.ts'

/**
 * Replaces a record if it still has the version that the caller knows, and tells the other processes. Returns what the
 * caller needs to try again if it has not.
 *
 * A version is a random name for the life of the key, and a number that counts its changes. A Redis that has lost its
 * data so never takes an old version for its own.
 *
 * A process that has lost a race several times gets the write lock: for some milliseconds nobody else writes.
 *
 * Keys: the record, the write lock, the processes. Arguments: the id of the process, the known version, the record as
 * JSON (or nothing to only compare), a random name, whether the write lock is needed, since when processes have to be
 * back (or nothing), and the time that the last response said that came in time (or nothing, for a new process). That is how long the process
 * is known to have Redis: the client may send this long after the process has given it up, or its response may come too
 * late.
 *
 * Returns whether the known version is the stored one (and the record is written), the version, the record if the caller
 * does not know it, the time in ms, how many processes have used the record in the last ten minutes, how many of them are
 * back, and whether this one has the write lock.
 */
export const compareAndSet = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local id, known, record, name, needsLock, since, heardAt = unpack(ARGV)
local held = redis.call('HMGET', KEYS[1], 'version', 'record')
local version = held[1] or ''

redis.call('ZADD', KEYS[3], 'GT', heardAt == '' and now or heardAt, id)
redis.call('ZREMRANGEBYSCORE', KEYS[3], 0, now - 600000)
redis.call('PEXPIRE', KEYS[3], 600000)
local processes = redis.call('ZCARD', KEYS[3])
local back = since == '' and processes or redis.call('ZCOUNT', KEYS[3], since, '+inf')

if version ~= known then
  local hasLock = needsLock == '1' and redis.call('SET', KEYS[2], id, 'PX', 50, 'NX')
  return {0, version, held[2] or '', now, processes, back, hasLock and 1 or 0}
end
if record == '' then return {1, version, '', now, processes, back} end

local lock = redis.call('GET', KEYS[2])
if lock and lock ~= id then return {0, version, '', now, processes, back} end
if lock then redis.call('DEL', KEYS[2]) end

local count = string.match(version, '%d+$')
if count then name = string.sub(version, 1, -#count - 2) end
version = name .. '-' .. string.format('%.0f', (count or 0) + 1)
redis.call('HSET', KEYS[1], 'version', version, 'record', record)
redis.call('PEXPIRE', KEYS[1], 172800000)
redis.call('PUBLISH', KEYS[1], version .. ' ' .. record)
return {1, version, '', now, processes, back}
`

/** Runs one script of Redis. */
type RedisScript = (keys: string[], args: string[]) => Promise<unknown>

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

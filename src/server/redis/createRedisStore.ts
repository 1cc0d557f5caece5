import { createFleetStore, updateTimeout } from '../../rate-limit/fleet/createFleetStore.ts'
import { createListeners, type Listeners } from '../../rate-limit/listeners.ts'
import type { RateLimitStore } from '../../rate-limit/RateLimitStore.ts'
import { compareAndSet } from './compareAndSet.ts'
import type { IoRedisClient, NodeRedisClient } from './redisClients.ts'
import { createRedisChannels } from './redisChannels.ts'
import { createRedisClock } from './redisClock.ts'
import { createRedisScript } from './redisScript.ts'
import { isNewerVersion } from './versions.ts'

/** The client of Redis, and where its keys begin. */
export interface RedisStoreOptions {
  /**
   * A connected client of `redis` (node-redis) or `ioredis`, version 5 or 6, also of a cluster. The store duplicates it
   * for a second connection, which listens to changes and ends with the client.
   */
  readonly client: NodeRedisClient | IoRedisClient
  /** Begins the names of all keys and channels. Default `petstore`. */
  readonly prefix?: string | undefined
}

/** A record as Redis has it, or had it last. */
interface KnownRecord {
  /** Empty where Redis has none. */
  readonly version: string
  readonly record: unknown
}

interface Reply extends KnownRecord {
  /** Whether the version that was sent is the stored one. If a record was sent with it, that is stored now. */
  readonly isCurrent: boolean
  /** Whether the process has its turn: nobody else writes for some milliseconds. */
  readonly isNext: boolean
}

/** How many records a process remembers. Further ones are read again before they are changed. */
const maxKnown = 1_000
/** After so many lost races the process asks for a turn, and after `maxAttempts` the update fails. */
const patience = 2
const maxAttempts = 50
/** The longest pause between two attempts, in ms. */
const maxPause = 32

/**
 * Creates a store in Redis, so that all processes that use one API key share one gate. Needs Redis 7 or Valkey, or a
 * service that speaks their protocol. A record is kept for two days under a hash of address and key.
 *
 * @example
 * const client = await createClient({ url: process.env['REDIS_URL'] }).connect()
 * const rateLimitStore = createRedisStore({ client })
 */
export function createRedisStore({ client, prefix = 'petstore' }: RedisStoreOptions): RateLimitStore {
  const id = crypto.randomUUID()
  const run = createRedisScript(client, compareAndSet)
  const clock = createRedisClock()
  const known = new Map<string, KnownRecord>()
  const listeners = new Map<string, Listeners<unknown>>()
  const processes = new Map<string, number>()
  const updates = new Map<string, Promise<void>>()
  const channels = createRedisChannels(client, {
    onMessage: (channel, message) => {
      const [version = ''] = message.split(' ', 1)
      if (isNews(channel, version)) receive(channel, { version, record: JSON.parse(message.slice(version.length + 1)) })
    },
    onGap: (channel) => void read(channel).catch(() => {}),
  })

  function isNews(key: string, version: string): boolean {
    const current = known.get(key)
    return !current || isNewerVersion(version, current.version)
  }

  /** Remembers a record, and calls the listeners if it is newer than the one that was known. */
  function receive(key: string, received: KnownRecord): void {
    if (!isNews(key, received.version)) return
    known.delete(key)
    known.set(key, received)
    const [oldest = key] = known.keys()
    if (known.size > maxKnown) {
      known.delete(oldest)
      processes.delete(oldest)
    }
    if (received.version !== '') listeners.get(key)?.call(received.record)
  }

  async function exchange(key: string, version: string | undefined, record: string, needsTurn = false): Promise<Reply> {
    const sentAt = performance.now()
    const args = [id, version ?? 'unknown', record, crypto.randomUUID(), needsTurn ? '1' : '']
    const reply = await run([key, `${key}:turn`, `${key}:processes`], args)
    const [isCurrent, stored, text, time, count, isNext] = Array.isArray(reply) ? reply.map(String) : []
    if (stored === undefined || time === undefined) throw new TypeError('Redis did not run the script.')
    clock.learn(Number(time), sentAt)
    processes.set(key, Number(count))
    const received: unknown = text ? JSON.parse(text) : undefined
    return { isCurrent: isCurrent === '1', isNext: isNext === '1', version: stored, record: received }
  }

  /** Reads a record, and calls the listeners if they do not know it. */
  async function read(key: string): Promise<KnownRecord> {
    const { isCurrent, version, record } = await exchange(key, known.get(key)?.version, '')
    if (!isCurrent) receive(key, { version, record })
    return known.get(key) ?? { version, record }
  }

  async function update(key: string, change: (stored: unknown) => unknown): Promise<void> {
    let stored = known.get(key) ?? (await read(key))
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const changed = change(stored.record)
      const isSame = changed === stored.record
      const text = isSame ? '' : JSON.stringify(changed)
      const reply = await exchange(key, stored.version, text, attempt >= patience)
      if (reply.isCurrent) {
        if (!isSame) receive(key, { version: reply.version, record: changed })
        return
      }
      // The version is the same where another process has its turn.
      if (reply.version !== stored.version) {
        stored = { version: reply.version, record: reply.record }
        receive(key, stored)
      }
      if (attempt >= patience && !reply.isNext) await pause(Math.random() * Math.min(2 ** attempt, maxPause))
    }
    throw new Error(`The record was changed by others during ${maxAttempts} attempts.`)
  }

  /**
   * One after the other: updates of one process would only lose races to each other. But none waits long for another: that
   * may be lost with its connection.
   */
  async function updateInTurn(key: string, change: (stored: unknown) => unknown): Promise<void> {
    const before = updates.get(key) ?? Promise.resolve()
    const updated = before.then(() => update(key, change))
    const settled = updated.catch(() => {})
    const over = before.then(() => settledWithin(settled, updateTimeout))
    updates.set(key, over)
    await settled
    if (updates.get(key) === over) updates.delete(key)
    return updated
  }

  const keyOf = (name: string) => `{${prefix}:${name}}`

  return createFleetStore({
    update: (name, change) => updateInTurn(keyOf(name), change),
    subscribe: (name, listener) => {
      const key = keyOf(name)
      const all = listeners.get(key) ?? createListeners<unknown>()
      listeners.set(key, all)
      channels.join(key)
      const remove = all.add(listener)
      return () => {
        remove()
        if (!all.isEmpty || listeners.get(key) !== all) return
        listeners.delete(key)
        channels.leave(key)
      }
    },
    now: clock.now,
    processes: (name) => processes.get(keyOf(name)) ?? 1,
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

/** Resolves when `work` does, and after `ms` at the latest. */
function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.then(() => clearTimeout(timer)).then(resolve)
  })
}

import { createFleetStore } from '../../rate-limit/fleet/createFleetStore.ts'
import { configError, developmentWarning, isDevelopment } from '../../base/development.ts'
import { createListeners, type Listeners } from '../../base/listeners.ts'
import type { RateLimitStore } from '../../rate-limit/RateLimitStore.ts'
import type { IoRedisClient, NodeRedisClient } from './redisClients.ts'
import { createRedisChannels } from './redisChannels.ts'
import {
  createPatience,
  createRedisExchange,
  isNewerVersion,
  type KnownRecord,
  type Patience,
} from './redisExchange.ts'

/** The client of Redis, and where its keys begin. */
export interface RedisStoreOptions {
  /**
   * A connected client of `redis` (node-redis) or `ioredis`, version 6, also of a cluster. The store duplicates it
   * for a second connection, which listens to changes and ends with the client.
   */
  readonly client: NodeRedisClient | IoRedisClient
  /**
   * Begins the names of all keys and channels, without `}`. Default `petstore`. It has to be the same in all processes that
   * use one API key: under two prefixes there are two gates, and each of them uses the whole quota.
   */
  readonly prefix?: string | undefined
}

/** How many records a process remembers. Further ones are read again before they are changed. */
const maxKnown = 1_000
/** After so many lost races the process asks for the write lock, and after `maxAttempts` the update fails. */
const triesBeforeLock = 2
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
 *
 * @throws TypeError when an option cannot be used, saying what to write instead
 */
export function createRedisStore(options: RedisStoreOptions): RateLimitStore {
  checkUntyped(options)
  const { client, prefix = 'petstore' } = options
  const { exchange, processesOf, forget, now, failureReason, noteConnectionError } = createRedisExchange(
    client,
    (key) => listeners.get(key)?.call(known.get(key)?.record),
  )
  const known = new Map<string, KnownRecord>()
  const listeners = new Map<string, Listeners<unknown>>()
  const updates = new Map<string, Promise<void>>()
  /** The time of the last update of each record. */
  const patiences = new Map<string, Patience>()
  const channels = createRedisChannels(client, {
    onMessage: (channel, message) => {
      const [version = ''] = message.split(' ', 1)
      if (isNews(channel, version)) receive(channel, { version, record: JSON.parse(message.slice(version.length + 1)) })
    },
    onGap: (channel) => void read(channel).catch(() => {}),
    onError: noteConnectionError,
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
      patiences.delete(oldest)
      forget(oldest)
    }
    if (received.version !== '') listeners.get(key)?.call(received.record)
  }

  /** Reads a record, and calls the listeners if they do not know it. */
  async function read(key: string, patience?: Patience): Promise<KnownRecord> {
    const { isCurrent, version, record } = await exchange(key, known.get(key)?.version, undefined, patience)
    if (!isCurrent) receive(key, { version, record })
    return known.get(key) ?? { version, record }
  }

  async function update(key: string, change: (stored: unknown) => unknown): Promise<void> {
    const patience = createPatience(patiences.get(key))
    patiences.set(key, patience)
    let stored = known.get(key) ?? (await read(key, patience))
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const changed = change(stored.record)
      const isSame = changed === stored.record
      const text = isSame ? '' : JSON.stringify(changed)
      const sent = { record: text, needsLock: attempt >= triesBeforeLock }
      const reply = await exchange(key, stored.version, sent, patience)
      if (reply.isCurrent) {
        if (!isSame) receive(key, { version: reply.version, record: changed })
        return
      }
      // The version is the same where another process has the write lock.
      if (reply.version !== stored.version) {
        stored = { version: reply.version, record: reply.record }
        receive(key, stored)
      }
      if (attempt < triesBeforeLock || reply.hasLock) continue
      await pause(Math.random() * Math.min(2 ** attempt, maxPause))
    }
    throw new Error(`The record was changed by others during ${maxAttempts} attempts.`)
  }

  /**
   * One after the other: updates of one process would only lose races to each other. Those that wait fail with the one
   * before them, since they would wait as long for nothing.
   */
  async function updateInTurn(key: string, change: (stored: unknown) => unknown): Promise<void> {
    const before = updates.get(key) ?? Promise.resolve()
    const updated = before.then(() => update(key, change))
    updates.set(key, updated)
    try {
      await updated
    } finally {
      if (updates.get(key) === updated) updates.delete(key)
    }
  }

  const keyOf = (name: string) => `{${prefix}:${name}}`

  return createFleetStore({
    update: (name, change) => {
      if (isDevelopment && process.env.NODE_ENV !== 'production') warnOfPrefixes(name, prefix)
      return updateInTurn(keyOf(name), change)
    },
    failureReason,
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
    now,
    processes: (name) => processesOf(keyOf(name)),
  })
}

/**
 * Untyped code may pass anything, and a store that never works is found out late: the gate continues without it. So
 * production says why, too.
 *
 * @throws TypeError
 */
function checkUntyped(options: RedisStoreOptions): void {
  const { client, prefix }: { readonly [Name in keyof RedisStoreOptions]?: unknown } = Object(options)
  const has = (name: string) => typeof Reflect.get(Object(client), name) === 'function'
  if (typeof client === 'string' || client instanceof URL) {
    throw configError('client', 'is an address. Connect to it: `await createClient({ url }).connect()`.')
  }
  if (has('then')) throw configError('client', 'is a promise. Write `await` before it.')
  if (!(has('evalSha') || has('evalsha')) || !has('eval') || !has('duplicate') || !has('on')) {
    throw configError('client', 'is no client of `redis` or `ioredis`. Write `createRedisStore({ client })`.')
  }
  if (prefix === undefined) return
  if (typeof prefix !== 'string' || prefix.includes('}')) {
    throw configError('prefix', 'is a text without "}", so that all keys of a record are in one slot of a cluster.')
  }
}

/** The prefix under which each record was used first. */
const prefixes = new Map<string, string>()

/** Other processes cannot be asked: a prefix tells nothing of the others. */
function warnOfPrefixes(name: string, prefix: string): void {
  const first = prefixes.get(name) ?? prefix
  if (prefixes.size < maxKnown) prefixes.set(name, first)
  if (first === prefix) return
  developmentWarning(
    `One API key is used with the prefixes "${first}" and "${prefix}" of createRedisStore. Each of them has a gate of its own, and both use the whole quota. Use one prefix for one key.`,
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

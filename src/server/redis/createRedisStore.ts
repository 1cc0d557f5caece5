import { configError } from '../../base/development.ts'
import { createListeners, type Listeners } from '../../base/listeners.ts'
import { shiftTimes } from '../../rate-limit/GateRecord.ts'
import type { RateLimitStore, StoreFailureReason } from '../../rate-limit/RateLimitStore.ts'
import { readFailure, RedisTimeoutError, UnknownReplyError } from './readFailure.ts'
import { createRedisScript, type IoRedisClient, type NodeRedisClient, openSubscriber } from './redisClients.ts'

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
  /**
   * How many processes use one API key. Default 1. While Redis is away, each sends one request at a time in a window, its
   * part of it at most, and of several none the last tenth: with 1, all of them send more than there is, and some are
   * refused.
   */
  readonly processes?: number | undefined
}

/**
 * Replaces a record if it still has the version that the caller knows, and tells the other processes. Arguments: the known
 * version, the new record as JSON (or nothing to only compare), and its version: a random name for the life of the key, and
 * a number. Returns whether the known version was the stored one, the version, the record if the caller does not know it,
 * and the time in ms.
 */
const compareAndSet = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local held = redis.call('HMGET', KEYS[1], 'version', 'record')
local known, record, version = unpack(ARGV)
if (held[1] or '') ~= known then return {0, held[1] or '', held[2] or '', now} end
if record == '' then return {1, known, '', now} end
redis.call('HSET', KEYS[1], 'version', version, 'record', record)
redis.call('PEXPIRE', KEYS[1], 172800000)
redis.call('PUBLISH', KEYS[1], version .. ' ' .. record)
return {1, version, '', now}
`

/** A record by the clock of Redis. */
interface KnownRecord {
  /** Empty where Redis has none. */
  readonly version: string
  readonly record: unknown
}

/** How many records a process remembers and listens to. Further ones are read again before they are changed. */
const maxKnown = 1_000
/** After so many lost races an update fails. */
const maxAttempts = 50
/** The longest pause between two attempts, and how long a response may take, in ms. */
const maxPause = 32
const timeout = 240
const maxParts = 8

/**
 * Creates a store in Redis, so that all processes that use one API key share one gate. Needs Redis 7 or Valkey, or a
 * service that speaks their protocol. A record is kept for two days under a hash of address and key.
 *
 * @example
 * const client = await createClient({ url: process.env['REDIS_URL'] }).connect()
 * const rateLimitStore = createRedisStore({ client, processes: 4 })
 *
 * @throws TypeError when an option cannot be used, saying what to write instead
 */
export function createRedisStore(options: RedisStoreOptions): RateLimitStore {
  checkUntyped(options)
  const { client, prefix = 'petstore', processes = 1 } = options
  const run = createRedisScript(client, compareAndSet)
  const clock = createRedisClock()
  /** The least recently changed stands first. */
  const known = new Map<string, KnownRecord>()
  const listeners = new Map<string, Listeners<unknown>>()
  const updates = new Map<string, Promise<void>>()
  let failure: StoreFailureReason | undefined
  let connectionFailure: StoreFailureReason | undefined
  const subscriber = openSubscriber(client, {
    onMessage: (key, message) => {
      const [version = ''] = message.split(' ', 1)
      const current = known.get(key)
      // Before the first response the time of Redis is not known.
      if (!current || !isNewer(version, current.version)) return
      receive(key, { version, record: JSON.parse(message.slice(version.length + 1)) })
    },
    onGap: (key) => void exchange(key, known.get(key)?.version).catch(() => {}),
    onError: (error) => {
      connectionFailure = readFailure(error)
      if (failure === 'timeout') failure = connectionFailure
    },
  })

  /** Remembers a record, and calls the listeners. */
  function receive(key: string, received: KnownRecord): void {
    known.delete(key)
    known.set(key, received)
    const [oldest = key] = known.keys()
    if (known.size > maxKnown) {
      known.delete(oldest)
      subscriber.leave(oldest)
    }
    if (received.version !== '') listeners.get(key)?.call(localOf(received))
  }

  const localOf = ({ record }: KnownRecord) => shiftTimes(record, -clock.ahead())

  /** One round trip: stores a record if Redis still has the known version. Says whether it had it. */
  async function exchange(key: string, version = 'unknown', record = '', next = ''): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const reply = await inTime(run(key, [version, record, next]))
      const [isCurrent, stored, text, time] = Array.isArray(reply) ? reply.map(String) : []
      if (stored === undefined || time === undefined) throw new UnknownReplyError()
      clock.learn(Number(time), sentAt)
      failure = undefined
      connectionFailure = undefined
      if (isCurrent !== '1') receive(key, { version: stored, record: text ? JSON.parse(text) : undefined })
      return isCurrent === '1'
    } catch (error) {
      // Clients keep commands until they are connected again, so a lost connection looks like a slow Redis.
      const reason = readFailure(error)
      failure = reason === 'timeout' ? (connectionFailure ?? reason) : reason
      throw error
    }
  }

  async function update(key: string, change: (stored: unknown) => unknown): Promise<void> {
    if (!known.has(key)) await exchange(key)
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const stored = known.get(key) ?? { version: '', record: undefined }
      const local = localOf(stored)
      const changed = change(local)
      const isSame = changed === local
      const record = isSame ? stored.record : shiftTimes(changed, clock.ahead())
      const version = isSame ? stored.version : nextVersion(stored.version)
      if (await exchange(key, stored.version, isSame ? '' : JSON.stringify(record), version)) {
        return isSame ? undefined : receive(key, { version, record })
      }
      // Others were faster: two that always try at the same time would hinder each other.
      const longest = attempt > 1 ? Math.min(2 ** attempt, maxPause) : 0
      await new Promise((resolve) => void setTimeout(resolve, Math.random() * longest))
    }
    throw new Error(`The record was changed by others during ${maxAttempts} attempts.`)
  }

  /** One after the other: updates of one process would only lose races to each other, and wait for nothing if Redis is away. */
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

  return {
    processes,
    failureReason: () => failure,
    update: (name, change) => updateInTurn(keyOf(name), change),
    subscribe: (name, listener) => {
      const key = keyOf(name)
      const all = listeners.get(key) ?? createListeners<unknown>()
      listeners.set(key, all)
      subscriber.join(key)
      const remove = all.add(listener)
      return () => {
        remove()
        if (all.isEmpty && listeners.get(key) === all) listeners.delete(key)
      }
    },
  }
}

/** Rejects if there is no response in time. Counted in parts: a process that was held up must not blame Redis for it. */
function inTime<Response>(response: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const wait = (parts: number) => {
      if (parts === 0) reject(new RedisTimeoutError())
      else timer = setTimeout(() => wait(parts - 1), timeout / maxParts)
    }
    wait(maxParts)
    void response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** By how much the clock of Redis is ahead of this machine's: a small error never changes, so that times stay equal. */
function createRedisClock() {
  /** Of the monotonic clock. */
  let ahead: number | undefined
  let told = 0
  return {
    ahead: () => {
      const exact = ahead === undefined ? 0 : performance.now() + ahead - Date.now()
      if (Math.abs(exact - told) > 50) told = Math.round(exact)
      return told
    },
    /** Redis named the time at some moment after the monotonic time `sentAt`, until now. */
    learn: (time: number, sentAt: number) => {
      const [earliest, latest] = [time - performance.now(), time - sentAt + 1]
      ahead = Math.min(Math.max(ahead ?? (earliest + latest) / 2, earliest), latest)
    },
  }
}

/** Of versions from different lives of a key, which begin when Redis has lost its data, the one that arrives later counts. */
function isNewer(version: string, than: string): boolean {
  const [life, count] = version.split('/')
  const [otherLife, otherCount] = than.split('/')
  return life !== otherLife || Number(count) > Number(otherCount)
}

function nextVersion(version: string): string {
  const [life, count = 0] = version.split('/')
  return `${life || crypto.randomUUID()}/${Number(count) + 1}`
}

/**
 * Untyped code may pass anything, and a store that never works is found out late: the gate continues without it. So
 * production says why, too.
 *
 * @throws TypeError
 */
function checkUntyped(options: RedisStoreOptions): void {
  const {
    client,
    prefix = '',
    processes = 1,
  }: { readonly [Name in keyof RedisStoreOptions]?: unknown } = Object(options)
  const has = (name: string) => typeof Reflect.get(Object(client), name) === 'function'
  // A client that is a promise has none of them yet.
  if (!(has('evalSha') || has('evalsha')) || !has('eval') || !has('duplicate') || !has('on')) {
    throw configError(
      'client',
      'is no client of `redis` or `ioredis`, such as `await createClient({ url }).connect()`.',
    )
  }
  if (typeof prefix !== 'string' || prefix.includes('}')) {
    throw configError('prefix', 'is a text without "}", so that all keys of a record are in one slot of a cluster.')
  }
  if (!Number.isSafeInteger(processes) || Number(processes) < 1) {
    throw configError('processes', 'is a number of processes, 1 or more.')
  }
}

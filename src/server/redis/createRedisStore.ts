import { configError } from '../../base/development.ts'
import { createListeners, type Listeners } from '../../base/listeners.ts'
import { shiftTimes } from '../../rate-limit/GateRecord.ts'
import type { RateLimitStore, StoreFailureReason } from '../../rate-limit/RateLimitStore.ts'
import { readFailure, RedisTimeoutError, UnknownReplyError } from './readFailure.ts'
import { createRedisScript, type IoRedisClient, type NodeRedisClient, openSubscriber } from './redisClients.ts'

/** The client of Redis, how its keys begin, and how many processes share the quota. */
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
   * How many processes use one API key. Default 1. While Redis is away, each sends one request at a time, and at most its
   * part of a window. One of several also leaves the last tenth of the limit to the others. If the number is too small,
   * they send more than the quota together, and the service refuses some requests.
   */
  readonly processes?: number | undefined
}

/**
 * Replaces a record if it still has the version that the caller knows, and tells the other processes. Arguments: the known
 * version, the new record as JSON (or nothing to only compare), and its version: an id that stays until Redis loses the
 * key, and a count. Returns whether the known version was the stored one, the version, the record if the caller lacks
 * it, and the time in ms.
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

/** A stored record. Its times are by the clock of Redis. */
interface KnownRecord {
  /** Empty where Redis has no record. */
  readonly version: string
  readonly record: unknown
}

/** How many records a process remembers and listens to. All others are read again before they are changed. */
const maxKnown = 1_000
/** An update fails after so many attempts in which another process was faster. */
const maxAttempts = 50
/** The longest pause between two attempts, in ms. */
const maxPause = 32
/** How long a response of Redis may take, in ms, and how many timers in a row measure that. */
const responseTimeout = 240
const timeoutSteps = 8

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
  /** By key, with the least recently received record first. */
  const known = new Map<string, KnownRecord>()
  const listeners = new Map<string, Listeners<unknown>>()
  const updates = new Map<string, Promise<void>>()
  let failure: StoreFailureReason | undefined
  let connectionFailure: StoreFailureReason | undefined
  const subscriber = openSubscriber(client, {
    onMessage: (key, message) => {
      const [version = ''] = message.split(' ', 1)
      const current = known.get(key)
      // The first reply about a key also tells how far the clock of Redis is ahead. A message does not.
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
    if (received.version !== '') listeners.get(key)?.call(toLocal(received))
  }

  const toLocal = ({ record }: KnownRecord) => shiftTimes(record, -clock.ahead())

  /** Stores `record` if Redis has `version`, and resolves to whether it has. `unknown` is no version: it only reads. */
  async function exchange(key: string, version = 'unknown', record = '', next = ''): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const reply = await inTime(run(key, [version, record, next]))
      const [isCurrent, stored, text, time] = Array.isArray(reply) ? reply.map(String) : []
      if (stored === undefined || time === undefined) throw new UnknownReplyError()
      clock.learn(Number(time), sentAt)
      // While Redis was away, its client may have given up channels.
      if (failure !== undefined) for (const name of listeners.keys()) subscriber.join(name)
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
      const local = toLocal(stored)
      const changed = change(local)
      const isSame = changed === local
      const record = isSame ? stored.record : shiftTimes(changed, clock.ahead())
      const version = isSame ? stored.version : nextVersion(stored.version)
      if (await exchange(key, stored.version, isSame ? '' : JSON.stringify(record), version)) {
        return isSame ? undefined : receive(key, { version, record })
      }
      // Another process was faster. Pauses of random length keep two processes from always colliding.
      const longestPause = attempt > 1 ? Math.min(2 ** attempt, maxPause) : 0
      await new Promise((resolve) => void setTimeout(resolve, Math.random() * longestPause))
    }
    throw new Error(`The record was changed by others during ${maxAttempts} attempts.`)
  }

  /** Runs the updates of a key one after the other: at the same time they would only lose races to each other. */
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

/** Rejects if late. Short timers in a row: after this process hung, a long one would fire before a response is read. */
function inTime<Response>(response: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const waitForSteps = (steps: number) => {
      if (steps === 0) reject(new RedisTimeoutError())
      else timer = setTimeout(() => waitForSteps(steps - 1), responseTimeout / timeoutSteps)
    }
    waitForSteps(timeoutSteps)
    void response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Measures how far the clock of Redis is ahead of this machine's, in ms. */
function createRedisClock() {
  let aheadOfMonotonic: number | undefined
  let reported = 0
  return {
    /** Changes only when it is wrong by more than 50 ms, so that a record that is read again has the same times. */
    ahead: () => {
      const exact = aheadOfMonotonic === undefined ? 0 : performance.now() + aheadOfMonotonic - Date.now()
      if (Math.abs(exact - reported) > 50) reported = Math.round(exact)
      return reported
    },
    /** Redis had this time at some moment between the monotonic time `sentAt` and now. */
    learn: (time: number, sentAt: number) => {
      const [min, max] = [time - performance.now(), time - sentAt + 1]
      aheadOfMonotonic = Math.min(Math.max(aheadOfMonotonic ?? (min + max) / 2, min), max)
    },
  }
}

/** Where the life of a key differs, Redis has lost its data in between: then the version that arrives later is newer. */
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
 * Untyped code may pass anything, and nobody would notice a store that never works: the gate continues without it.
 *
 * @throws TypeError
 */
function checkUntyped(options: RedisStoreOptions): void {
  const untyped: { readonly [Name in keyof RedisStoreOptions]?: unknown } = Object(options)
  const { client, prefix = '', processes = 1 } = untyped
  const has = (name: string) => typeof Reflect.get(Object(client), name) === 'function'
  // A promise of a client has none of these methods.
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

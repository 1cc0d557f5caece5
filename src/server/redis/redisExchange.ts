import { createKnownProcesses, type KnownProcesses } from '../../rate-limit/fleet/createFleetStore.ts'
import { compareAndSet, createRedisScript } from './compareAndSet.ts'
import type { StoreFailureReason } from '../../rate-limit/RateLimitStore.ts'
import { readFailure, RedisTimeoutError, UnknownReplyError } from './readFailure.ts'
import type { IoRedisClient, NodeRedisClient } from './redisClients.ts'

/** A record as Redis has it, or had it last. */
export interface KnownRecord {
  /** Empty where Redis has none. */
  readonly version: string
  readonly record: unknown
}

interface Reply extends KnownRecord {
  /** Whether the version that was sent is the stored one. If a record was sent with it, that is stored now. */
  readonly isCurrent: boolean
  /** Whether the process has the write lock: nobody else writes for some milliseconds. */
  readonly hasLock: boolean
}

interface NewRecord {
  /** As JSON; empty to only compare versions. */
  readonly record: string
  /** Whether the process needs the write lock if it loses the race. */
  readonly needsLock: boolean
}

/** One round trip to Redis, and what the process learns from it besides the record. */
interface RedisExchange {
  /** Compares a version, and stores a record if it is the stored one. Rejects if Redis does not respond in time. */
  readonly exchange: (
    key: string,
    version: string | undefined,
    stored?: NewRecord,
    patience?: Patience,
  ) => Promise<Reply>
  readonly processesOf: (key: string) => KnownProcesses
  /** Forgets the processes of a record. */
  readonly forget: (key: string) => void
  /** The clock of Redis, in epoch ms. */
  readonly now: () => number
  /** Why Redis has failed last, since it last responded. */
  readonly failureReason: () => StoreFailureReason | undefined
  /** Takes an error of the connection that listens: that of the app reports its errors to the app alone. */
  readonly noteConnectionError: (error: unknown) => void
}

/** @param onLateResponse - called when Redis has responded after all: it works again */
export function createRedisExchange(
  client: NodeRedisClient | IoRedisClient,
  onLateResponse: (key: string) => void,
): RedisExchange {
  const id = crypto.randomUUID()
  const run = createRedisScript(client, compareAndSet)
  const clock = createRedisClock()
  const processes = new Map<string, KnownProcesses>()
  /** The times that the last responses about a record said. */
  const heardAt = new Map<string, number>()
  let failure: StoreFailureReason | undefined
  let connectionFailure: StoreFailureReason | undefined

  function processesOf(key: string): KnownProcesses {
    const all = processes.get(key) ?? createKnownProcesses(clock.now)
    processes.set(key, all)
    return all
  }

  async function exchange(
    key: string,
    version: string | undefined,
    { record, needsLock }: NewRecord = { record: '', needsLock: false },
    patience?: Patience,
  ): Promise<Reply> {
    const sentAt = performance.now()
    const { since = 0, fail, learn } = processesOf(key)
    const isUnannounced = (heardAt.get(key) ?? 0) <= since
    const lock = needsLock ? '1' : ''
    const args = [
      id,
      version ?? 'unknown',
      record,
      crypto.randomUUID(),
      lock,
      String(since || ''),
      String(heardAt.get(key) ?? ''),
    ]
    const response = run([key, `${key}:lock`, `${key}:processes`], args)
    const reply = await withResponseTimeout(response, patience).catch((error: unknown) => {
      fail()
      // Clients keep commands until they are connected again, so a lost connection looks like a slow Redis.
      const reason = readFailure(error)
      failure = reason === 'timeout' ? (connectionFailure ?? reason) : reason
      response.then(() => onLateResponse(key)).catch(() => {})
      throw error
    })
    const [isCurrent, stored, text, time, count, back, hasLock] = Array.isArray(reply) ? reply.map(String) : []
    if (stored === undefined || time === undefined) {
      const error = new UnknownReplyError()
      failure = readFailure(error)
      throw error
    }
    failure = undefined
    connectionFailure = undefined
    clock.learn(Number(time), sentAt)
    heardAt.set(key, Number(time))
    // Others may not know yet that Redis is back.
    if (version && !isSameLife(version, stored)) fail()
    learn(Number(count), Number(back))
    // The others wait for this process, which has Redis again.
    if (isUnannounced && since > 0) exchange(key, stored).catch(() => {})
    const received: unknown = text ? JSON.parse(text) : undefined
    return { isCurrent: isCurrent === '1', hasLock: hasLock === '1', version: stored, record: received }
  }

  return {
    exchange,
    processesOf,
    forget: (key) => {
      processes.delete(key)
      heardAt.delete(key)
    },
    now: clock.now,
    failureReason: () => failure,
    noteConnectionError: (error) => {
      connectionFailure = readFailure(error)
      if (failure === 'timeout') failure = connectionFailure
    },
  }
}

/**
 * How long a call waits in all for a Redis that is slow, in ms of the process's own time: it leaves 250 ms after it was
 * made at the latest.
 */
const timeout = 240
/** How much longer it may take while the process itself gets no processor time, in ms. */
const maxStall = 750
/** So that time without the processor does not count, but for a part. In ms. */
const part = timeout / 5
/** A response that took less time costs an update none: if others were faster, that is not the fault of Redis. In ms. */
const quickResponse = 100

/** What is left of the time of an update, which its round trips share. */
export interface Patience {
  /** At first, in ms of the process's own time. */
  readonly whole: number
  /** In ms of the process's own time. */
  left: number
  /** When the last response came or was given up, in ms of `performance.now()`. */
  endedAt: number
}

/** An update that begins so soon after the end of another one has waited for it, in ms. */
const turnTime = 5

/** @param before - that of the update before: calls that have waited for it have so much less time left */
export function createPatience(before?: Patience): Patience {
  const now = performance.now()
  const hasWaited = before !== undefined && now - before.endedAt < turnTime
  const whole = hasWaited ? timeout - (before.whole - before.left) : timeout
  return { whole, left: whole, endedAt: now }
}

/**
 * Rejects if there is no response in time. A process that was held up must not blame Redis for it: the time is divided into
 * parts, and one that ends late counts as one. After a long task timers come before what has arrived meanwhile, so it waits
 * for one more turn.
 */
export function withResponseTimeout<Response>(
  response: Promise<Response>,
  patience: Patience = createPatience(),
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    let from = 0
    const before = patience.left
    const end = performance.now() + before + maxStall
    const wait = () => {
      from = performance.now()
      const isOver = patience.left <= 0 || from >= end
      const length = Math.min(part, patience.left)
      const next = () => {
        patience.left -= length
        if (isOver) reject(new RedisTimeoutError())
        else wait()
      }
      timer = setTimeout(next, isOver ? 0 : length)
    }
    wait()
    void response.then(resolve, reject).then(() => {
      clearTimeout(timer)
      patience.left -= Math.min(part, performance.now() - from)
      if (before - patience.left < quickResponse) patience.left = before
      patience.endedAt = performance.now()
    })
  })
}

/** The clock of Redis, as far as this process knows it. */
interface RedisClock {
  /** Epoch ms; by the clock of this machine until Redis has named a time. */
  readonly now: () => number
  /** Compares the clocks: Redis named the time at some moment after the monotonic time `sentAt`, until now. */
  readonly learn: (time: number, sentAt: number) => void
}

/**
 * Follows the clock of Redis by one that nobody can set. It changes its mind only if a response contradicts it: a clock
 * that jumped by some ms with each response would make one time two.
 */
export function createRedisClock(
  now: () => number = () => Date.now(),
  monotonic: () => number = () => performance.now(),
): RedisClock {
  /** By how much the clock of Redis is ahead of the monotonic one. */
  let ahead: number | undefined
  return {
    now: () => (ahead === undefined ? now() : Math.floor(monotonic() + ahead)),
    learn: (time, sentAt) => {
      const earliest = time - monotonic()
      const latest = time - sentAt + 1 // it named whole ms
      ahead = Math.min(Math.max(ahead ?? (earliest + latest) / 2, earliest), latest)
    },
  }
}

/**
 * Whether a version of a record comes after another one. Of versions from different lives of a key, which begin when
 * Redis has lost its data, the one that arrives later counts.
 */
export function isNewerVersion(version: string, than: string): boolean {
  const [life, count] = parseVersion(version)
  const [otherLife, otherCount] = parseVersion(than)
  return life !== otherLife || count > otherCount
}

function parseVersion(version: string): readonly [life: string, count: number] {
  const end = version.lastIndexOf('-')
  return [version.slice(0, end), Number(version.slice(end + 1))]
}

/** Whether Redis has not lost the record between two versions of it. */
function isSameLife(version: string, other: string): boolean {
  return parseVersion(version)[0] === parseVersion(other)[0]
}

import { createKnownProcesses, type KnownProcesses } from '../../rate-limit/fleet/createFleetStore.ts'
import { compareAndSet } from './compareAndSet.ts'
import type { IoRedisClient, NodeRedisClient } from './redisClients.ts'
import { createRedisClock } from './redisClock.ts'
import { createRedisScript } from './redisScript.ts'
import { withResponseTimeout } from './responseTimeout.ts'
import { isSameLife } from './versions.ts'

/** A record as Redis has it, or had it last. */
export interface KnownRecord {
  /** Empty where Redis has none. */
  readonly version: string
  readonly record: unknown
}

export interface Reply extends KnownRecord {
  /** Whether the version that was sent is the stored one. If a record was sent with it, that is stored now. */
  readonly isCurrent: boolean
  /** Whether the process has its turn: nobody else writes for some milliseconds. */
  readonly isNext: boolean
}

interface NewRecord {
  /** As JSON; empty to only compare versions. */
  readonly record: string
  /** Whether the process needs a turn if it loses the race. */
  readonly needsTurn: boolean
}

/** One round trip to Redis, and what the process learns from it besides the record. */
export interface RedisExchange {
  /** Compares a version, and stores a record if it is the stored one. Rejects if Redis does not respond in time. */
  readonly exchange: (key: string, version: string | undefined, stored?: NewRecord) => Promise<Reply>
  readonly processesOf: (key: string) => KnownProcesses
  /** Forgets the processes of a record. */
  readonly forget: (key: string) => void
  /** The clock of Redis, in epoch ms. */
  readonly now: () => number
}

/** @param onLateResponse - called when Redis has responded after all: it works again */
export function createRedisExchange(
  client: NodeRedisClient | IoRedisClient,
  onLateResponse: (key: string) => void,
): RedisExchange {
  const id = crypto.randomUUID()
  const run = createRedisScript(client, compareAndSet)
  const clock = createRedisClock()
  let isClockKnown = false
  const processes = new Map<string, KnownProcesses>()

  function processesOf(key: string): KnownProcesses {
    const all = processes.get(key) ?? createKnownProcesses(clock.now)
    processes.set(key, all)
    return all
  }

  return {
    exchange: async (key, version, { record, needsTurn } = { record: '', needsTurn: false }) => {
      const sentAt = performance.now()
      const { since, fail, learn } = processesOf(key)
      const turn = needsTurn ? '1' : ''
      const now = isClockKnown ? String(clock.now()) : ''
      const args = [id, version ?? 'unknown', record, crypto.randomUUID(), turn, String(since ?? ''), now]
      const response = run([key, `${key}:turn`, `${key}:processes`], args)
      const reply = await withResponseTimeout(response).catch((error: unknown) => {
        fail()
        response.then(() => onLateResponse(key)).catch(() => {})
        throw error
      })
      const [isCurrent, stored, text, time, count, back, isNext] = Array.isArray(reply) ? reply.map(String) : []
      if (stored === undefined || time === undefined) throw new TypeError('Redis did not run the script.')
      clock.learn(Number(time), sentAt)
      isClockKnown = true
      // Others may not know yet that Redis is back.
      if (version && !isSameLife(version, stored)) fail()
      learn(Number(count), Number(back))
      const received: unknown = text ? JSON.parse(text) : undefined
      return { isCurrent: isCurrent === '1', isNext: isNext === '1', version: stored, record: received }
    },
    processesOf,
    forget: (key) => void processes.delete(key),
    now: clock.now,
  }
}

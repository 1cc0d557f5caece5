/** A process of the fleet: the client with its store, and the calls that the benchmark asks for. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as IoRedis } from 'ioredis'
import { createClient } from 'redis'
import * as z from 'zod/mini'
import { createPetstoreClient, defineOperation, isPetstoreError, type RateLimitStore } from '../../../src/client.ts'
import { createRedisStore } from '../../../src/server/redis.ts'
import { preciseNow } from './preciseNow.ts'
import type { FromProcess, ProcessOptions, Report, ToProcess, Work } from './Work.ts'

const { id, baseUrl, plan, processes, redisUrl, usesIoRedis, isPlain, clockOffset } = JSON.parse(
  process.argv[2] ?? '',
) as ProcessOptions
// Before anything that may hang: no process outlives the benchmark.
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()

const trueNow = Date.now
Date.now = () => trueNow() + clockOffset

/** No two calls are equal, so the client joins none of them. */
const runJob = defineOperation({
  name: 'runJob',
  method: 'POST',
  path: '/jobs/{job}',
  input: z.object({ job: z.string() }),
  output: z.unknown(),
})

const commands: Record<string, number> = {}
const failed: Record<string, number> = {}
const durations: number[] = []
let calls = 0
let succeeded = 0
let outages = 0
let isStopped = false

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Counts how often each method is called. */
function counted<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]): unknown => {
        count(commands, String(name))
        const result: unknown = value.apply(target, args)
        return name === 'duplicate' ? counted(Object(result)) : result
      }
    },
  })
}

/** Half of the fleet uses node-redis, the other half ioredis. */
async function connect(url: string): Promise<RateLimitStore> {
  if (usesIoRedis) {
    const client = new IoRedis(url, { lazyConnect: true }).on('error', () => {})
    await client.connect()
    return createRedisStore({ client: counted(client), processes })
  }
  const client = createClient({ url }).on('error', () => {})
  await client.connect()
  return createRedisStore({ client: counted(client), processes })
}

const calledAt = new AsyncLocalStorage<number>()
const globalFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const now = preciseNow()
  const headers = new Headers(init?.headers)
  headers.set('X-Sender', id)
  headers.set('X-Sent-At', String(now))
  headers.set('X-Held-For', String(now - (calledAt.getStore() ?? now)))
  return globalFetch(input, { ...init, headers })
}
const client = createPetstoreClient({
  baseUrl,
  apiKey: 'demo',
  plan,
  rateLimitStore: redisUrl === undefined ? undefined : await connect(redisUrl),
  retry: { maxWait: Number.POSITIVE_INFINITY },
  onEvent: (event) => {
    if (event.type === 'rate-limit-store' && event.status === 'failed') outages += 1
  },
})

/** What an app writes itself that sends with its key, and nothing else. */
async function callPlainly(job: string): Promise<unknown> {
  const headers = { Accept: 'application/json', Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
  const response = await fetch(`${baseUrl}/jobs/${job}`, { method: 'POST', headers, body: '{}' })
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}

async function call(): Promise<void> {
  calls += 1
  const job = `${id}-${calls}`
  const start = preciseNow()
  try {
    await calledAt.run(start, () => (isPlain ? callPlainly(job) : client.call(runJob, { job })))
    succeeded += 1
    durations.push(preciseNow() - start)
  } catch (error) {
    count(failed, isPetstoreError(error) ? error.kind : String(error))
  }
}

async function perform(each: Work): Promise<void> {
  const { calls: most = Number.POSITIVE_INFINITY, concurrency, interval = 0 } = each
  const end = calls + most
  const isOver = () => isStopped || calls >= end
  const callInTurn = async () => {
    while (!isOver()) await call()
  }
  if (concurrency !== undefined) {
    await Promise.all(Array.from({ length: concurrency }, callInTurn))
    return
  }
  const running: Promise<void>[] = []
  const start = preciseNow()
  while (!isOver()) {
    running.push(call())
    await sleep(Math.max(0, start + running.length * interval - preciseNow()))
  }
  await Promise.all(running)
}

const send = (message: FromProcess) => void process.send?.(message)
const report = (): Report => {
  const { user, system } = process.cpuUsage()
  return { calls, succeeded, failed, durations, commands, outages, cpu: (user + system) / 1_000 }
}

async function work(each: Work): Promise<void> {
  await perform(each)
  send({ type: 'done', report: report() })
}

process.on('message', (message: ToProcess) => {
  if (message.type === 'work') void work(message.work)
  else if (message.type === 'report') send({ type: 'report', report: report() })
  else isStopped = true
})
send({ type: 'ready' })

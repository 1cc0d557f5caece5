/**
 * What it costs when thousands of calls wait or are in flight, in ms for all calls together and a store in memory:
 * `npm run bench:waiting -- 100,1000,10000,100000`
 */
import { performance } from 'node:perf_hooks'
import { systemClock } from '../../src/rate-limit/Clock.ts'
import { createRateLimiter, type Permit } from '../../src/rate-limit/rateLimiter.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

const sizes = (process.argv[2] ?? '100,1000,10000,100000').split(',').map(Number)
/** More requests than that are not measured in flight. */
const maxInFlight = 3_000

function setup() {
  const limiter = createRateLimiter({
    name: 'key',
    store: createMemoryStore(),
    pace: { limit: 1_000_000, per: 60_000 },
    clock: systemClock,
    random: () => 0,
    warn: () => {},
  })
  let order = 0
  const enter = (maxWait: number, signal: AbortSignal) => {
    order += 1
    const deadline = Date.now() + maxWait
    return limiter.enter({ id: String(order), priority: 'user', order, deadline, holdFor: 60_000, signal })
  }
  return { enter }
}

async function time(action: () => unknown): Promise<number> {
  const start = performance.now()
  await action()
  return Math.round(performance.now() - start)
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
const { signal } = new AbortController()

async function measure(count: number) {
  const closed = setup()
  const probe = await closed.enter(1_000, signal)
  await probe.release({ status: 429, rateLimitHeaders: { retryIn: 50_000 } })
  const heapBefore = process.memoryUsage().heapUsed
  const controllers = Array.from({ length: count }, () => new AbortController())
  const waiting: Promise<unknown>[] = []
  const enqueue = await time(async () => {
    for (const controller of controllers) waiting.push(closed.enter(65_000, controller.signal).catch(() => {}))
    await settled()
  })
  const heap = Math.round((process.memoryUsage().heapUsed - heapBefore) / 1_048_576)
  const abort = await time(async () => {
    for (const controller of controllers) controller.abort()
    await Promise.all(waiting)
    await settled()
  })
  const reject = await time(() =>
    Promise.all(Array.from({ length: count }, () => closed.enter(1_000, new AbortController().signal).catch(() => {}))),
  )
  if (count > maxInFlight) return { count, enqueue, 'heap in MB': heap, abort, reject }

  const open = setup()
  const first = await open.enter(1_000, signal)
  const windowHeaders = { limit: 1_000_000, remaining: 900_000, resetAt: Date.now() + 60_000, date: Date.now() }
  await first.release({ status: 200, rateLimitHeaders: windowHeaders })
  let permits: Permit[] = []
  const admit = await time(async () => {
    permits = await Promise.all(Array.from({ length: count }, () => open.enter(1_000, new AbortController().signal)))
  })
  const release = await time(() =>
    Promise.all(permits.map((permit) => permit.release({ status: 200, rateLimitHeaders: windowHeaders }))),
  )
  return { count, enqueue, 'heap in MB': heap, abort, reject, admit, release }
}

const rows = []
for (const count of sizes) rows.push(await measure(count))
console.table(rows)

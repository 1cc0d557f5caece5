/**
 * What it costs when thousands of calls wait or are in flight, in ms of CPU time for all calls together and a store in
 * memory: at the gate alone, and through the whole client. The last columns: 100 calls leave and get their responses one after
 * the other while all the others wait. test/bench/calls/README.md has the figures.
 *
 * `npm run bench:waiting -- 100,1000,10000,100000`
 */
import { createPetstoreClient } from '../../src/client/createPetstoreClient.ts'
import { systemClock } from '../../src/base/Clock.ts'
import type { Permit } from '../../src/rate-limit/pendingRequest.ts'
import { createRateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

const sizes = (process.argv[2] ?? '100,1000,10000,100000').split(',').map(Number)
const limit = 10_000_000
const leaves = 100

function setup() {
  const limiter = createRateLimiter({
    name: 'key',
    store: createMemoryStore(),
    pace: { limit, per: 60_000 },
    clock: systemClock,
    random: () => 0,
  })
  let order = 0
  return (maxWait: number, signal: AbortSignal = new AbortController().signal) => {
    order += 1
    const deadline = Date.now() + maxWait
    const id = String(order)
    const call = { callId: id, operation: 'listCategories', address: 'categories', isRetry: false }
    return limiter.enter({ ...call, id, priority: 'user', order, deadline, holdFor: 60_000, signal })
  }
}

/** CPU time does not depend on what else the machine does. */
async function cost(action: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await action()
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / 1_000)
}

const usedHeap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1_048_576
}
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make)
const windowHeaders = (remaining: number) => ({
  status: 200,
  rateLimitHeaders: { limit, remaining, resetAt: Date.now() + 60_000, date: Date.now() },
})

async function measureWaiting(count: number) {
  const enter = setup()
  await (await enter(1_000)).release({ status: 429, rateLimitHeaders: { retryIn: 50_000 } })
  const controllers = times(count, () => new AbortController())
  const waiting: Promise<unknown>[] = []
  const heapBefore = usedHeap()
  const enqueue = await cost(async () => {
    for (const { signal } of controllers) waiting.push(enter(65_000, signal).catch(() => {}))
    await settled()
  })
  const heap = Math.round(usedHeap() - heapBefore)
  const abort = await cost(async () => {
    for (const controller of controllers) controller.abort()
    await Promise.all(waiting)
    await settled()
  })
  const reject = await cost(() => Promise.all(times(count, () => enter(1_000).catch(() => {}))))
  return { enqueue, 'heap in MB': heap, abort, reject }
}

async function measureInFlight(count: number) {
  const enter = setup()
  await (await enter(1_000)).release(windowHeaders(limit - 1))
  let permits: Permit[] = []
  const admit = await cost(async () => {
    permits = await Promise.all(times(count, () => enter(1_000)))
  })
  const release = await cost(() => Promise.all(permits.map((permit) => permit.release(windowHeaders(limit - 1)))))
  return { admit, release }
}

async function measureLeaving(count: number) {
  const enter = setup()
  const permits: Permit[] = []
  const first = await enter(1_000)
  for (let entered = 0; entered < count; entered += 1) {
    void enter(65_000).then(
      (permit) => permits.push(permit),
      () => {},
    )
  }
  await settled()
  const leave = await cost(async () => {
    await first.release(windowHeaders(leaves))
    for (let left = 1; left < leaves; left += 1) await permits[left - 1]?.release(windowHeaders(leaves - left))
  })
  return { 'leave (100)': leave }
}

/** Calls of a client that wait for as long as it takes: POSTs, since the client joins equal GETs. */
async function measureClient(count: number) {
  let served = 0
  let respond = (): Response => new Response(null, { status: 429, headers: { 'Retry-After': '50' } })
  const client = createPetstoreClient({
    baseUrl: `https://petstore-${count}.test/v1`,
    apiKey: 'demo',
    rateLimitStore: createMemoryStore(),
    retry: { maxWait: Number.POSITIVE_INFINITY },
    fetch: () => Promise.resolve(respond()),
  })
  const calls: Promise<unknown>[] = []
  const call = () => client.createCategory({ name: 'Dog' }).catch(() => {})
  const heapBefore = usedHeap()
  const enqueue = await cost(async () => {
    calls.push(call())
    await settled()
    for (let entered = 1; entered < count; entered += 1) calls.push(call())
    await settled()
  })
  const heap = Math.round(usedHeap() - heapBefore)
  respond = () => {
    served += 1
    const window = { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(Math.max(0, leaves - served)) }
    const headers = { ...window, 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + 60) }
    return new Response('{"id":1,"name":"Dog"}', { status: 201, headers })
  }
  const leave = await cost(async () => {
    await client.rateLimit.reset()
    while (served < Math.min(leaves, count)) await settled()
  })
  const close = await cost(async () => {
    client.close()
    await Promise.all(calls)
    await settled()
  })
  return { enqueue, 'heap in MB': heap, close, 'leave (100)': leave }
}

const rows = []
const clientRows = []
await measureWaiting(1_000) // warm-up
await measureClient(1_000)
for (const count of sizes) {
  rows.push({
    count,
    ...(await measureWaiting(count)),
    ...(await measureInFlight(count)),
    ...(await measureLeaving(count)),
  })
  clientRows.push({ count, ...(await measureClient(count)) })
}
console.log('At the gate')
console.table(rows)
console.log('Through the client')
console.table(clientRows)
process.exit()

import * as z from 'zod/mini'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createMemoryStore, defineOperation, type PetstoreClient, type RateLimitState } from '../../src/index.ts'
import { createPetstoreService, type RecordedRequest, type PetstoreService, type PlanName } from '../../src/testing.ts'
import { createVirtualClock } from '../../test/rate-limit/virtualClock.ts'
import { type Storm, type StormName, storms, type Tab } from './storms.ts'

/** What stands between the app and the service. */
export type Contender = 'petstore-react' | 'fetch'

/** One request, as the service saw it. Times are ms since the storm began. */
export interface Sent {
  readonly at: number
  readonly fate: 'succeeded' | 'refused' | 'in-cool-down' | 'banned'
}

/** How things stood at the end of one second. */
export interface Moment {
  readonly at: number
  /** Calls that are neither settled nor under way. */
  readonly waiting: number
  /** What the gate knows; `undefined` where there is none. */
  readonly gate: RateLimitState | undefined
}

/** How a storm went. */
export interface Outcome {
  readonly sent: readonly Sent[]
  readonly moments: readonly Moment[]
  readonly calls: number
  readonly succeeded: number
  /** When the last call was settled; `undefined` if some never were. */
  readonly settledAt: number | undefined
}

/** Different things to ask for: equal requests at the same time would share one. */
const getItem = defineOperation({
  name: 'getItem',
  path: '/items/{id}',
  input: z.object({ id: z.string() }),
  output: z.unknown(),
})

type Send = (request: Request) => Promise<Response>

/** The most virtual time that a storm may take, in ms. */
const longest = 15 * 60_000
/** How long a response takes, in ms. */
const latency = 80

/** Plays a storm in virtual time: minutes take seconds. */
export async function simulate(name: StormName, plan: PlanName, contender: Contender): Promise<Outcome> {
  const storm: Storm = storms[name]
  const clock = createVirtualClock(Date.UTC(2026, 0, 1, 12, 0, 20), settled)
  const start = clock.now()
  const now = () => clock.now() - start
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const service = createPetstoreService({
    plan,
    latency,
    sleep,
    now: clock.now,
    operations: [{ operation: getItem, handle: () => ({ body: {} }) }],
  })
  storm.prepare?.(service, start)

  const store = createMemoryStore()
  const openClient = (send: Send) =>
    createClientWith(
      { clock, random: () => 0.5 },
      {
        baseUrl: service.baseUrl,
        apiKey: 'demo',
        fetch: send,
        rateLimitStore: store,
        retry: storm.isPatient ? { maxWait: Number.POSITIVE_INFINITY } : {},
      },
    )
  const watcher = openClient(service.fetch)
  const stopWatching = watcher.rateLimit.subscribe(() => {})
  // So that its first look at the store, which takes real time, is over.
  await watcher.rateLimit.reset()

  const tally = { calls: 0, succeeded: 0, open: 0, underWay: 0, settledAt: 0, isPlayed: false }
  const isOver = () => tally.isPlayed && tally.open === 0
  const count = async (call: Promise<unknown>): Promise<void> => {
    tally.calls += 1
    tally.open += 1
    try {
      await call
      tally.succeeded += 1
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
    tally.open -= 1
    tally.settledAt = now()
  }
  const send: Send = async (request) => {
    tally.underWay += 1
    try {
      const response = await service.fetch(request)
      return asWhole(storm.hidesHeaders ? new Response(response.body, { status: response.status }) : response)
    } finally {
      tally.underWay -= 1
    }
  }
  const openTab = (): Tab =>
    contender === 'fetch' ? plainTab(service, send, sleep, count) : gatedTab(openClient(send), count)

  void storm.play({ now, until: (time) => sleep(time - now()), openTab }).then(() => (tally.isPlayed = true))
  const moments: Moment[] = []
  for (let at = 0; at <= longest && !isOver(); at += 1_000) {
    await clock.run(start + at)
    const gate = contender === 'fetch' ? undefined : watcher.rateLimit.getSnapshot()
    moments.push({ at, waiting: Math.max(0, tally.open - tally.underWay), gate })
  }
  stopWatching()
  return {
    sent: service.requests.map((entry) => ({ at: entry.at - start, fate: fateOf(entry) })),
    moments,
    calls: tally.calls,
    succeeded: tally.succeeded,
    settledAt: isOver() ? tally.settledAt : undefined,
  }
}

/** As from a `fetch` that cannot stream: its body is read at once, where a blob would take a moment of real time. */
const asWhole = (response: Response): Response => Object.defineProperty(response, 'body', { value: null })

function gatedTab(client: PetstoreClient, count: (call: Promise<unknown>) => Promise<void>): Tab {
  return {
    get: (id, isBackground = false) =>
      count(client.call(getItem, { id: String(id) }, { priority: isBackground ? 'background' : 'user' })),
    post: (name) => count(client.createCategory({ name })),
    close: client.close,
  }
}

/** As it is often written: whatever fails is tried again a second later, ten times. */
function plainTab(
  service: PetstoreService,
  send: Send,
  sleep: (ms: number) => Promise<void>,
  count: (call: Promise<unknown>) => Promise<void>,
): Tab {
  const closing = new AbortController()
  const call = async (path: string, init: RequestInit = {}) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      closing.signal.throwIfAborted()
      if (attempt > 0) await sleep(1_000)
      const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
      const response = await send(new Request(service.baseUrl + path, { ...init, headers, signal: closing.signal }))
      if (response.ok) return
    }
    throw new Error('gave up')
  }
  return {
    get: (id) => count(call(`/items/${id}`)),
    post: (name) => count(call('/categories', { method: 'POST', body: JSON.stringify({ name }) })),
    close: () => closing.abort(),
  }
}

function fateOf({ banned, coolingDown, status }: RecordedRequest): Sent['fate'] {
  if (banned) return 'banned'
  if (coolingDown) return 'in-cool-down'
  return status === 429 ? 'refused' : 'succeeded'
}

/**
 * Lets everything that has been promised happen, also what the browser does elsewhere: it reads bodies and makes hashes
 * in turn, so that ours come after those of the storm. Twice, since a response follows a request. Not by a timer, which
 * browsers hold back.
 */
async function settled(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all([new Response('.').text(), hashOfNothing(), nextMessage()])
  }
}

// Insecure origins have no hashes, and neither has the gate then.
const hashOfNothing = async () => crypto.subtle?.digest('SHA-256', new Uint8Array())

function nextMessage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

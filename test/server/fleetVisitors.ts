import { vi } from 'vitest'
import { createMemoryStore, type PetstoreClient } from '../../src/client.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createFleetStore } from '../../src/rate-limit/fleet/createFleetStore.ts'
import { createHandlerWith, type PetstoreHandler } from '../../src/server/createPetstoreHandler.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { hashAtOnce, opening } from '../client/client.setup.ts'
import { createSharedStore } from '../rate-limit/sharedStore.ts'
import { createVirtualClock, type VirtualClock } from '../rate-limit/virtualClock.ts'
import { pageOrigin, serverKey, visit } from './handler.setup.ts'

/*
 * Visitors of several handlers, which share the key and a store. Each visitor stays with one handler, as behind a load
 * balancer with sticky sessions, and uses the client of this package, which believes what it is told.
 */

export interface World {
  readonly processes: number
  readonly visitors: number
  /** Between two calls of a visitor, in ms: at least half of it, at most one and a half. */
  readonly pause: number
  readonly limit: number
  /** Length of the window in ms. */
  readonly per: number
  readonly length: number
  readonly seed: number
}

/** A 429 to a visitor who did as it was told. */
export interface BrokenPromise {
  /**
   * `units`: it had units of the window left. `wait`: it had waited as long as it was told. `next window`: the window of
   * the units that it was told of was over.
   */
  readonly against: 'units' | 'wait' | 'next window'
  readonly user: string
  /** In ms since the start. */
  readonly toldAt: number
  readonly sentAt: number
}

export interface Outcome {
  readonly requests: number
  /** 429s that break what the visitor was told when it sent the request. */
  readonly broken: readonly BrokenPromise[]
  readonly refusedUpstream: number
  /** How many calls of each visitor succeeded after the first window. */
  readonly served: readonly number[]
  /** How many units of each whole window were used. */
  readonly used: readonly number[]
}

export async function play(world: World): Promise<Outcome> {
  const { processes, visitors, pause, limit, per, length } = world
  hashAtOnce()
  const random = createRandom(world.seed)
  // Also for ids: equal remainders are told apart by those of the processes.
  vi.spyOn(Math, 'random').mockImplementation(random)
  const clock = createVirtualClock(opening)
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const service = createPetstoreService({
    keys: [serverKey],
    now: clock.now,
    sleep,
    plan: [{ limit, per }],
    latency: 20,
  })
  const shared = createSharedStore(clock, [{ changeDelay: 1, resolveDelay: 1, notifyDelay: 1 }])
  const handlers = Array.from({ length: processes }, () =>
    createHandlerWith(
      { clock, random },
      {
        baseUrl: service.baseUrl,
        apiKey: serverKey,
        plan: { limit, per },
        rateLimitStore: createFleetStore({
          ...shared.forTab({ isAlive: () => true, isBroken: () => false }),
          now: clock.now,
          processes: () => ({ count: processes, areComplete: true }),
        }),
        authorize: ({ headers }) => headers.get('Cookie') ?? 401,
        allowUnmarkedRequests: true,
        fetch: service.fetch,
      },
    ),
  )
  const end = opening + length
  const broken: BrokenPromise[] = []
  let requests = 0
  const served = Array.from({ length: visitors }, () => 0)

  async function visitOften(index: number): Promise<void> {
    const user = `visitor ${index}`
    const page = openPageOf(user, clock, handlers[index % processes], {
      onResponse: (status) => {
        requests += 1
        if (status === 201 && clock.now() > opening + per) served[index] = (served[index] ?? 0) + 1
      },
      onBroken: ({ toldAt, sentAt, ...promise }) => {
        broken.push({ ...promise, toldAt: toldAt - opening, sentAt: sentAt - opening })
      },
    })
    await sleep(random() * pause)
    while (clock.now() < end) {
      void page.createCategory({ name: user }).catch(() => {})
      await sleep(pause * (0.5 + random()))
    }
  }

  for (let index = 0; index < visitors; index += 1) void visitOften(index)
  for (let turn = 0; turn < 3; turn += 1) await clock.run(end)
  const windows = new Map<number, number>()
  for (const { at, status } of service.requests) {
    const window = Math.floor(at / per)
    if (status === 201) windows.set(window, (windows.get(window) ?? 0) + 1)
  }
  return {
    requests,
    broken,
    refusedUpstream: service.requests.filter(({ status }) => status === 429).length,
    served,
    used: [...windows.values()].slice(1, -1),
  }
}

interface PageListeners {
  readonly onResponse: (status: number) => void
  readonly onBroken: (broken: BrokenPromise) => void
}

/** What a visitor was told last. */
interface Told {
  /** Epoch ms, here and below. */
  readonly at: number
  readonly units: number
  /** When the window ends, or the wait. */
  readonly until: number
}

function openPageOf(
  user: string,
  clock: VirtualClock,
  handler: PetstoreHandler | undefined,
  { onResponse, onBroken }: PageListeners,
): PetstoreClient {
  let told: Told | undefined
  let inFlight = 0

  /** What a 429 to a request that leaves now would break; nothing where the visitor does not know what it may do. */
  function promiseNow(): BrokenPromise | undefined {
    if (!told) return undefined
    const isOver = clock.now() >= told.until
    const times = { user, toldAt: told.at, sentAt: clock.now() }
    if (told.units > inFlight) return { against: isOver ? 'next window' : 'units', ...times }
    return isOver ? { against: 'wait', ...times } : undefined
  }

  return createClientWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: `${pageOrigin}/api/petstore/v1`,
      rateLimitStore: createMemoryStore(),
      fetch: async (request) => {
        if (!handler) throw new Error('There is no handler.')
        const { url, method } = request
        const promise = promiseNow()
        inFlight += 1
        const response = await handler(visit(method, new URL(url).pathname, { Cookie: user }, await request.text()))
        inFlight -= 1
        const { status, headers } = response
        onResponse(status)
        if (status === 429 && promise) onBroken(promise)
        told = readTold(headers, clock.now()) ?? told
        return response
      },
    },
  )
}

function readTold(headers: Headers, now: number): Told | undefined {
  const remaining = headers.get('X-RateLimit-Remaining')
  if (remaining === null) return undefined
  const wait = headers.get('Retry-After')
  const until = wait === null ? Number(headers.get('X-RateLimit-Reset')) * 1_000 : now + Number(wait) * 1_000
  return { at: now, units: wait === null ? Number(remaining) : 0, until }
}

/** Jain's index of fairness: 1 where all get the same. */
export function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share)
  return sum ** 2 / (shares.length * shares.reduce((total, share) => total + share ** 2, 0))
}

/** The same numbers for the same seed, from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

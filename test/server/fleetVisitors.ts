import { vi } from 'vitest'
import { type PetstoreClient } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createFleetStore } from '../../src/rate-limit/fleet/createFleetStore.ts'
import { createHandlerWith, type PetstoreHandler } from '../../src/server/createPetstoreHandler.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { hashAtOnce, opening } from '../client/client.setup.ts'
import { createSharedStore } from '../rate-limit/sharedStore.ts'
import { createVirtualClock, type VirtualClock } from '../rate-limit/virtualClock.ts'
import { pageOrigin, serverKey, visit } from './handler.setup.ts'
import { type BrokenPromise, watchPromises } from './watchPromises.ts'

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

/** Times are in ms since the start. */
interface BrokenPromiseTo extends BrokenPromise {
  readonly user: string
}

export interface Outcome {
  readonly requests: number
  /** 429s that break what the visitor was told when it sent the request. */
  readonly broken: readonly BrokenPromiseTo[]
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
  const broken: BrokenPromiseTo[] = []
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
        broken.push({ ...promise, user, toldAt: toldAt - opening, sentAt: sentAt - opening })
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

function openPageOf(
  user: string,
  clock: VirtualClock,
  handler: PetstoreHandler | undefined,
  listeners: Parameters<typeof watchPromises>[2],
): PetstoreClient {
  const send = async (request: Request) => {
    if (!handler) throw new Error('There is no handler.')
    return handler(visit(request.method, new URL(request.url).pathname, { Cookie: user }, await request.text()))
  }
  return createClientWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: `${pageOrigin}/api/petstore/v1`,
      rateLimitStore: createMemoryStore(),
      fetch: watchPromises(send, clock.now, listeners),
    },
  )
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

import { afterEach, expect, test, vi } from 'vitest'
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

afterEach(() => void vi.restoreAllMocks())

interface World {
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

interface Outcome {
  readonly requests: number
  /** 429s against units that the visitor was just told of, or after the wait that it was told. In ms since the start. */
  readonly broken: readonly number[]
  readonly refusedUpstream: number
  /** How many calls of each visitor succeeded after the first window. */
  readonly served: readonly number[]
  /** How many units of each whole window were used. */
  readonly used: readonly number[]
}

async function play(world: World): Promise<Outcome> {
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
  const broken: number[] = []
  let requests = 0
  const served = Array.from({ length: visitors }, () => 0)

  async function visitOften(index: number): Promise<void> {
    const user = `visitor ${index}`
    let wasTold = false
    const page = openPageOf(user, clock, handlers[index % processes], ({ status, headers }) => {
      requests += 1
      // Its own gate sends nothing against what it was told: no unit is left, or it has to wait.
      if (status === 429 && wasTold) broken.push(clock.now() - opening)
      if (status === 201 && clock.now() > opening + per) served[index] = (served[index] ?? 0) + 1
      wasTold = headers.has('X-RateLimit-Remaining')
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
  onResponse: (response: Response) => void,
): PetstoreClient {
  return createClientWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: `${pageOrigin}/api/petstore/v1`,
      rateLimitStore: createMemoryStore(),
      fetch: async (request) => {
        if (!handler) throw new Error('There is no handler.')
        const { url, method } = request
        const response = await handler(visit(method, new URL(url).pathname, { Cookie: user }, await request.text()))
        onResponse(response)
        return response
      },
    },
  )
}

/** Jain's index of fairness: 1 where all get the same. */
function jain(shares: readonly number[]): number {
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

/**
 * Before the record had these numbers there were 26, 71, 73, 109, 141 and 110 refusals against what was told, and an
 * index of fairness from 0.34 on. The few that are left come where a window begins, and others who are told first count
 * only with the next update. What several processes cannot divide among five visitors each is not used.
 */
test.each([
  { processes: 1, pause: 1_000, broken: 0, used: 59, fairness: 0.99 },
  { processes: 1, pause: 400, broken: 2, used: 59, fairness: 0.99 },
  { processes: 2, pause: 1_000, broken: 1, used: 56, fairness: 0.98 },
  { processes: 2, pause: 400, broken: 4, used: 56, fairness: 0.94 },
  { processes: 4, pause: 1_000, broken: 1, used: 50, fairness: 0.97 },
  { processes: 4, pause: 400, broken: 1, used: 53, fairness: 0.85 },
])(
  '20 visitors of $processes processes get what they are told: one call in $pause ms each',
  async (world) => {
    const outcomes: Outcome[] = []
    for (const seed of [1, 2, 3]) {
      outcomes.push(await play({ ...world, visitors: 20, limit: 60, per: 10_000, length: 40_000, seed }))
      vi.restoreAllMocks()
    }
    for (const { requests, refusedUpstream, used, served } of outcomes) {
      expect(requests).toBeGreaterThan(200)
      expect(refusedUpstream).toBe(0)
      expect(Math.min(...used)).toBeGreaterThanOrEqual(world.used)
      expect(jain(served)).toBeGreaterThanOrEqual(world.fairness)
    }
    expect(outcomes.flatMap(({ broken }) => broken).length).toBeLessThanOrEqual(world.broken)
  },
  180_000,
)

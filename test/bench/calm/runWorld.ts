import { createRandom, startVirtualTime } from '../virtualTime.ts'
import { createNetwork, type Exchange, type Fate, type Arrival } from './network.ts'
import { startPages } from './pages.ts'
import { createService, type QuotaKind } from './service.ts'
import { type GetOptions, handler, kit, plainFetch, reasonOf, type Subject } from './subjects.ts'

/** How much later than with plain `fetch`, which tries each call once, calls may succeed with the kit, in ms. */
export interface Goal {
  readonly p50?: number
  readonly p95?: number
  readonly max?: number
  /** The slowest call of the kit as a multiple of the slowest one of plain `fetch`. */
  readonly ratio?: number
}

/** A simulated situation in which the quota is free: a service, a network, and what pages do. */
export interface World {
  readonly name: string
  readonly about: string
  /** Requests per minute. Default 60. */
  readonly limit?: number
  readonly quota?: QuotaKind
  /** By how much the clock of the service is ahead, in ms. Default 0. */
  readonly serviceAhead?: number
  /** Whether pages can read no header of the service. Default `false`. */
  readonly hidesHeaders?: boolean
  /** The shortest and the longest time of a request and its response together, in ms. Default 80 and 120. */
  readonly latency?: readonly [number, number]
  /** The client's `timeout`, in ms. Default: the kit's. */
  readonly timeout?: number
  /** Whether the pages reach the service through the kit's handler on a server. */
  readonly hasHandler?: boolean
  /** How many runs, with the seeds from 1 on. Default 3. */
  readonly seeds?: number
  /** What becomes of the requests that do not simply succeed. */
  readonly fateOf?: (arrival: Arrival) => Fate | undefined
  /** What the pages do. Must depend on time alone: the calls of kit and plain `fetch` are compared by their numbers. */
  readonly run: (context: WorldContext) => Promise<void>
  readonly goal: Goal
}

export interface WorldContext {
  readonly seed: number
  /** Resolves at that time, in ms after the start. */
  readonly until: (ms: number) => Promise<void>
  /** Resolves `ms` after the n-th start of a minute since the world began. */
  readonly untilMinute: (n: number, ms: number) => Promise<void>
  readonly openPage: () => WorldPage
  readonly setOnline: (isOnline: boolean) => void
}

export interface WorldPage {
  /** Makes a call, and does not wait for it. */
  readonly get: (address: string, options?: GetOptions & { readonly isCounted?: boolean }) => void
  /** Reloads, leaves or closes the page. Its calls that have not succeeded do not count. */
  readonly close: (options?: { readonly isCrash: boolean }) => void
}

/** One call of a page, and its outcome. Times are true epoch ms. */
export interface CallRecord {
  readonly address: string
  readonly page: string
  readonly startedAt: number
  isCounted: boolean
  succeededAt?: number
  /** Why it failed. */
  reason?: string
}

export interface Run {
  /** True epoch ms. */
  readonly start: number
  readonly calls: readonly CallRecord[]
  readonly exchanges: readonly Exchange[]
}

const minute = 60_000
/** How long calls may take after the script has ended, in ms: longer than the default `maxWait` and three timeouts. */
const timeToEnd = 4 * minute

/** What the kit and plain `fetch` did in the same world, with the same seed. */
export interface Pair {
  readonly kit: Run
  readonly plain: Run
}

/** Runs a world twice. The same seed gives the same pair. */
export async function runPair(world: World, seed: number): Promise<Pair> {
  const plain = await runWorld(world, plainFetch, seed)
  return { plain, kit: await runWorld(world, world.hasHandler ? handler : kit, seed) }
}

async function runWorld(world: World, subject: Subject, seed: number): Promise<Run> {
  // Noon, at another second of the minute for each seed.
  const start = Date.UTC(2026, 0, 1, 12) + ((17 * seed) % 60) * 1_000
  const time = startVirtualTime(start, seed)
  const pages = startPages()
  const { serviceAhead = 0, hidesHeaders = false, latency = [80, 120], fateOf = () => undefined, timeout } = world
  const service = createService({ kind: world.quota ?? 'fixed minutes', limit: world.limit ?? 60 })
  const network = createNetwork({
    service,
    time,
    start,
    seed,
    serviceAhead,
    hidesHeaders,
    latency,
    fateOf,
    isOnline: pages.isOnline,
  })
  const open = subject({ pages, network, timeout })
  const calls: CallRecord[] = []

  function openPage(): WorldPage {
    const client = open()
    const pageCalls: CallRecord[] = []
    return {
      get: (address, { isCounted = true, ...options } = {}) => {
        const call: CallRecord = { address, page: client.page.id, startedAt: time.now(), isCounted }
        const number = calls.push(call) - 1
        pageCalls.push(call)
        client.get(number, address, options).then(
          () => {
            call.succeededAt = time.now()
          },
          (error: unknown) => {
            call.reason = reasonOf(error)
          },
        )
      },
      close: ({ isCrash } = { isCrash: false }) => {
        for (const call of pageCalls) if (call.succeededAt === undefined) call.isCounted = false
        client.page.close(isCrash)
      },
    }
  }

  const sleepUntil = (at: number) => (at > time.now() ? time.sleep(at - time.now()) : Promise.resolve())
  const script = world.run({
    seed,
    until: (ms) => sleepUntil(start + ms),
    untilMinute: (n, ms) => sleepUntil((Math.floor(start / minute) + n) * minute + ms),
    openPage,
    setOnline: pages.setOnline,
  })
  try {
    const finished = script.then(() => time.sleep(timeToEnd))
    await time.run(finished, Infinity)
    await script
  } finally {
    pages.stop()
    time.stop()
  }
  return { start, calls, exchanges: network.exchanges }
}

/** Numbers from 0 to 1 for what the pages of a world do. */
export const randomOf = ({ seed }: WorldContext): (() => number) => createRandom(seed * 7_919)

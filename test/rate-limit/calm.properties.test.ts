import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { calmScenario } from './calmScenario.ts'
import { runs, timeout } from './runs.ts'
import { type CallPlan, type Scenario, simulate, type Trace } from './simulate.ts'

const minute = 60_000
/** One world takes as long as dozens of runs of other properties. */
const worldCount = Math.ceil(runs.numRuns / 10)
const upTo = (max: number) => fc.nat({ max })

/** A world without refusals, in which more than half of the quota stays unused. Plain data; times in ms. */
interface CalmWorld {
  readonly startsAt: number
  readonly isSliding: boolean
  readonly limit: number
  /** Calls that come again and again. */
  readonly flows: readonly {
    readonly tab: number
    readonly at: number
    readonly every: number
    readonly isBackground: boolean
  }[]
  readonly bursts: readonly { readonly at: number; readonly tab: number; readonly count: number }[]
  /** Which part of the requests loses its response, half of these before they arrive: 0 to 1. */
  readonly lossRate: number
  /** One call in this many goes to an address for which a gateway responds 502, not the service; 0: none does. */
  readonly deadShare: number
  /** Calls whose response takes half a minute, or never comes. */
  readonly slowCalls: readonly { readonly at: number; readonly tab: number; readonly hangs: boolean }[]
  readonly seed: number
}

const duration = 2 * minute
const worlds: fc.Arbitrary<CalmWorld> = fc.record({
  startsAt: upTo(minute),
  isSliding: fc.boolean(),
  limit: fc.constantFrom(60, 60, 120, 300),
  flows: fc.array(
    fc.record({
      tab: upTo(2),
      at: upTo(9_000),
      every: fc.integer({ min: 700, max: 8_000 }),
      isBackground: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  bursts: fc.array(fc.record({ at: upTo(duration - 10_000), tab: upTo(2), count: fc.integer({ min: 2, max: 7 }) }), {
    maxLength: 3,
  }),
  lossRate: fc.constantFrom(0, 0, 0.05, 0.2),
  deadShare: fc.constantFrom(0, 3, 5, 10),
  slowCalls: fc.array(fc.record({ at: upTo(duration - 40_000), tab: upTo(2), hangs: fc.boolean() }), { maxLength: 3 }),
  seed: upTo(1_000_000),
})

/** 0 to 1, the same for the same seed and numbers. */
function chance(seed: number, ...numbers: readonly number[]): number {
  let hash = seed
  for (const number of [...numbers, numbers.length]) {
    // The last steps of MurmurHash3: they spread each bit over all others.
    hash = Math.imul((hash + number + 0x9e3779b9) ^ ((hash + number) >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

function planCalls({ limit, flows, bursts, lossRate, deadShare, slowCalls, seed }: CalmWorld): CallPlan[] {
  const plans: (Pick<CallPlan, 'at' | 'tab' | 'priority'> & { kind?: 'dead' | 'slow' | 'hangs' })[] = []
  const user = { priority: 'user' } as const
  for (const { tab, at, every, isBackground } of flows) {
    const priority = isBackground ? 'background' : 'user'
    for (let time = at; time < duration; time += every) plans.push({ at: time, tab, priority })
  }
  for (const { at, tab, count } of bursts) {
    for (let index = 0; index < count; index += 1) plans.push({ at, tab, ...user })
  }
  const flowing = plans.toSorted((a, b) => a.at - b.at)
  for (const [index, { at }] of flowing.entries()) {
    if (deadShare > 0 && index % deadShare === deadShare - 1)
      plans.push({ at: at + 300, tab: index % 3, kind: 'dead', ...user })
  }
  for (const { at, tab, hangs } of slowCalls) {
    plans.push({ at, tab, kind: hangs ? 'hangs' : 'slow', ...user })
  }
  const planned: { at: number; weight: number }[] = []
  // The key's first call. All other calls come at least three seconds later.
  const calls: CallPlan[] = [{ at: 0, tab: 0, count: 1, priority: 'user', maxWait: 65_000, trips: [trip(50)] }]
  for (const [index, { kind, ...plan }] of plans.toSorted((a, b) => a.at - b.at).entries()) {
    // The units that a call may use, retries included. Calls beyond two fifths of the quota in any minute are left out.
    const weight = kind === 'dead' ? 3 : lossRate > 0 ? 2 : 1
    const inMinute = planned.filter(({ at }) => at > plan.at - minute).reduce((sum, one) => sum + one.weight, 0)
    if (inMinute + weight > 0.4 * limit) continue
    planned.push({ at: plan.at, weight })
    const trips = [0, 1, 2].map((attempt) => {
      const ms = 10 + Math.floor(190 * chance(seed, index, attempt, 1))
      if (kind === 'dead') return { ...trip(ms), gatewayStatus: 502 }
      if (kind === 'hangs') return { ...trip(ms), hangs: true }
      if (kind === 'slow') return { ...trip(ms), responseDelay: 25_000 }
      const fate = chance(seed, index, attempt, 2)
      return fate < lossRate
        ? { ...trip(ms), lost: fate < lossRate / 2 ? ('before' as const) : ('after' as const) }
        : trip(ms)
    })
    calls.push({ ...plan, at: plan.at + 3_000, count: 1, maxWait: 65_000, attempts: 3, trips })
  }
  return calls
}

const trip = (ms: number) => ({ requestDelay: ms, responseDelay: ms })

function scenarioOf(world: CalmWorld): Scenario {
  return {
    ...calmScenario,
    startsAt: world.startsAt,
    service: {
      ...calmScenario.service,
      plan: [{ limit: world.limit, per: minute }],
      isSliding: world.isSliding,
    },
    calls: planCalls(world),
  }
}

/** How many ms later each call succeeds here, if plain `fetch` completes it at its first try; infinite if it fails. */
function addedTimes({ calls }: Trace): number[] {
  return calls.flatMap(({ plan, startedAt, outcome, endedAt = Infinity }) => {
    const [first] = plan.trips ?? []
    if (!first || first.lost || first.hangs || first.gatewayStatus || plan.at < 3_000) return []
    if (outcome !== 'succeeded') return [Infinity]
    return [endedAt - startedAt - first.requestDelay - first.responseDelay]
  })
}

/** @param part - 0 to 1 */
function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? 0
}

it(
  'G23: of the calls that succeed with plain fetch at the first try none fails, half are as fast, and 95 % at most 50 ms later, or a second where requests are lost',
  async () => {
    const lossy: number[] = []
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const trace = await simulate(scenarioOf(world))
        const added = addedTimes(trace)
        expect(added).not.toContain(Infinity)
        expect(trace.arrivals.filter(({ status }) => status === 429)).toEqual([])
        if (world.lossRate > 0) {
          lossy.push(...added)
          return
        }
        expect(percentile(added, 0.5)).toBeLessThanOrEqual(5)
        expect(percentile(added, 0.95)).toBeLessThanOrEqual(50)
      }),
      { ...runs, numRuns: worldCount, endOnFailure: true },
    )
    // Over all worlds: in a single one, much depends on which requests are lost.
    expect(lossy.length).toBeGreaterThan(4 * worldCount)
    expect(percentile(lossy, 0.5)).toBeLessThanOrEqual(5)
    expect(percentile(lossy, 0.95)).toBeLessThanOrEqual(1_000)
  },
  timeout,
)

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { calmScenario } from '../rate-limit/calmScenario.ts'
import { runs, timeout } from '../rate-limit/runs.ts'
import { type Scenario, simulate, type Trace } from '../rate-limit/simulate.ts'

/*
 * Several processes share a key through one store, which some of them lose for a while. The simulation calls the
 * processes tabs.
 */

const worlds = fc.record({
  processes: fc.integer({ min: 2, max: 6 }),
  limit: fc.integer({ min: 12, max: 60 }),
  per: fc.integer({ min: 3_000, max: 60_000 }),
  /** Calls for each unit of the quota. */
  load: fc.double({ min: 0.3, max: 1.6, noNaN: true }),
  latency: fc.integer({ min: 10, max: 200 }),
  storeDelay: fc.nat(20),
  /** When the store fails, and for how long, in windows. */
  breaksAt: fc.double({ min: 1, max: 3, noNaN: true }),
  breaksFor: fc.double({ min: 0.2, max: 4, noNaN: true }),
})
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never

/** @param cutOff - the processes that lose the store */
async function play(world: World, cutOff: readonly number[]): Promise<Trace> {
  const { processes, limit, per, load, latency, storeDelay, breaksAt, breaksFor } = world
  const count = Math.ceil(8 * load * limit) // over eight windows
  return simulate({
    ...calmScenario,
    service: { ...calmScenario.service, plan: [{ limit, per }] },
    isPlanKnown: true,
    timeout: 10_000,
    calls: Array.from({ length: count }, (_, index): Scenario['calls'][number] => ({
      at: Math.round((index * 8 * per) / count),
      tab: index % processes,
      count: 1,
      priority: 'user',
      maxWait: 65_000,
    })),
    trips: [{ requestDelay: latency / 2, responseDelay: latency / 2 }],
    storeUpdates: [{ changeDelay: storeDelay, resolveDelay: 1, notifyDelay: 1 }],
    storeBreaks: cutOff.map((tab) => ({ at: breaksAt * per, tab, length: breaksFor * per })),
    lateness: [0],
    jitter: [0.1, 0.5, 0.9],
    processes,
  })
}

function checkCalls({ calls, requests }: Trace): void {
  expect(requests.filter(({ closedFor }) => closedFor > 0)).toEqual([])
  for (const { outcome, endedAt = Infinity, startedAt } of calls) {
    expect(outcome).toMatch(/succeeded|rejected/)
    expect(endedAt - startedAt).toBeLessThanOrEqual(66_000) // `maxWait` and a second
  }
}

const refusalsOf = ({ requests }: Trace, tab: number) =>
  requests.filter(({ status, call }) => status === 429 && call.plan.tab === tab)

/** The window of each request, by its end. */
const windowsOf = (requests: Trace['requests']) => requests.map(({ arrival }) => arrival?.resetAt)

const fewerRuns = { ...runs, numRuns: Math.ceil(runs.numRuns / 20) }

test(
  'while all processes are without the store, each keeps to its part: the service refuses one request of each at most',
  async () => {
    const check = fc.asyncProperty(worlds, async (world) => {
      const all = Array.from({ length: world.processes }, (_, index) => index)
      const trace = await play(world, all)
      checkCalls(trace)
      for (const tab of all) expect(refusalsOf(trace, tab).length).toBeLessThanOrEqual(1)
    })
    await fc.assert(check, fewerRuns)
  },
  timeout,
)

test(
  'beside a process that is cut off alone, the service refuses three requests of a window at most, and one of that process',
  async () => {
    const check = fc.asyncProperty(worlds, async (world) => {
      const trace = await play(world, [0])
      checkCalls(trace)
      const ownWindows = windowsOf(refusalsOf(trace, 0))
      expect(ownWindows).toEqual([...new Set(ownWindows)])
      const windows = windowsOf(trace.requests.filter(({ status }) => status === 429))
      for (const reset of windows) expect(windows.filter((one) => one === reset).length).toBeLessThanOrEqual(3)
    })
    await fc.assert(check, fewerRuns)
  },
  timeout,
)

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type InvariantName, invariants } from './invariants.ts'
import { runs, timeout } from './runs.ts'
import { type Scenario, simulate } from './simulate.ts'

const titles: Record<InvariantName, string> = {
  G1: 'no request leaves in a known cool-down, in any tab or after a reload; an admission is valid for a second',
  G2: 'the end of a cool-down never moves earlier',
  G3: 'every timer is finite, not negative, and no longer than a timer can wait',
  G5: 'after a cool-down or an exhausted window one probe leaves; then the queue drains step by step',
  G6: 'within a window no more requests leave than announced last, those in flight or lost included',
  G7: 'responses out of order never raise remaining within a window',
  G8: 'the first cool-down costs one 429 and the requests in flight; each that follows it costs its probe alone',
  G9: 'an aborted call ends at once and is never sent',
  G10: 'a call that would wait too long is rejected as soon as that is known, with the time to retry',
  G11: 'timers only wake; permission is fresh when the request leaves',
  G13: 'user requests leave before background requests',
  G14: 'without readable headers the plan sets the pace',
  G15: 'with a wrong clock no request arrives during a cool-down',
  G16: 'every call that is not aborted succeeds or is rejected in time',
  G17: 'a page sends nothing from the moment at which it receives a refusal, however slow its store is',
  G20: 'user requests leave before the background requests of all tabs',
}
const names = Object.keys(titles) as InvariantName[]

/** For each invariant: how many cases it was checked in, and the number of the first run that broke it. */
interface Findings {
  readonly cases: ReadonlyMap<InvariantName, number>
  readonly brokenIn: ReadonlyMap<InvariantName, number>
}

/**
 * Adds a test for each invariant. Each scenario is simulated once, for all of them.
 *
 * @param minCases - how many cases for each run an invariant needs on average: one without cases would always hold
 */
export function testInvariants(scenarios: fc.Arbitrary<Scenario>, minCases: number): void {
  let findings: Promise<Findings> | undefined

  async function checkAll(): Promise<Findings> {
    const cases = new Map<InvariantName, number>()
    const brokenIn = new Map<InvariantName, number>()
    let run = 0
    const check = fc.asyncProperty(scenarios, async (scenario) => {
      const trace = await simulate(scenario)
      for (const name of names) {
        const result = invariants[name](trace)
        cases.set(name, (cases.get(name) ?? 0) + result.cases)
        if (result.violation !== undefined && !brokenIn.has(name)) brokenIn.set(name, run)
      }
      run += 1
    })
    await fc.assert(check, runs)
    expect(run).toBe(runs.numRuns)
    return { cases, brokenIn }
  }

  async function holds(name: InvariantName): Promise<void> {
    findings ??= checkAll()
    const { cases, brokenIn } = await findings
    const run = brokenIn.get(name)
    if (run !== undefined) {
      // Plays that run again, so that fast-check shrinks its scenario.
      const property = fc.asyncProperty(scenarios, async (scenario) => {
        const { violation } = invariants[name](await simulate(scenario))
        if (violation !== undefined) throw new Error(violation)
      })
      await fc.assert(property, { path: String(run), ...runs, numRuns: 1, interruptAfterTimeLimit: 60_000 })
      throw new Error(`${name} was broken in run ${run}, but not when that run was repeated.`)
    }
    expect(cases.get(name)).toBeGreaterThan(runs.numRuns * minCases)
  }

  for (const name of names) it(`${name}: ${titles[name]}`, () => holds(name), timeout)
}

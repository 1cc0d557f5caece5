import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type InvariantName, invariants } from './invariants.ts'
import { runs, timeout } from './runs.ts'
import { type Scenario, simulate } from './simulate.ts'

const names = Object.keys(invariants) as InvariantName[]

/** How many cases each invariant was checked in, and the first run that broke it. */
interface Findings {
  readonly cases: ReadonlyMap<InvariantName, number>
  readonly brokenIn: ReadonlyMap<InvariantName, number>
}

/**
 * Returns a function that adds a test for an invariant. Each scenario is simulated once, for all of them.
 *
 * @param minCases - of the runs, the part in which each invariant has to apply: one that applies to no trace always holds
 */
export function testInvariants(
  scenarios: fc.Arbitrary<Scenario>,
  minCases: number,
): (title: `${InvariantName}: ${string}`) => void {
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
      // Runs it again, for fast-check to shrink the scenario.
      const property = fc.asyncProperty(scenarios, async (scenario) => {
        const { violation } = invariants[name](await simulate(scenario))
        if (violation !== undefined) throw new Error(violation)
      })
      await fc.assert(property, { path: String(run), ...runs, numRuns: 1, interruptAfterTimeLimit: 60_000 })
      expect.unreachable(`${name} was broken in run ${run}, but not when that run was repeated.`)
    }
    expect(cases.get(name)).toBeGreaterThan(runs.numRuns * minCases)
  }

  return (title) => {
    const [name] = title.split(':') as [InvariantName]
    it(title, () => holds(name), timeout)
  }
}

/** Whether the tests of a file cover every invariant. */
export const invariantNames: readonly InvariantName[] = names.toSorted()

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type InvariantName, invariants } from '../invariants.ts'
import { runs as allRuns, timeout } from '../runs.ts'
import { fleets } from '../scenarios.ts'
import { simulate } from '../simulate.ts'

const names = Object.keys(invariants) as InvariantName[]

/**
 * Of 10,000 runs one still breaks G16: a call waits 7 s past its deadline. Until that is mended, this is no deep test.
 */
const runs = allRuns

/** How many cases each invariant was checked in, and the first run that broke it. */
interface Findings {
  readonly cases: ReadonlyMap<InvariantName, number>
  readonly brokenIn: ReadonlyMap<InvariantName, number>
}

let findings: Promise<Findings> | undefined

/** Simulates each scenario once and checks all invariants on its trace. */
async function checkAll(): Promise<Findings> {
  const cases = new Map<InvariantName, number>()
  const brokenIn = new Map<InvariantName, number>()
  let run = 0
  const check = fc.asyncProperty(fleets, async (scenario) => {
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
    const property = fc.asyncProperty(fleets, async (scenario) => {
      const { violation } = invariants[name](await simulate(scenario))
      if (violation !== undefined) throw new Error(violation)
    })
    await fc.assert(property, { path: String(run), ...runs, numRuns: 1, interruptAfterTimeLimit: 60_000 })
    expect.unreachable(`${name} was broken in run ${run}, but not when that run was repeated.`)
  }
  // An invariant that applies to no trace would always hold.
  expect(cases.get(name)).toBeGreaterThan(runs.numRuns / 8)
}

const invariant = (title: `${InvariantName}: ${string}`) => {
  const [name] = title.split(':') as [InvariantName]
  it(title, () => holds(name), timeout)
}

invariant(
  'G1: no request leaves in a known cool-down, in any tab or after a reload; an admission is valid for a second',
)
invariant('G2: the end of a cool-down never moves earlier')
invariant('G3: every timer is finite, not negative, and no longer than a timer can wait')
invariant('G5: after a cool-down or an exhausted window one probe leaves; then the queue drains step by step')
invariant('G6: within a window no more requests leave than announced last, those in flight or lost included')
invariant('G7: responses out of order never raise remaining within a window')
invariant('G8: an episode costs one 429 and the requests in flight; a later one costs the probe')
invariant('G9: an aborted call ends at once and is never sent')
invariant('G10: a call that would wait too long is rejected as soon as that is known, with the time to retry')
invariant('G11: timers only wake; permission is fresh when the request leaves')
invariant('G13: user requests leave before background requests')
invariant('G14: without readable headers the plan sets the pace')
invariant('G15: with a wrong clock no request arrives during a cool-down')
invariant('G16: every call that is not aborted succeeds or is rejected in time')
invariant('G17: a page sends nothing from the moment at which it receives a refusal, however slow its store is')
invariant('G20: user requests leave before the background requests of all tabs')

it('every invariant has a test', () => {
  expect(names.toSorted()).toEqual(
    ['G1', 'G2', 'G3', 'G5', 'G6', 'G7', 'G8', 'G9', 'G10', 'G11', 'G13', 'G14', 'G15', 'G16', 'G17', 'G20'].toSorted(),
  )
})

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { invariants, type Line } from './invariants.ts'
import { runs, timeout } from './runs.ts'
import { scenarios } from './scenarios.ts'
import { simulate } from './simulate.ts'

const lines = Object.keys(invariants) as Line[]

/** How many cases each line was judged by, and the run in which it was first broken. */
interface Findings {
  readonly cases: ReadonlyMap<Line, number>
  readonly brokenIn: ReadonlyMap<Line, number>
}

let findings: Promise<Findings> | undefined

/** All lines are judged by the same traces: each scenario is played once. */
async function playAll(): Promise<Findings> {
  const cases = new Map<Line, number>()
  const brokenIn = new Map<Line, number>()
  let run = 0
  const play = fc.asyncProperty(scenarios, async (scenario) => {
    const trace = await simulate(scenario)
    for (const line of lines) {
      const judgement = invariants[line](trace)
      cases.set(line, (cases.get(line) ?? 0) + judgement.cases)
      if (judgement.wrong !== undefined && !brokenIn.has(line)) brokenIn.set(line, run)
    }
    run += 1
  })
  await fc.assert(play, runs)
  expect(run).toBe(runs.numRuns)
  return { cases, brokenIn }
}

async function holds(line: Line): Promise<void> {
  findings ??= playAll()
  const { cases, brokenIn } = await findings
  const run = brokenIn.get(line)
  if (run !== undefined) {
    // Once more, to find the smallest scenario that breaks it.
    const property = fc.asyncProperty(scenarios, async (scenario) => {
      const { wrong } = invariants[line](await simulate(scenario))
      if (wrong !== undefined) throw new Error(wrong)
    })
    await fc.assert(property, { path: String(run), ...runs, numRuns: 1, interruptAfterTimeLimit: 60_000 })
    expect.unreachable(`${line} was broken in run ${run}, but not when it was played again.`)
  }
  // A line that is never put to the test would always hold.
  expect(cases.get(line)).toBeGreaterThan(runs.numRuns / 4)
}

const line = (name: `${Line}: ${string}`) => {
  const [number] = name.split(':') as [Line]
  it(name, () => holds(number), timeout)
}

line('G1: nothing leaves in a known cool-down, in any tab or after a reload; an admission is good for a second')
line('G2: the end of a cool-down never moves earlier')
line('G3: every timer is finite, not negative, and no longer than timers can be')
line('G5: after a cool-down or an exhausted window exactly one probe leaves; then the line opens step by step')
line('G6: within a window no more is sent than was announced last; what is under way or was lost counts')
line('G7: responses out of order never raise what remains of a window')
line('G8: an episode costs one 429 and what was under way; a later one the probe')
line('G9: an aborted call is gone at once and never sent')
line('G10: a call that would wait too long is rejected as soon as that is known, with the time to retry')
line('G11: timers only wake; permission is fresh at the moment of sending')
line('G13: people go before background work')
line('G14: without readable headers the plan sets the pace')
line('G15: a wrong clock never knocks at a closed door')
line('G16: every call that nobody aborts is responded to or rejected in time')

it('each line is judged', () => {
  expect(lines.toSorted()).toEqual(
    ['G1', 'G2', 'G3', 'G5', 'G6', 'G7', 'G8', 'G9', 'G10', 'G11', 'G13', 'G14', 'G15', 'G16'].toSorted(),
  )
})

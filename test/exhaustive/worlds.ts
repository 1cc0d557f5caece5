import type { PlannedCalls } from './page.ts'
import { allFaults, type Bounds, createPageModel } from './pageWorld.ts'
import { type Counterexample, type Model, play } from './search.ts'
import { createVisitorModel, visitorFaults } from './visitorWorld.ts'

const three: PlannedCalls = [
  { tab: 0, method: 'GET' },
  { tab: 1, method: 'POST' },
  { tab: 0, method: 'GET' },
]
const two = three.slice(0, 2)
const tabs: Bounds = { calls: three, quota: 2, faults: 2, kinds: allFaults }
/** All calls in one tab. */
const alone = (calls: PlannedCalls) => calls.map((call) => ({ ...call, tab: 0 }))

/** The worlds that are searched, by their names. */
export const worlds: Readonly<Record<string, () => Model>> = {
  // Nothing goes wrong but the quota: every order of what two tabs, their store and the service do.
  calm: () => createPageModel({ ...tabs, faults: 0 }),
  'two calls': () => createPageModel({ ...tabs, calls: two, faults: 1 }),
  'one fault': () => createPageModel({ ...tabs, faults: 1 }),
  'two faults': () => createPageModel(tabs),
  'three faults': () => createPageModel({ ...tabs, calls: two, faults: 3 }),
  locks: () => createPageModel({ ...tabs, calls: two, hasLocks: true }),
  background: () =>
    createPageModel({ ...tabs, calls: three.map((call) => ({ ...call, isBackground: call.tab === 1 })), faults: 1 }),
  'one tab': () => createPageModel({ ...tabs, calls: alone(two) }),
  // After the first response, two requests may be in flight.
  'three units': () => createPageModel({ ...tabs, calls: alone(three), quota: 3, faults: 1 }),
  fleet: () => createPageModel({ ...tabs, isFleet: true }),
  visitors: () =>
    createVisitorModel({ visits: ['Ann', 'Bob', 'Ann'], quota: 2, maxQueued: 10, faults: 2, kinds: visitorFaults }),
  'a full queue': () =>
    createVisitorModel({
      visits: ['Ann', 'Bob', 'Ann', 'Bob'],
      quota: 1,
      maxQueued: 1,
      faults: 1,
      kinds: visitorFaults,
    }),
}

/** What is wrong after these events of a world, if anything is. */
export async function playIn(name: string, events: readonly string[]): Promise<string | undefined> {
  const createModel = worlds[name]
  if (!createModel) throw new Error(`There is no world "${name}".`)
  const { problem, events: happened } = await play(createModel(), events)
  const missing = events.find((event, index) => happened[index] !== event)
  if (problem === undefined && missing !== undefined) throw new Error(`"${missing}" cannot happen.`)
  return problem
}

/** A counterexample as a story and as a test. */
export function describeCounterexample(name: string, { problem, story, events }: Counterexample): string {
  const list = events.map((event) => `    '${event}',`).join('\n')
  const test = `it('${problem}', async () => {\n  const events = [\n${list}\n  ]\n  expect(await playIn('${name}', events)).toBeUndefined()\n})`
  return `${problem}\n\n${story.map((sentence) => `  ${sentence}`).join('\n')}\n\n${test}`
}

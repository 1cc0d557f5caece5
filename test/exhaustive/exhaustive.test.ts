import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runs } from '../rate-limit/runs.ts'
import { installPlatform } from './platform.ts'
import { findDivergence, play, search, shorten } from './search.ts'
import { describeCounterexample, worlds } from './worlds.ts'

// Every order of events of small worlds, up to a number of states: `npm run test:exhaustive` searches on.

let restore = () => {}
beforeEach(() => {
  // A store that fails says so to developers.
  vi.spyOn(console, 'warn').mockReturnValue()
  restore = installPlatform()
})
afterEach(() => {
  restore()
  vi.restoreAllMocks()
})

/** With every test run the shortest paths; thirty times as many in `npm run test:deep`. */
const maxStates = runs.numRuns > 1_000 ? runs.numRuns * 3 : runs.numRuns

describe.each(Object.entries(worlds))('%s', (name, createWorld) => {
  it('holds in every state', { timeout: 60_000 + maxStates * 60 }, async () => {
    const found = await search({ createWorld, isEnough: ({ states }) => states >= maxStates })
    expect(found.open.length === 0 || found.states >= maxStates || found.counterexample).toBeTruthy()
    if (!found.counterexample) return
    throw new Error(describeCounterexample(name, await shorten(createWorld, found.counterexample)))
  })
})

describe('states that look alike go on alike', { timeout: 180_000 }, () => {
  it.each(['calm', 'one tab', 'locks', 'fleet', 'visitors'])('%s', async (name) => {
    const createWorld = worlds[name]
    if (!createWorld) throw new Error(`There is no world "${name}".`)
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const { meetings, divergence } = await findDivergence(createWorld, { maxStates: 500, random })
    expect(divergence).toBeUndefined()
    expect(meetings).toBeGreaterThan(5)
  })
})

describe('the search', () => {
  it('knows a state that it has seen, and every one that it has not', async () => {
    // Three counters that go up to two each, in any order: 27 states, and 6!/(2!2!2!) = 90 ways to the last of them.
    const createWorld = () => {
      const counts = [0, 0, 0]
      return {
        events: () => ['0', '1', '2'].filter((index) => (counts[Number(index)] ?? 2) < 2),
        happen: (event: string) => void (counts[Number(event)] = (counts[Number(event)] ?? 0) + 1),
        state: () => counts.join(),
        problem: () => undefined,
        isOver: () => counts.every((count) => count === 2),
        endProblem: () => undefined,
        story: [],
      }
    }
    const { states, ends, depth, open } = await search({ createWorld })
    expect({ states, ends, depth, open }).toEqual({ states: 27, ends: 1, depth: 6, open: [] })
  })

  it('tells the shortest story of what is wrong', async () => {
    const createWorld = () => {
      const happened: string[] = []
      return {
        events: () => (happened.length < 5 ? ['rain', 'sun', 'snow'] : []),
        happen: (event: string) => void happened.push(event),
        state: () => happened.join(),
        problem: () => (happened.includes('snow') && happened.includes('rain') ? 'sleet' : undefined),
        isOver: () => happened.length === 5,
        endProblem: () => undefined,
        story: happened,
      }
    }
    const { counterexample } = await search({ createWorld })
    const shortest = counterexample && (await shorten(createWorld, counterexample))
    expect(shortest?.story.toSorted()).toEqual(['rain', 'snow'])
    expect(await play(createWorld, ['sun', 'snow'])).toBeUndefined()
  })

  it('notices what is stuck', async () => {
    const world = {
      events: () => [],
      happen: () => {},
      state: () => '',
      problem: () => undefined,
      isOver: () => false,
      endProblem: () => undefined,
      story: [],
    }
    const { counterexample } = await search({ createWorld: () => world })
    expect(counterexample?.problem).toContain('something still waits')
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runs } from '../rate-limit/runs.ts'
import { createMachine, findDivergence, type MachineMeetings, settled, watchRejections } from './machine.ts'
import { installPlatform } from './platform.ts'
import { type Model, play, search, shorten, type World } from './search.ts'
import { describeCounterexample, playIn, worlds } from './worlds.ts'

// Every order of events of small worlds, up to a number of states: `test/exhaustive/exhaustive.ts` searches on.

let restore = () => {}
beforeEach(() => {
  // A store that fails says so to developers.
  vi.spyOn(console, 'warn').mockReturnValue()
  const restorePlatform = installPlatform()
  const stopWatching = watchRejections()
  restore = () => {
    stopWatching()
    restorePlatform()
  }
})
afterEach(() => {
  restore()
  vi.restoreAllMocks()
})

/** With every test run the paths with the fewest turns; a hundred times as many in `npm run test:deep`. */
const maxStates = runs.numRuns * 10
/** About how many meetings of ways are followed in each world. */
const maxMeetings = Math.max(100, maxStates / 100)

describe.each(Object.entries(worlds))('%s', (name, createModel) => {
  it('holds in every state', { timeout: 60_000 + maxStates * 10 }, async () => {
    const found = await search({ createModel, isEnough: ({ states }) => states >= maxStates })
    expect(found.open === 0 || found.states >= maxStates || found.counterexample).toBeTruthy()
    if (!found.counterexample) return
    throw new Error(describeCounterexample(name, await shorten(createModel(), found.counterexample)))
  })
})

/** Numbers from 0 to 1. */
function createChance(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}

describe('states that look alike go on alike', { timeout: 300_000 }, () => {
  it.each(['calm', 'one tab', 'three faults', 'three units', 'locks', 'visitors', 'a full queue'])(
    '%s',
    async (name) => {
      const createModel = worlds[name]
      if (!createModel) throw new Error(`There is no world "${name}".`)
      const model = createModel()
      await search({ createModel: () => model, isEnough: ({ states }) => states >= Math.max(1_000, maxStates / 10) })
      const share = Math.min(1, (3 * maxMeetings) / model.size().states)
      const { meetings, divergence } = await model.findDivergence({ share, random: createChance() })
      expect(divergence).toBeUndefined()
      expect(meetings).toBeGreaterThan(maxMeetings / 10)
    },
  )

  it('notices a variable that no text shows', async () => {
    const machine = createMachine<string, { text: string; sum: number }>(() => {
      let sum = 0
      let hidden = 0
      return {
        take: (input) => {
          if (input === 'hide') hidden += 1
          else sum += 1 + hidden
        },
        look: () => ({ text: String(Math.min(sum, 2)), sum }),
      }
    })
    const follow = async (...inputs: string[]): Promise<void> => {
      let state = machine.start()
      for (const input of inputs) state = (await machine.after(state, input, () => input)).to
    }
    await follow('add', 'add')
    await follow('add', 'hide', 'add')
    const found: MachineMeetings = await findDivergence(machine, { share: 1, random: createChance() })
    expect(found.divergence?.way).toContain('hide')
  })
})

describe('real code', () => {
  it('runs once for each input in each state', async () => {
    let taken = 0
    const machine = createMachine<number, { text: string; sum: number }>(() => {
      let sum = 0
      return {
        take: (input) => {
          taken += 1
          void settled().then(() => (sum += input))
        },
        look: () => ({ text: String(sum), sum }),
      }
    })
    const one = await machine.after(machine.start(), '+1', () => 1)
    const two = await machine.after(one.to, '+1', () => 1)
    expect(two.look.sum).toBe(2)
    expect(await machine.after(machine.start(), '+2', () => 2)).toMatchObject({ to: two.to, isMeeting: true })
    const before = taken
    expect(machine.after(one.to, '+1', () => 1)).toBe(two)
    expect(taken).toBe(before)
    // The program in the first state has gone on: another one is played to it.
    expect((await machine.after(one.to, '+3', () => 3)).look.sum).toBe(4)
    expect(taken).toBe(before + 2)
  })

  it('is blamed for a promise that rejects unseen', async () => {
    const machine = createMachine<string, { text: string }>(() => ({
      take: (input) => void (input === 'fail' && Promise.reject(new Error('unseen'))),
      look: () => ({ text: '' }),
    }))
    expect((await machine.after(machine.start(), 'go', () => 'go')).problem).toBeUndefined()
    expect((await machine.after(machine.start(), 'fail', () => 'fail')).problem).toContain('unseen')
  })
})

// What the search has found.
it('a page that hears of a cool-down while its own update ends does not forget it', async () => {
  // Its own record, of the same millisecond, comes to its listeners last.
  const events = [
    'call 0',
    'A writes',
    'A has stored',
    'request 0 arrives',
    'request 0 ends',
    'A writes',
    'A has stored',
    'a minute passes',
    'call 2',
    'A writes',
    'A has stored',
    'request 2 is refused',
    'call 1',
    'B writes',
    'request 2 ends',
    'A writes',
    'A has stored',
    'B hears',
    'B has stored',
  ]
  expect(await playIn('one fault', events)).toBeUndefined()
})

describe('a page knows a cool-down that it hears of just after the store has lost it', () => {
  it('also where it has stored its own record in between', async () => {
    const events = [
      'call 0',
      'A writes',
      'A has stored',
      'request 0 is refused',
      'request 0 ends',
      'call 1',
      'A writes',
      'A has stored',
      'store loses',
      'B writes',
      'B hears',
      'B has stored',
      'B writes',
      'B has stored',
    ]
    expect(await playIn('two faults', events)).toBeUndefined()
  })

  it('also where its own record is newer', async () => {
    const events = [
      'call 0',
      'call 1',
      'A writes',
      'A has stored',
      'request 0 is refused',
      'request 0 ends',
      'A writes',
      'A has stored',
      'store loses',
      'A crashes',
      'B hears',
      'B writes',
      'B has stored',
      'B hears',
      'B writes',
      'B has stored',
      'B wakes',
      'B wakes',
      'B writes',
      'B has stored',
      'B wakes',
    ]
    expect(await playIn('three faults', events)).toBeUndefined()
  })
})

it('the response of a request that a page has given up reports no other one that it gave up', async () => {
  // A hidden page gives both up. The first was counted before the second.
  const events = [
    'call 0',
    'call 1',
    'A writes',
    'A wakes',
    'request 0 arrives',
    'A writes',
    'A has stored',
    'A has stored',
    'request 1 arrives',
    'A closes',
    'request 0 ends',
    'A writes',
  ]
  expect(await playIn('one tab', events)).toBeUndefined()
})

// Ways on which a rule of the search was too strict.
it('a page that starts after the clock was set forward may not know of a cool-down that was recorded before', async () => {
  const events = [
    'call 0',
    'A writes',
    'A has stored',
    'request 0 is refused',
    'request 0 ends',
    'A writes',
    'clock back',
    'A has stored',
    'A writes',
    'clock forward',
    'call 1',
    'B writes',
    'B has stored',
  ]
  expect(await playIn('three faults', events)).toBeUndefined()
})

describe('the record may count fewer units than the service', () => {
  it('while the store is late with the update that decided on a request', async () => {
    const events = [
      'call 1',
      'B wakes',
      'call 0',
      'A writes',
      'A has stored',
      'request 0 arrives',
      'request 0 ends',
      'request 1 arrives',
      'A writes',
    ]
    expect(await playIn('one fault', events)).toBeUndefined()
  })

  it('once another request has left, and arrives before an aborted one that the gate holds no longer', async () => {
    const events = [
      'call 0',
      'A writes',
      'call 1',
      'A has stored',
      'abort 0',
      'A writes',
      'A has stored',
      'A wakes',
      'A writes',
      'A has stored',
      'request 1 arrives',
      'request 0 arrives',
      'request 1 ends',
      'A writes',
    ]
    expect(await playIn('one tab', events)).toBeUndefined()
  })

  it('once the clock was set, back and forward: what was in flight has expired', async () => {
    const events = [
      'call 1',
      'clock back',
      'B writes',
      'B has stored',
      'call 0',
      'clock forward',
      'A writes',
      'A has stored',
      'request 0 arrives',
      'request 1 arrives',
      'request 0 ends',
      'A writes',
    ]
    expect(await playIn('two faults', events)).toBeUndefined()
  })

  it('once a refusal has ended the window: a probe finds out what is left', async () => {
    const events = [
      'call 0',
      'A writes',
      'A has stored',
      'request 0 is refused',
      'A freezes',
      'time passes for A',
      'call 1',
      'A thaws',
      'B writes',
      'B has stored',
      'request 0 ends',
      'A writes',
      'request 1 arrives',
      'request 1 ends',
      'B writes',
    ]
    expect(await playIn('two faults', events)).toBeUndefined()
  })
})

describe('the search', () => {
  /** A world of plain values. */
  function createPlainModel<Value>(
    first: Value,
    {
      choices,
      problem,
      isOver,
    }: {
      readonly choices: (value: Value) => readonly (readonly [string, Value])[]
      readonly problem: (value: Value) => string | undefined
      readonly isOver: (value: Value) => boolean
    },
  ): () => Model {
    const createWorld = (value: Value): World => ({
      choices: () =>
        new Map(
          choices(value).map(([event, next]) => [
            event,
            (story?: string[]) => {
              story?.push(event)
              return createWorld(next)
            },
          ]),
        ),
      state: () => JSON.stringify(value),
      problem: () => problem(value),
      isOver: () => isOver(value),
      endProblem: () => undefined,
    })
    return () => ({
      start: () => createWorld(first),
      findDivergence: async () => ({ meetings: 0, divergence: undefined }),
      size: () => ({ states: 0, tried: 0, played: 0 }),
    })
  }

  it('knows a state that it has seen, and every one that it has not', async () => {
    // Three counters that go up to two each, in any order: 27 states, and 6!/(2!2!2!) = 90 ways to the last of them.
    const createModel = createPlainModel([0, 0, 0], {
      choices: (counts) =>
        counts.flatMap((count, index) => (count < 2 ? [[String(index), counts.with(index, count + 1)] as const] : [])),
      problem: () => undefined,
      isOver: (counts) => counts.every((count) => count === 2),
    })
    const { states, steps, ends, depth, open } = await search({ createModel })
    // From each state one step for each counter below two: 27 states with two of three choices on average, and the first.
    expect({ states, steps, ends, depth, open }).toEqual({ states: 27, steps: 55, ends: 1, depth: 6, open: 0 })
  })

  it('tells the shortest story of what is wrong', async () => {
    const createModel = createPlainModel<readonly string[]>([], {
      choices: (happened) =>
        happened.length < 5 ? ['rain', 'sun', 'snow'].map((event) => [event, [...happened, event]]) : [],
      problem: (happened) => (happened.includes('snow') && happened.includes('rain') ? 'sleet' : undefined),
      isOver: (happened) => happened.length === 5,
    })
    const { counterexample } = await search({ createModel })
    const shortest = counterexample && (await shorten(createModel(), counterexample))
    expect(shortest?.story.toSorted()).toEqual(['rain', 'snow'])
    expect(await play(createModel(), ['sun', 'snow'])).toMatchObject({ problem: undefined })
  })

  it('notices what is stuck', async () => {
    const createModel = createPlainModel(0, { choices: () => [], problem: () => undefined, isOver: () => false })
    const { counterexample } = await search({ createModel })
    expect(counterexample?.problem).toContain('something still waits')
  })
})

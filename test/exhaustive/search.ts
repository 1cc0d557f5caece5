import { hash } from './hash.ts'
import type { DivergenceOptions, MachineMeetings } from './machine.ts'

/** A state of a world whose next event the search chooses. It never changes: each event leads to another one. */
export interface World {
  /** What can happen next, in the same order each time, and what it leads to. */
  readonly choices: () => ReadonlyMap<string, Choice>
  /** All that decides how the world goes on, as text. Equal texts are one state. */
  readonly state: () => string
  /** What is wrong in this state, if anything is. */
  readonly problem: () => string | undefined
  /** Whether everything that must happen has happened. */
  readonly isOver: () => boolean
  /** What is wrong where the world is over. */
  readonly endProblem: () => string | undefined
}

/**
 * What follows without a further event has happened in the world that it returns: a promise where real code has to run.
 *
 * @param story - takes what happens, a sentence each
 */
export type Choice = (story?: string[]) => World | Promise<World>

/** Where a search begins, with the machines of its real code. */
export interface Model {
  readonly start: () => World
  readonly findDivergence: (options: DivergenceOptions) => Promise<MachineMeetings>
  /** How many states the real code had, how many inputs were tried in them, and how many were played for that. */
  readonly size: () => { readonly states: number; readonly tried: number; readonly played: number }
}

export interface Counterexample {
  readonly problem: string
  readonly events: readonly string[]
  readonly story: readonly string[]
}

/** The way to a state: the last event, and the way to the state before. */
interface Path {
  readonly before: Path | undefined
  readonly event: string
}

/** A state of which only the first choice was followed. */
interface Open {
  readonly world: World
  readonly path: Path | undefined
}

export interface SearchOptions {
  readonly createModel: () => Model
  /** Whether to stop. Asked now and then. */
  readonly isEnough?: (progress: Progress) => boolean
}

export interface Progress {
  /** Distinct states. */
  readonly states: number
  /** Events that were tried: each leads from a state to a new one, or to one that was seen before. */
  readonly steps: number
  /** States in which nothing is left to happen that must. */
  readonly ends: number
  /** Events of the longest path. */
  readonly depth: number
  /** How many states have choices that were not tried. */
  readonly open: number
  readonly counterexample: Counterexample | undefined
}

/** A longer path goes on for ever. */
const maxDepth = 2_000
const endless = 'it never ends'

/** With more states to go on from, the search takes the latest of them instead of the first, which keeps their number. */
const maxOpen = 1_500_000

/** Lets timers of the process have their turn. */
const rested = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Searches all orders of events. Each path is followed to a state that was seen before; the other ways that it passes are
 * searched later, those with the fewest turns off the first choices first.
 */
export async function search({ createModel, isEnough = () => false }: SearchOptions): Promise<Progress> {
  const model = createModel()
  const seen = createSeenStates()
  let open: Open[] = []
  let next = 0
  let states = 0
  let steps = 0
  let ends = 0
  let depth = 0
  let found: { readonly problem: string; readonly path: Path | undefined } | undefined
  const progress = (counterexample?: Counterexample): Progress => ({
    states,
    steps,
    ends,
    depth,
    open: open.length - next,
    counterexample,
  })

  /** Returns what can happen in a state that is new. */
  function visit(world: World, path: Path | undefined, length: number): ReadonlyMap<string, Choice> | undefined {
    steps += 1
    if (length > depth) depth = length
    let problem = world.problem() ?? (length > maxDepth ? endless : undefined)
    let choices: ReadonlyMap<string, Choice> | undefined
    if (problem === undefined) {
      if (!seen.add(world.state())) return undefined
      states += 1
      choices = world.choices()
      if (world.isOver()) {
        ends += 1
        problem = world.endProblem()
      } else if (choices.size === 0) problem = 'nothing can happen any more, and something still waits'
    }
    if (problem === undefined) return choices
    found ??= { problem, path }
    return undefined
  }

  async function follow(from: World, start: Path | undefined): Promise<void> {
    let world = from
    let path = start
    for (let length = lengthOf(start); ; length += 1) {
      const choices = visit(world, path, length)
      if (!choices) return
      if (choices.size > 1) open.push({ world, path })
      const [first] = choices
      if (!first) return
      const [event, choice] = first
      path = { before: path, event }
      const result = choice()
      world = result instanceof Promise ? await result : result
    }
  }

  function takeOpen(): Open | undefined {
    if (open.length - next > maxOpen) return open.pop()
    const one = open[next]
    if (one) next += 1
    if (next >= 100_000) {
      open = open.slice(next)
      next = 0
    }
    return one
  }

  await follow(model.start(), undefined)
  let asked = 0
  for (;;) {
    const one = found ? undefined : takeOpen()
    if (!one) break
    const { world, path } = one
    const [, ...others] = world.choices()
    for (const [event, choice] of others) {
      const result = choice()
      await follow(result instanceof Promise ? await result : result, { before: path, event })
      if (found) break
    }
    if (isEnough(progress())) break
    if (steps < asked + 50_000) continue
    asked = steps
    await rested()
  }
  if (!found) return progress()
  const events = eventsOf(found.path)
  // By running the code once more from its start, without what the model remembers of other paths.
  const { problem, story } = await play(createModel(), events)
  if (problem !== found.problem)
    throw new Error(`"${found.problem}" was met, but "${problem}" is met when it is played again: ${events.join(', ')}`)
  return progress({ problem, events, story })
}

function lengthOf(path: Path | undefined): number {
  let length = 0
  for (let one = path; one; one = one.before) length += 1
  return length
}

function eventsOf(path: Path | undefined): string[] {
  const events: string[] = []
  for (let one = path; one; one = one.before) events.push(one.event)
  return events.reverse()
}

/** Plays events, without those that cannot happen. Its `problem` is the first one that it meets. */
export async function play(
  model: Model,
  events: readonly string[],
): Promise<Omit<Counterexample, 'problem'> & { readonly problem: string | undefined }> {
  let world = model.start()
  const happened: string[] = []
  const story: string[] = []
  let problem = problemOf(world)
  for (const event of events) {
    if (problem !== undefined) break
    const choice = world.choices().get(event)
    if (!choice) continue
    world = await choice(story)
    happened.push(event)
    problem = problemOf(world) ?? (happened.length > maxDepth ? endless : undefined)
  }
  return { problem, events: happened, story }
}

function problemOf(world: World): string | undefined {
  const problem = world.problem()
  if (problem !== undefined) return problem
  if (world.isOver()) return world.endProblem()
  return world.choices().size === 0 ? 'nothing can happen any more, and something still waits' : undefined
}

/** Leaves out each event without which the same problem is met. */
export async function shorten(model: Model, found: Counterexample): Promise<Counterexample> {
  let shortest = found
  for (let length = Math.ceil(found.events.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let from = 0; from < shortest.events.length; ) {
      const fewer = shortest.events.toSpliced(from, length)
      const { problem, ...again } = await play(model, fewer)
      if (problem !== undefined && kindOf(problem) === kindOf(found.problem)) shortest = { ...again, problem }
      else from += length
    }
  }
  return shortest
}

/** A problem without its figures. */
const kindOf = (problem: string) => problem.replaceAll(/\d+/g, '0')

/** The states that were met. */
interface SeenStates {
  /** Returns whether the state is new. */
  readonly add: (state: string) => boolean
}

/** Keeps 64 bits of each state: of ten million states, two are taken for one with a chance of one to 400,000. */
function createSeenStates(): SeenStates {
  let size = 0
  let table = new Uint32Array(2 ** 17)

  /** Where a state stands, or has to be put. Two zeros are an empty place. */
  function placeOf(high: number, low: number): number {
    const mask = table.length - 2
    let place = (low * 2) & mask
    while ((table[place] !== high || table[place + 1] !== low) && (table[place] !== 0 || table[place + 1] !== 0))
      place = (place + 2) & mask
    return place
  }

  function grow(): void {
    const before = table
    table = new Uint32Array(before.length * 2)
    for (let index = 0; index < before.length; index += 2) {
      const [high = 0, low = 0] = [before[index], before[index + 1]]
      if (high !== 0 || low !== 0) table.set([high, low], placeOf(high, low))
    }
  }

  return {
    add: (state) => {
      const [high, low] = hash(state)
      const place = placeOf(high, low || 1)
      if (table[place + 1] !== 0) return false
      table[place] = high
      table[place + 1] = low || 1
      size += 1
      if (size * 4 > table.length) grow()
      return true
    },
  }
}

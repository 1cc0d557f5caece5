/** A world whose next event the search chooses. Each play of the same events ends in the same state. */
export interface World {
  /** What can happen next, in the same order each time. */
  readonly events: () => readonly string[]
  /** Lets one of them happen. What follows without a further event has happened when all promises have settled. */
  readonly happen: (event: string) => void
  /** All that decides how the world goes on, as text. Equal texts are one state. */
  readonly state: () => string
  /** What is wrong in this state, if anything is. */
  readonly problem: () => string | undefined
  /** Whether everything that must happen has happened. */
  readonly isOver: () => boolean
  /** What is wrong where the world is over. */
  readonly endProblem: () => string | undefined
  /** What has happened, a sentence each. */
  readonly story: readonly string[]
}

export interface Counterexample {
  readonly problem: string
  readonly events: readonly string[]
  readonly story: readonly string[]
}

/** The way to a state: the last event, and the way to the state before. */
export interface Path {
  readonly before: Path | undefined
  readonly event: string
}

export interface SearchOptions {
  readonly createWorld: () => World
  readonly seen?: SeenStates
  /** Where to begin. Default: at the start. */
  readonly from?: readonly (Path | undefined)[]
  /** Whether to stop. Asked after each path. */
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
  /** The paths that are left to search. */
  readonly open: readonly (Path | undefined)[]
  readonly counterexample: Counterexample | undefined
}

/** A longer path goes on for ever. */
const maxDepth = 2_000

/** Gives promises that were rejected unseen, and others, a turn. */
const rested = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs after the last promise that waits only for others. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/**
 * Searches all orders of events. JavaScript cannot copy the state of running code, so each path is played from the start.
 * It is then followed to a state that was seen before; the other ways that it passes are searched later, the shortest first.
 */
export async function search(options: SearchOptions): Promise<Progress> {
  const { createWorld, seen = createSeenStates(2 ** 20), from = [undefined], isEnough = () => false } = options
  let paths = [...from]
  let next = 0
  let states = 0
  let steps = 0
  let ends = 0
  let depth = 0
  let counterexample: Counterexample | undefined
  let unseen: string | undefined
  const onUnseen = (reason: unknown) => {
    unseen = `a promise rejects unseen: ${String(reason)}`
  }
  const progress = (): Progress => ({ states, steps, ends, depth, open: paths.slice(next), counterexample })

  /** Returns how far it has come. */
  async function follow(start: Path | undefined): Promise<{ path: Path | undefined; story: World['story'] }> {
    let path = start
    const world = createWorld()
    await settled()
    for (const event of eventsOf(path)) {
      world.happen(event)
      await settled()
    }
    let length = eventsOf(path).length
    for (;;) {
      steps += 1
      depth = Math.max(depth, length)
      let problem = world.problem() ?? (length > maxDepth ? 'it never ends' : undefined)
      if (problem === undefined) {
        if (!seen.add(world.state())) break
        states += 1
        if (world.isOver()) {
          ends += 1
          problem = world.endProblem()
        } else if (world.events().length === 0) problem = 'nothing can happen any more, and something still waits'
      }
      if (problem !== undefined) {
        counterexample = { problem, events: eventsOf(path), story: world.story }
        break
      }
      const [event, ...others] = world.events()
      if (event === undefined) break
      for (const other of others) paths.push({ before: path, event: other })
      path = { before: path, event }
      length += 1
      world.happen(event)
      await settled()
    }
    return { path, story: world.story }
  }

  process.on('unhandledRejection', onUnseen)
  while (next < paths.length && !counterexample) {
    const path = paths[next]
    next += 1
    if (next === 100_000) {
      paths = paths.slice(next)
      next = 0
    }
    const last = await follow(path)
    await rested()
    if (unseen !== undefined) counterexample ??= { problem: unseen, events: eventsOf(last.path), story: last.story }
    if (isEnough({ states, steps, ends, depth, open: [], counterexample })) break
  }
  process.off('unhandledRejection', onUnseen)
  return progress()
}

export function eventsOf(path: Path | undefined): string[] {
  const events: string[] = []
  for (let one = path; one; one = one.before) events.push(one.event)
  return events.reverse()
}

/** Plays events, without those that cannot happen. Returns the first problem. */
export async function play(createWorld: () => World, events: readonly string[]): Promise<Counterexample | undefined> {
  const world = createWorld()
  await settled()
  const happened: string[] = []
  for (const event of events) {
    if (!world.events().includes(event)) continue
    world.happen(event)
    happened.push(event)
    await settled()
    const problem = world.problem() ?? (world.isOver() ? world.endProblem() : undefined)
    if (problem !== undefined) return { problem, events: happened, story: world.story }
  }
  return undefined
}

/** Two ways to what counts as one state, which go on differently. */
export interface Divergence {
  readonly ways: readonly [readonly string[], readonly string[]]
  readonly after: readonly string[]
}

/**
 * Whether states with equal texts are one state: running code has variables that no text shows. Follows some of the ways
 * that have met, together and at random, and compares their texts after each event.
 */
export async function findDivergence(
  createWorld: () => World,
  { maxStates, random }: { readonly maxStates: number; readonly random: () => number },
): Promise<{ readonly meetings: number; readonly divergence: Divergence | undefined }> {
  const firstWays = new Map<string, readonly string[]>()
  const meetings: [readonly string[], readonly string[]][] = []
  const watchWorld = (): World => {
    const world = createWorld()
    const way: string[] = []
    return {
      ...world,
      happen: (event) => {
        way.push(event)
        world.happen(event)
      },
      state: () => {
        const text = world.state()
        const first = firstWays.get(text)
        if (first) meetings.push([first, [...way]])
        else firstWays.set(text, [...way])
        return text
      },
    }
  }
  await search({ createWorld: watchWorld, isEnough: ({ states }) => states >= maxStates })
  for (const ways of meetings) {
    const worlds = ways.map(() => createWorld())
    await settled()
    for (const [index, world] of worlds.entries()) {
      for (const event of ways[index] ?? []) {
        world.happen(event)
        await settled()
      }
    }
    const after: string[] = []
    for (;;) {
      const [one, other] = worlds.map((world) => world.state())
      if (one !== other) return { meetings: meetings.length, divergence: { ways, after } }
      const [events = []] = worlds.map((world) => world.events())
      const event = events[Math.floor(random() * events.length)]
      if (event === undefined || after.length >= maxAfter) break
      after.push(event)
      for (const world of worlds) {
        world.happen(event)
        await settled()
      }
    }
  }
  return { meetings: meetings.length, divergence: undefined }
}

/** So many events are followed after two ways have met. */
const maxAfter = 40

/** Leaves out each event without which the same problem is met. */
export async function shorten(createWorld: () => World, found: Counterexample): Promise<Counterexample> {
  let shortest = found
  for (let length = Math.ceil(found.events.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let from = 0; from < shortest.events.length; ) {
      const fewer = shortest.events.toSpliced(from, length)
      const again = await play(createWorld, fewer)
      if (again && kindOf(again.problem) === kindOf(found.problem)) shortest = again
      else from += length
    }
  }
  return shortest
}

/** A problem without its figures. */
const kindOf = (problem: string) => problem.replaceAll(/\d+/g, '0')

/** The states that were met. */
export interface SeenStates {
  /** Returns whether the state is new. */
  readonly add: (state: string) => boolean
  /** Threads share it. */
  readonly memory: SharedArrayBuffer
}

/** Keeps 64 bits of each state: of ten million states, two are taken for one with a chance of one to 400,000. */
export function createSeenStates(capacity: number, memory = new SharedArrayBuffer(capacity * 8)): SeenStates {
  const table = new BigUint64Array(memory)
  const mask = table.length - 1
  return {
    memory,
    add: (state) => {
      const [high, low] = hash(state)
      const value = (BigInt(high) << 32n) | BigInt(low) || 1n
      for (let place = low & mask, tries = 0; tries <= mask; place = (place + 1) & mask, tries += 1) {
        const known = Atomics.compareExchange(table, place, 0n, value)
        if (known === 0n) return true
        if (known === value) return false
      }
      throw new Error('The table of seen states is full.')
    },
  }
}

/** Two independent hashes of 32 bits. */
export function hash(text: string): [number, number] {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return [one >>> 0, other >>> 0]
}

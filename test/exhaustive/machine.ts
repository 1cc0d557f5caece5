import { hash } from './hash.ts'

/*
 * JavaScript cannot copy the state of running code. A world holds it as a state of a machine instead: what a program does
 * next depends on its state and on the input alone, so each input is played in each state only once, whatever else the
 * worlds hold in which that happens. A program in that state is at hand, or made by playing the inputs that led there.
 */

/** The real code of one page or process, with stand-ins for its platform. */
export interface Program<Input, Look> {
  /** Lets something happen to it. What follows has happened when all promises have settled. */
  readonly take: (input: Input) => void
  /** What it has done since the last call, and what shows of it now. */
  readonly look: () => Look
}

/** What shows of a program after an input. */
export interface Shown {
  /** All that decides how it goes on. Equal texts are one state. A machine keeps a hash of it instead. */
  readonly text: string
}

/** The inputs that led to a state. */
export interface Way<Input> {
  readonly before: Way<Input> | undefined
  readonly input: Input
}

export interface MachineState<Input, Look> {
  /** Stands for the text, in all threads. */
  readonly key: string
  readonly way: Way<Input> | undefined
  /** What each input has led to that was tried. */
  readonly tried: Map<string, Transition<Input, Look>>
}

export interface Transition<Input, Look> {
  readonly input: Input
  readonly look: Look
  readonly to: MachineState<Input, Look>
  /** Whether another way had led to this state before. */
  readonly isMeeting: boolean
  /** What went wrong outside of what shows, if anything did. */
  readonly problem: string | undefined
}

export interface Machine<Input, Look> {
  readonly start: () => MachineState<Input, Look>
  /** What an input leads to. At once where it was played before. */
  readonly after: (
    state: MachineState<Input, Look>,
    name: string,
    input: () => Input,
  ) => Transition<Input, Look> | Promise<Transition<Input, Look>>
  readonly states: ReadonlyMap<string, MachineState<Input, Look>>
  /** Starts a program, and plays a way. */
  readonly play: (way: Way<Input> | undefined) => Promise<Program<Input, Look>>
  /** How many inputs were played in a new state or for the first time, and in all. */
  readonly counts: () => { readonly tried: number; readonly played: number }
}

/** So many programs are kept in the state that they have come to. */
const maxKept = 2_000

/** Gives promises that were rejected unseen a turn. */
const rested = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs after the last promise that waits only for others. */
export const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Why a promise was rejected that nobody looks at. */
let unseen: string | undefined

/** Notices promises that are rejected unseen, until the returned function is called. */
export function watchRejections(): () => void {
  const onUnseen = (reason: unknown) => {
    unseen ??= `a promise rejects unseen: ${String(reason)}`
  }
  process.on('unhandledRejection', onUnseen)
  return () => void process.off('unhandledRejection', onUnseen)
}

export function createMachine<Input, Look extends Shown>(start: () => Program<Input, Look>): Machine<Input, Look> {
  const states = new Map<string, MachineState<Input, Look>>()
  const kept = new Map<MachineState<Input, Look>, Program<Input, Look>>()
  const nowhere: MachineState<Input, Look> = { key: '-', way: undefined, tried: new Map() }
  let played = 0
  let tried = 0

  async function play(way: Way<Input> | undefined): Promise<Program<Input, Look>> {
    const program = start()
    for (const input of inputsOf(way)) {
      program.take(input)
      await settled()
      program.look()
      played += 1
    }
    unseen = undefined
    return program
  }

  function keep(state: MachineState<Input, Look>, program: Program<Input, Look>): void {
    kept.delete(state)
    kept.set(state, program)
    if (kept.size <= maxKept) return
    const [oldest] = kept.keys()
    if (oldest) kept.delete(oldest)
  }

  async function tryInput(
    from: MachineState<Input, Look>,
    name: string,
    input: Input,
  ): Promise<Transition<Input, Look>> {
    const program = kept.get(from) ?? (await play(from.way))
    kept.delete(from)
    program.take(input)
    await settled()
    await rested()
    const look = compact(program.look())
    played += 1
    tried += 1
    const key = look.text
    const known = states.get(key)
    const to = known ?? { key, way: { before: from.way, input }, tried: new Map() }
    if (!known) states.set(key, to)
    const transition = { input, look, to, isMeeting: known !== undefined, problem: unseen }
    unseen = undefined
    from.tried.set(name, transition)
    keep(to, program)
    return transition
  }

  return {
    start: () => nowhere,
    after: (state, name, input) => state.tried.get(name) ?? tryInput(state, name, input()),
    states,
    play,
    counts: () => ({ tried, played }),
  }
}

/** Millions of texts would be too many to keep. */
function compact<Look extends Shown>(look: Look): Look {
  return { ...look, text: hash(look.text).join('.') }
}

export function inputsOf<Input>(way: Way<Input> | undefined): Input[] {
  const inputs: Input[] = []
  for (let one = way; one; one = one.before) inputs.push(one.input)
  return inputs.reverse()
}

export interface DivergenceOptions {
  /** Of the meetings that are followed, from 0 to 1. */
  readonly share: number
  /** 0 to 1. */
  readonly random: () => number
}

/** Ways that have met at what counts as one state. */
export interface MachineMeetings {
  /** How many of them were followed. */
  readonly meetings: number
  /** One that goes on differently, what happens after the meeting, what shows then, and what is known of another way. */
  readonly divergence:
    | {
        readonly way: readonly unknown[]
        readonly after: readonly unknown[]
        readonly look: string | undefined
        readonly expected: string | undefined
      }
    | undefined
}

/** So many inputs are followed after two ways have met. */
const maxAfter = 20

/**
 * Whether states with equal texts are one state: running code has variables that no text shows. Plays the ways that have
 * met, goes on with inputs that were tried, at random, and compares all that shows with what has shown when they were tried.
 */
export async function findDivergence<Input, Look extends Shown>(
  machine: Machine<Input, Look>,
  { share, random }: DivergenceOptions,
): Promise<MachineMeetings> {
  let meetings = 0
  for (const from of machine.states.values()) {
    for (const transition of from.tried.values()) {
      if (!transition.isMeeting || random() >= share) continue
      meetings += 1
      for (const way of [transition.to.way, { before: from.way, input: transition.input }]) {
        const program = await machine.play(way)
        const after: Input[] = []
        for (let state = transition.to; after.length < maxAfter; ) {
          const tried = [...state.tried.values()]
          const next = tried[Math.floor(random() * tried.length)]
          if (!next) break
          after.push(next.input)
          program.take(next.input)
          await settled()
          const [look, expected] = [compact(program.look()), next.look].map((one) => JSON.stringify(one))
          if (look !== expected) return { meetings, divergence: { way: inputsOf(way), after, look, expected } }
          state = next.to
        }
      }
    }
  }
  return { meetings, divergence: undefined }
}

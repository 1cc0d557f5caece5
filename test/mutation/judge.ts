/** What the instrumented gate shares with whoever chooses its mutant. */
interface Switches {
  activeMutant?: string
  /** How often the mutant was asked for, and how often it may be: one that hangs throws. */
  hitCount?: number
  hitLimit?: number
  /** The mutants that were asked for, by their ids: as long as no test is named, all of them in `static`. */
  mutantCoverage?: { readonly static: Readonly<Record<string, number>> }
}

/** What a process says that judges mutants. */
export type JudgeMessage =
  /** Those that act while the gate is loaded: each needs a process of its own. */
  | { readonly type: 'ready'; readonly loaded: readonly string[] }
  | { readonly type: 'verdict'; readonly id: string; readonly finding: string | undefined }

/** In a run of the gate as it is, no mutant is asked for so often. */
const maxHits = 20_000_000

/** Judges the mutants that the parent process names, one after the other: a process that runs already is fast. */
export function serveMutants(findProblem: () => Promise<string | undefined>): void {
  const { __stryker__: switches }: { readonly __stryker__?: Switches } = Object(globalThis)
  if (!switches) throw new Error('The gate is not instrumented.')
  const send = (message: JudgeMessage) => process.send?.(message)
  process.on('message', async (id: string) => {
    Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: maxHits })
    const finding = await findProblem().catch((error: unknown) => String(error))
    switches.activeMutant = ''
    send({ type: 'verdict', id, finding })
  })
  send({ type: 'ready', loaded: Object.keys(switches.mutantCoverage?.static ?? {}) })
}

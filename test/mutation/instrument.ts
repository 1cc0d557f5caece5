import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** The gate, with all of its mutants behind switches: `__STRYKER_ACTIVE_MUTANT__` in the environment chooses one. */
export const instrumented = resolve('node_modules/.cache/mutants')

const source = resolve('src/rate-limit')

export interface GeneratedMutant {
  readonly id: string
  readonly file: string
  readonly line: number
  readonly kind: string
  /** What stands there, and what the mutant puts in its place. */
  readonly change: string
}

const silent = () => {}
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

/**
 * Writes the instrumented gate, with switches for some of its mutants.
 *
 * @param choose - returns those of all mutants
 * @returns how many there are, and the chosen ones
 */
export async function instrumentGate(
  choose: (all: readonly GeneratedMutant[]) => readonly GeneratedMutant[],
): Promise<{ readonly all: number; readonly chosen: readonly GeneratedMutant[] }> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    // The database of browsers is stood in for in both kinds of tests.
    .filter((path) => path.endsWith('.ts') && !/(browserStore|recordDatabase)\.ts$/.test(path))
    .sort()
    .map((path) => ({ name: join(source, path), mutate: true, content: readFileSync(join(source, path), 'utf8') }))
  const options = { plugins: null, excludedMutations: [], ignorers: [] }
  const result = await new Instrumenter(logger).instrument(files, options)
  const texts = new Map(files.map(({ name, content }) => [name, content.split('\n')]))
  const mutants = result.mutants.map(({ id, fileName, mutatorName, replacement, location: { start, end } }) => {
    const line = texts.get(fileName)?.[start.line] ?? ''
    const before = line.slice(start.column, end.line === start.line ? end.column : undefined)
    return {
      id,
      file: relative(source, fileName),
      line: start.line + 1,
      kind: mutatorName,
      change: `${before} → ${replacement.replaceAll(/\s+/g, ' ')}`,
    }
  })
  const chosen = choose(mutants)
  const ids = new Set(chosen.map(({ id }) => id))
  for (const { name, content } of result.files) {
    const file = join(instrumented, relative(source, name))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, switchOnly(content, ids))
  }
  return { all: mutants.length, chosen }
}

/** Thousands of switches would make the gate slow. */
function switchOnly(code: string, ids: ReadonlySet<string>): string {
  return code
    .replaceAll(/stryMutAct_9fa48\("(\d+)"\)/g, (call, id: string) => (ids.has(id) ? call : 'false'))
    .replaceAll(/stryCov_9fa48\(("[^)]*)\)/g, (_, list: string) => {
      const kept = list.split(', ').filter((id) => ids.has(id.slice(1, -1)))
      return kept.length > 0 ? `stryCov_9fa48(${kept.join(', ')})` : '0'
    })
}

/** The file of the instrumented gate that takes the place of a file; `undefined` for other files. */
export function instrumentedFile(path: string): string | undefined {
  const name = relative(source, path)
  return name.startsWith('..') || /(browserStore|recordDatabase)\.ts$/.test(name) || !name.endsWith('.ts')
    ? undefined
    : join(instrumented, name)
}

/**
 * Compares what the search and the properties notice of 200 broken gates, one mutant each, chosen in a fixed order:
 * `npm run mutation:compare -- search`, or `-- properties`. Goes on where it has stopped. `-- table` prints the table.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { hash } from '../exhaustive/hash.ts'
import type { JudgeMessage } from './judge.ts'
import { type GeneratedMutant, instrumented, instrumentedFile, instrumentGate } from './instrument.ts'

const count = 200
/** States of each world, and the worlds that are searched, in this order. */
const maxStates = '1500'
const worldNames = ['calm', 'one tab', 'three units', 'one fault', 'three faults', 'locks', 'background', 'fleet']
/** Runs of each property, and their files. */
const propertyRuns = '60'
const propertyFiles = ['gate', 'failures', 'tabs', 'fleet/fleet', 'calm'].map((name) => `${name}.properties.test.js`)
/** What takes longer hangs. In ms. */
const timeLimit = 150_000

interface Verdict {
  readonly id: string
  /** `noticed`, `not noticed` or `hangs`. */
  readonly verdict: string
  readonly says: string
}

interface Judge {
  readonly program: string
  readonly options: readonly string[]
}

const means = process.argv[2] ?? 'table'
const bundles = join(process.cwd(), 'node_modules/.cache/judges', means)

const judges: Readonly<Record<string, Judge>> = {
  search: { program: 'mutation/judgeBySearch.js', options: [maxStates, ...worldNames] },
  properties: {
    program: 'mutation/judgeByProperties.js',
    options: propertyFiles.map((file) => `../rate-limit/${file}`),
  },
}

const buildJudges = () =>
  build({
    entryPoints: [
      'test/mutation/judgeBySearch.ts',
      'test/mutation/judgeByProperties.ts',
      ...propertyFiles.map((file) => `test/rate-limit/${file.replace('.js', '.ts')}`),
    ],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outbase: 'test',
    outdir: bundles,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { vitest: './test/mutation/smallVitest.ts' },
    logLevel: 'warning',
    plugins: [
      {
        name: 'mutants',
        setup: (plugin) =>
          plugin.onLoad({ filter: /rate-limit.*\.ts$/ }, async ({ path }) => {
            const file = instrumentedFile(path)
            return file === undefined ? undefined : { contents: await readFile(file, 'utf8'), loader: 'ts' }
          }),
      },
    ],
  })

/** A process that judges mutants, and those that act while the gate is loaded. */
interface Court {
  readonly process: ChildProcess
  readonly loaded: readonly string[]
}

/** @param id - of a mutant that acts while the gate is loaded */
async function startJudge({ program, options }: Judge, id = ''): Promise<Court> {
  const process = fork(`${bundles}/${program}`, options, {
    env: { ...globalThis.process.env, __STRYKER_ACTIVE_MUTANT__: id, FAST_CHECK_RUNS: propertyRuns },
    execArgv: ['--max-semi-space-size=64'],
    silent: true,
  })
  return new Promise((resolve, reject) => {
    process.once('exit', () => reject(new Error('It does not start.')))
    process.once('message', (message: JudgeMessage) => {
      if (message.type === 'ready') resolve({ process, loaded: message.loaded })
    })
  })
}

function askJudge({ process }: Court, id: string): Promise<Omit<Verdict, 'id'>> {
  return new Promise((resolve) => {
    const finish = (verdict: string, says = '') => {
      clearTimeout(timer)
      process.removeAllListeners()
      resolve({ verdict, says })
    }
    const timer = setTimeout(() => {
      process.kill('SIGKILL')
      finish('hangs', 'takes too long')
    }, timeLimit)
    process.once('exit', (code) => finish('noticed', `The process ends with ${code}.`))
    process.once('message', (message: JudgeMessage) => {
      if (message.type !== 'verdict') return
      const { finding } = message
      if (finding === undefined) finish('not noticed')
      else finish(finding.includes('Hit count limit') ? 'hangs' : 'noticed', finding)
    })
    process.send(id)
  })
}

const resultsOf = (name: string) => `${instrumented}/${name}.jsonl`

function readVerdicts(name: string): Map<string, Verdict> {
  if (!existsSync(resultsOf(name))) return new Map()
  const lines = readFileSync(resultsOf(name), 'utf8').split('\n').filter(Boolean)
  const verdicts: Verdict[] = lines.map((line) => JSON.parse(line))
  return new Map(verdicts.map((verdict) => [verdict.id, verdict]))
}

function printTable(mutants: readonly GeneratedMutant[], all: number): void {
  const verdicts = Object.keys(judges).map((name) => [name, readVerdicts(name)] as const)
  const both = mutants.filter(({ id }) => verdicts.every(([, known]) => known.has(id)))
  console.log(`${count} of ${all} mutants; ${both.length} judged by both`)
  for (const [name, known] of verdicts) {
    const judged = mutants.filter(({ id }) => known.has(id))
    const sum = (verdict: string) => judged.filter(({ id }) => known.get(id)?.verdict === verdict).length
    console.log(
      `${name}: ${judged.length} judged, ${sum('noticed')} noticed, ${sum('hangs')} hang, ${sum('not noticed')} not`,
    )
  }
  const survivors = both.filter(({ id }) => verdicts.every(([, known]) => known.get(id)?.verdict === 'not noticed'))
  console.log(`either: ${both.length - survivors.length} of ${both.length}. Not noticed by either:`)
  for (const { id, file, line, kind, change } of survivors) console.log(`  ${id} ${file}:${line} ${kind}: ${change}`)
  for (const [name, known] of verdicts) {
    const alone = both.filter(
      ({ id }) =>
        known.get(id)?.verdict !== 'not noticed' &&
        verdicts.every(([other, others]) => other === name || others.get(id)?.verdict === 'not noticed'),
    )
    console.log(`By the ${name} alone: ${alone.length}`)
    for (const { id, file, line, change } of alone)
      console.log(`  ${id} ${file}:${line}: ${change} (${known.get(id)?.says})`)
  }
}

mkdirSync(instrumented, { recursive: true })
const orderOf = ({ file, line, kind, change }: GeneratedMutant) => hash(`${file} ${line} ${kind} ${change}`)[0]
const { all, chosen } = await instrumentGate((mutants) =>
  mutants.toSorted((one, other) => orderOf(one) - orderOf(other)).slice(0, count),
)
const judge = judges[means]
if (judge) {
  await buildJudges()
  let court = await startJudge(judge)
  const unbroken = await askJudge(court, '-1')
  if (unbroken.verdict !== 'not noticed') throw new Error(`The gate as it is: ${unbroken.verdict} ${unbroken.says}`)
  const known = readVerdicts(means)
  for (const { id } of chosen) {
    if (known.has(id)) continue
    const isLoaded = court.loaded.includes(id)
    let verdict: Omit<Verdict, 'id'>
    try {
      if (!court.process.connected) court = await startJudge(judge)
      const own = isLoaded ? await startJudge(judge, id) : court
      verdict = await askJudge(own, id)
      if (isLoaded) own.process.kill()
    } catch (error) {
      verdict = { verdict: 'noticed', says: String(error) }
    }
    appendFileSync(resultsOf(means), `${JSON.stringify({ id, ...verdict })}\n`)
  }
  court.process.kill()
}
printTable(chosen, all)

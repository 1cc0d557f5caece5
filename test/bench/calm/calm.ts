import { parseArgs } from 'node:util'
import { choose } from '../../choose.ts'
import { randomWorld } from './randomWorld.ts'
import { type Figures, figuresOf, isFree, missesOf, tableOf, trace } from './report.ts'
import { type Pair, runPair, type World } from './runWorld.ts'
import { worlds } from './worlds.ts'

const write = (text: string) => process.stdout.write(`${text}\n`)

async function runSeeds(world: World): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let seed = 1; seed <= (world.seeds ?? 3); seed += 1) pairs.push(await runPair(world, seed))
  return pairs
}

/** Writes the row of each world. With `isTraced`, also each request. Returns the goals that were missed. */
async function report(chosen: readonly World[], isTraced: boolean): Promise<string[]> {
  const rows: [World, Figures][] = []
  const traces: string[] = []
  for (const world of chosen) {
    const pairs = await runSeeds(world)
    rows.push([world, figuresOf(pairs)])
    if (isTraced)
      traces.push(`## ${world.name}\n\n${world.about}`, ...pairs.map((pair, index) => trace(index + 1, pair)))
  }
  write([tableOf(rows), ...traces].join('\n\n'))
  return rows.flatMap(([world, figures]) => missesOf(world, figures).map((text) => `${world.name}: ${text}`))
}

/** Runs random worlds. Of those in which the quota is free, writes a row for each that misses its goal. */
async function explore(from: number, to: number): Promise<string[]> {
  const missed: World[] = []
  let free = 0
  for (let number = from; number <= to; number += 1) {
    const world = randomWorld(number)
    const pairs = await runSeeds(world)
    if (!pairs.every((pair) => isFree(world, pair)) || figuresOf(pairs).succeededInPlain === 0) continue
    free += 1
    if (missesOf(world, figuresOf(pairs)).length > 0) missed.push(world)
  }
  write(`${free} random worlds, of which ${missed.length} miss their goal.\n`)
  return missed.length > 0 ? report(missed, false) : []
}

async function main(): Promise<void> {
  Object.assign(process.env, { NODE_ENV: 'production' })
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { random: { type: 'string' } } })
  const chosen = choose(worlds, positionals, ({ name }) => name)
  write('# Calm\n')
  write('Times are virtual. The quota is free in each world, so nobody should notice that there is a gate.\n')
  const [from = 1, to = from] = values.random?.split('-').map(Number) ?? []
  const missed = await (values.random === undefined
    ? report(chosen, positionals.length > 0)
    : from === to
      ? report([randomWorld(from)], true)
      : explore(from, to))
  write('\n## Verdict\n')
  if (missed.length === 0) write('Every world keeps its goal.')
  for (const text of missed) write(`- ${text}`)
  process.exitCode = missed.length === 0 ? 0 : 1
}

await main()

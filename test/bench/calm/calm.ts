import { figuresOf, missesOf, rowOf, tableHead, trace } from './report.ts'
import { runPair } from './runWorld.ts'
import { worlds } from './worlds.ts'

/** Runs every world, or only those whose name contains a text, with each request. */
async function main(): Promise<void> {
  Object.assign(process.env, { NODE_ENV: 'production' })
  const write = (text: string) => process.stdout.write(`${text}\n`)
  const [wanted] = process.argv.slice(2)
  const missed: string[] = []
  const traces: string[] = []
  write('# Calm\n')
  write('Times are virtual. The quota is free in each world, so nobody should notice that there is a gate.\n')
  write(tableHead)
  for (const world of worlds) {
    if (wanted !== undefined && !world.name.includes(wanted)) continue
    const pairs = []
    for (let seed = 1; seed <= (world.seeds ?? 3); seed += 1) {
      pairs.push(await runPair(world, seed))
    }
    const figures = figuresOf(pairs)
    write(rowOf(world, figures))
    missed.push(...missesOf(world, figures).map((text) => `${world.name}: ${text}`))
    if (wanted === undefined) continue
    traces.push(`## ${world.name}\n\n${world.about}`, ...pairs.map((pair, index) => trace(index + 1, pair)))
  }
  for (const text of traces) write(`\n${text}`)
  write('\n## Verdict\n')
  if (missed.length === 0) write('Every world keeps its goal.')
  for (const text of missed) write(`- ${text}`)
  process.exitCode = missed.length === 0 ? 0 : 1
}

await main()

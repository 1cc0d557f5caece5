import { hasRedis } from '../../redis/startRedis.ts'
import { table } from '../table.ts'
import { brokenPromises, header, missedGoals, rowOf } from './report.ts'
import { scenarios } from './scenarios.ts'

/** Runs every scenario, or those that begin with one of the given texts, with details. */
async function main(wanted: readonly string[]): Promise<void> {
  const lines: string[][] = []
  const broken: string[] = []
  const missed: string[] = []
  for (const scenario of scenarios) {
    if (wanted.length > 0 && !wanted.some((text) => scenario.name.startsWith(text))) continue
    const start = performance.now()
    const figures = await scenario.run()
    const seconds = ((performance.now() - start) / 1_000).toFixed(0)
    lines.push(rowOf(scenario, figures))
    process.stderr.write(`${scenario.name}, ${figures.processes} processes: ${seconds} s\n`)
    if (wanted.length > 0) for (const detail of figures.details ?? []) console.log(`${detail}\n`)
    if (scenario.isComparison) continue
    broken.push(...brokenPromises(scenario, figures))
    missed.push(...missedGoals(scenario, figures))
  }
  console.log(table(header, lines))
  for (const goal of missed) console.log(`- Goal missed: ${goal}`)
  for (const promise of broken) console.log(`- BROKEN: ${promise}`)
  if (broken.length === 0) console.log('The fleet keeps every promise.')
  process.exitCode = broken.length === 0 ? 0 : 1
}

// Ends Redis and the processes too.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (hasRedis) await main(process.argv.slice(2))
else console.log('Skipped: install redis-server (Debian package `redis-server`: apt-get install redis-server).')
process.exit()

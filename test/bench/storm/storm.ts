import { choose } from '../../choose.ts'
import { ideal } from './contenders/ideal.ts'
import { kyContender } from './contenders/ky.ts'
import { petstoreReact } from './contenders/petstoreReact.ts'
import { plainFetch } from './contenders/plainFetch.ts'
import { tanstackQuery } from './contenders/tanstackQuery.ts'
import { extraColumnOf, ratioOf, type Row, sumOf, tableOf, timeOf, trace, writeTime } from './report.ts'
import { maxRequests, type Outcome, runScenario } from './runScenario.ts'
import { type Scenario, scenarios } from './scenarios.ts'

const contenders = [ideal, petstoreReact, plainFetch, kyContender, tanstackQuery]

/** The promises that petstore-react breaks in a scenario. */
function brokenPromises(row: Row, idealRow: Row, scenario: Scenario): string[] {
  const { bound } = scenario
  const ratio = ratioOf(row, idealRow, scenario)
  const time = Math.max(...row.outcomes.map((outcome) => timeOf(outcome, scenario)))
  const isSlow = 'ratio' in bound ? !(ratio <= bound.ratio) : !(time <= bound.ms)
  const limit = 'ratio' in bound ? `${bound.ratio} × ideal` : writeTime(bound.ms)
  return [
    ...tooMany(row, 'requests in a known cool-down', ({ duringCooldown }) => duringCooldown),
    ...tooMany(row, 'bans', ({ bans }) => bans),
    ...tooMany(row, 'duplicates', ({ duplicates }) => duplicates),
    ...tooMany(row, 'avoidable failures', ({ avoidable }) => avoidable, scenario.maxFailures),
    ...brokenExtraColumn(row, scenario),
    ...(isSlow ? [`${scenario.time.title} ${writeTime(time)}, ${ratio.toFixed(3)} × ideal (allowed: ${limit})`] : []),
  ]
}

function tooMany(row: Row, what: string, field: (outcome: Outcome) => number, allowed = 0): string[] {
  const sum = sumOf(row, field)
  return sum > allowed ? [`${what}: ${sum}${allowed > 0 ? ` (allowed: ${allowed})` : ''}`] : []
}

function brokenExtraColumn(row: Row, { extraColumn }: Scenario): string[] {
  if (!extraColumn) return []
  const { kept, all } = extraColumnOf(row, extraColumn)
  return kept < all ? [`${extraColumn.title}: ${kept} of ${all}`] : []
}

/** Runs every scenario. With numbers as arguments, only those scenarios, and lists each request of petstore-react. */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2)
  const hasNumber = (title: string, number: string) => title.startsWith(`${number}.`)
  const chosen = choose(scenarios, wanted, ({ title }) => title, hasNumber)
  process.env['NODE_ENV'] = 'production'
  // Clients leave pending promises behind when a run is cut off. Their rejections are no errors.
  process.on('unhandledRejection', () => {})

  const write = (text: string) => process.stdout.write(`${text}\n`)
  write('# Storm\n')
  write(
    `Times are virtual. A run is cut off at ${maxRequests.toLocaleString('en-US')} requests, or when it takes hours; ` +
      'the last column says so. The lock file has the versions. The clients:\n',
  )
  for (const { name, settings } of contenders) write(`- **${name}**: ${settings}`)

  const broken: string[] = []
  for (const scenario of chosen) {
    const rows: Row[] = []
    for (const contender of contenders) {
      const outcomes: Outcome[] = []
      for (const variant of scenario.variants) outcomes.push(await runScenario(contender, scenario, variant))
      rows.push({ client: contender.name, outcomes })
    }
    const [idealRow, ourRow] = rows
    if (!idealRow || !ourRow) throw new Error('The first two clients have to be the ideal one and petstore-react.')
    if (sumOf(idealRow, ({ refused, avoidable }) => refused + avoidable) > 0)
      throw new Error('The ideal client had failures or 429s.')
    const runs = scenario.variants.length > 1 ? ` ${scenario.variants.length} runs: sums, and the worst times.` : ''
    write(`\n## ${scenario.title}\n\n${scenario.about}${runs}\n\n${tableOf(rows, idealRow, scenario)}`)
    if (wanted.length > 0)
      write(`\n${scenario.variants.map(({ name }, index) => trace(name, ourRow.outcomes[index])).join('\n\n')}`)
    broken.push(...brokenPromises(ourRow, idealRow, scenario).map((text) => `${scenario.title}: ${text}`))
  }

  write('\n## Verdict\n')
  if (broken.length === 0) write('petstore-react keeps every promise.')
  for (const promise of broken) write(`- ${promise}`)
  process.exitCode = broken.length === 0 ? 0 : 1
}

await main()

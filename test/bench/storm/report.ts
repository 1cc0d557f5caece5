import { table } from '../table.ts'
import type { Outcome } from './runScenario.ts'
import type { ExtraColumn, Scenario } from './scenarios.ts'

/** What one client did in all variants of one scenario. */
export interface Row {
  readonly client: string
  readonly outcomes: readonly Outcome[]
}

export function timeOf(outcome: Outcome, scenario: Scenario): number {
  return scenario.time.of(outcome.calls, outcome.start)
}

/** A client's time divided by the ideal client's, in the worst variant. */
export function ratioOf(row: Row, ideal: Row, scenario: Scenario): number {
  const ratios = row.outcomes.map((outcome, index) => {
    const best = ideal.outcomes[index]
    return best ? timeOf(outcome, scenario) / timeOf(best, scenario) : Number.NaN
  })
  return Math.max(...ratios)
}

export function sumOf(row: Row, field: (outcome: Outcome) => number): number {
  return row.outcomes.reduce((sum, outcome) => sum + field(outcome), 0)
}

export function tableOf(rows: readonly Row[], ideal: Row, scenario: Scenario): string {
  const header = [
    'client',
    'succeeded',
    scenario.time.title,
    '× ideal',
    'refused',
    'sent in known cool-down',
    'bans',
    'avoidable failures',
    'duplicates',
    'requests',
    ...(scenario.extraColumn ? [scenario.extraColumn.title] : []),
    'remark',
  ]
  const lines = rows.map((row) => {
    const time = Math.max(...row.outcomes.map((outcome) => timeOf(outcome, scenario)))
    const succeeded = sumOf(row, ({ calls }) => calls.filter((call) => call.succeeded).length)
    return [
      row.client,
      `${succeeded} of ${sumOf(row, ({ calls }) => calls.length)}`,
      writeTime(time),
      // A client that gave calls up has less to do, so its time cannot be compared.
      sumOf(row, ({ avoidable }) => avoidable) > 0 ? '–' : writeRatio(ratioOf(row, ideal, scenario)),
      ...[
        sumOf(row, ({ refused }) => refused),
        sumOf(row, ({ duringCooldown }) => duringCooldown),
        sumOf(row, ({ bans }) => bans),
        sumOf(row, ({ avoidable }) => avoidable),
        sumOf(row, ({ duplicates }) => duplicates),
        sumOf(row, ({ exchanges }) => exchanges.length),
      ].map(writeCount),
      ...(scenario.extraColumn ? [writeExtraColumn(row, scenario.extraColumn)] : []),
      remark(row),
    ]
  })
  return table(header, lines)
}

/** The counts of the extra column, summed over all variants. */
export function extraColumnOf(row: Row, { of }: ExtraColumn): ReturnType<ExtraColumn['of']> {
  const counts = row.outcomes.map((outcome) => of(outcome))
  return {
    kept: counts.reduce((sum, { kept }) => sum + kept, 0),
    all: counts.reduce((sum, { all }) => sum + all, 0),
  }
}

function writeExtraColumn(row: Row, extraColumn: ExtraColumn): string {
  const { kept, all } = extraColumnOf(row, extraColumn)
  return `${kept} of ${all}`
}

function remark({ outcomes }: Row): string {
  const count = (ending: Outcome['ending']) => outcomes.filter((outcome) => outcome.ending === ending).length
  const parts = [
    [count('runaway'), 'cut off at the cap'],
    [count('too late'), 'not finished in time'],
    [count('stuck'), 'hangs'],
  ] as const
  return parts
    .filter(([times]) => times > 0)
    .map(([times, text]) => (outcomes.length > 1 ? `${text} (${times} of ${outcomes.length} runs)` : text))
    .join(', ')
}

/** Lists every request of a run. */
export function trace(name: string, outcome: Outcome | undefined): string {
  if (!outcome) return ''
  const { exchanges, start } = outcome
  const since = (time: number | undefined) => (time === undefined ? '…' : ((time - start) / 1000).toFixed(3))
  const lines = exchanges.map(({ sentAt, deliveredAt, pageId, method, path, status, duringCooldown }) =>
    [
      since(sentAt),
      since(deliveredAt),
      pageId.slice(-2),
      method,
      path,
      status ?? '…',
      duringCooldown ? 'IN COOL-DOWN' : '',
    ].join('  '),
  )
  return [`petstore-react ${name}: sent and received (s), page, request, status`, ...lines].join('\n')
}

export function writeTime(ms: number): string {
  if (!Number.isFinite(ms)) return 'never'
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 3_600_000) return `${(ms / 1000).toFixed(1)} s`
  return `${(ms / 3_600_000).toFixed(1)} h`
}

function writeRatio(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–'
  return ratio < 100 ? ratio.toFixed(3) : writeCount(Math.round(ratio))
}

const writeCount = (count: number) => count.toLocaleString('en-US')

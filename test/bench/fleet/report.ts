import type { Figures } from './Figures.ts'
import type { Scenario } from './scenarios.ts'

interface Column {
  readonly title: string
  /** `undefined` where the scenario is not about it. */
  readonly value: (figures: Figures) => string | undefined
}

const ms = (time: number | undefined) => time?.toFixed(time < 10 ? 1 : 0)

const columns: readonly Column[] = [
  { title: 'processes', value: ({ processes }) => String(processes) },
  { title: 'calls/s', value: ({ callsPerSecond }) => callsPerSecond?.toFixed(0) },
  { title: 'CPU/call', value: ({ cpu }) => cpu?.toFixed(2) },
  { title: 'round trips/call', value: ({ roundTrips }) => roundTrips?.toFixed(2) },
  { title: 'bytes/call', value: ({ bytes }) => bytes?.toFixed(0) },
  { title: 'record', value: ({ recordSize }) => recordSize?.toFixed(0) },
  { title: 'added p50', value: ({ held }) => ms(held?.p50) },
  { title: 'p99', value: ({ held }) => ms(held?.p99) },
  { title: 'max', value: ({ held }) => ms(held?.max) },
  { title: 'call p50', value: ({ took }) => ms(took?.p50) },
  { title: 'call p99', value: ({ took }) => ms(took?.p99) },
  {
    title: 'completion',
    value: ({ completion }) => (completion === undefined ? undefined : `${completion.toFixed(3)} × ideal`),
  },
  {
    title: 'silence',
    value: ({ silence }) => (silence === undefined ? undefined : `${(silence / 1_000).toFixed(1)} s`),
  },
  { title: '429s', value: ({ refused }) => String(refused) },
  { title: 'in cool-down', value: ({ inCooldown, isBanned }) => `${inCooldown}${isBanned ? ', BAN' : ''}` },
  { title: 'outages', value: ({ outages }) => String(outages) },
  { title: 'duplicates', value: ({ duplicates }) => String(duplicates) },
  { title: 'unsettled', value: ({ unsettled }) => String(unsettled) },
]

/** The columns whose scenario has a goal, beside their figures. */
export const header: readonly string[] = ['scenario', ...columns.map(({ title }) => title)]

export function rowOf({ name }: Scenario, figures: Figures): string[] {
  return [name, ...columns.map(({ value }) => value(figures) ?? '')]
}

/** What a scenario breaks of what must never happen. */
export function brokenPromises({ name, goals }: Scenario, figures: Figures): string[] {
  const { refused, inCooldown, isBanned, duplicates, unsettled } = figures
  return [
    ...(refused > goals.refused ? [`${refused} × 429 (allowed: ${goals.refused})`] : []),
    ...(inCooldown > 0 ? [`${inCooldown} requests in a known cool-down`] : []),
    ...(isBanned ? ['the key was banned'] : []),
    ...(duplicates > 0 ? [`${duplicates} duplicates`] : []),
    ...(unsettled > 0 ? [`${unsettled} calls did not succeed`] : []),
  ].map((text) => `${name}: ${text}`)
}

/** The goal of speed that a scenario does not reach. It depends on what else the machine does. */
export function missedGoals({ name, goals }: Scenario, { completion = 0 }: Figures): string[] {
  const { completion: most = Infinity } = goals
  return completion > most ? [`${name}: ${completion.toFixed(2)} × ideal (goal: at most ${most})`] : []
}

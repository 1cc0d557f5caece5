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
  { title: 'first call p50', value: ({ firstArrival }) => ms(firstArrival?.p50) },
  { title: 'first call max', value: ({ firstArrival }) => ms(firstArrival?.max) },
  {
    title: 'completion',
    value: ({ completion }) => (completion === undefined ? undefined : `${completion.toFixed(3)} × ideal`),
  },
  {
    title: 'silence',
    value: ({ silence }) => (silence === undefined ? undefined : `${(silence / 1_000).toFixed(1)} s`),
  },
  { title: 'used', value: ({ used }) => (used === undefined ? undefined : `${(used * 100).toFixed(0)} %`) },
  {
    title: 'visitors’ 429s (against units, after the wait)',
    value: ({ visitors }) =>
      visitors &&
      `${visitors.refused} (${visitors.againstUnits}, ${visitors.afterWait}) of ${visitors.served + visitors.refused}`,
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
  const { refused, inCooldown, isBanned, duplicates, unsettled, used } = figures
  return [
    ...(refused > goals.refused ? [`${refused} × 429 (allowed: ${goals.refused})`] : []),
    ...(inCooldown > 0 ? [`${inCooldown} requests in a known cool-down`] : []),
    ...(isBanned ? ['the key was banned'] : []),
    ...(duplicates > 0 ? [`${duplicates} duplicates`] : []),
    ...(goals.used !== undefined && !(used !== undefined && used >= goals.used)
      ? [`only ${used} of the quota used`]
      : []),
    ...(unsettled > 0 ? [`${unsettled} calls did not succeed`] : []),
  ].map((text) => `${name}: ${text}`)
}

/** The goals of speed that a scenario does not reach. They depend on what else the machine does. */
export function missedGoals(
  { name, goals }: Scenario,
  figures: Figures,
  known: ReadonlyMap<string, Figures>,
): string[] {
  const { roundTrips, held, completion, silence, callsPerSecond, visitors } = figures
  const brokenToVisitors = visitors && visitors.againstUnits + visitors.afterWait
  const floor = goals.asFastAs === undefined ? undefined : known.get(goals.asFastAs)?.callsPerSecond
  const above = (figure: number | undefined, most: number | undefined, unit: string) =>
    figure !== undefined && most !== undefined && figure > most
      ? [`${figure.toFixed(2)} ${unit} (goal: at most ${most})`]
      : []
  return [
    ...above(roundTrips, goals.roundTrips, 'round trips per call'),
    ...above(held?.p50, goals.p50, 'ms added, p50'),
    ...above(held?.p99, goals.p99, 'ms added, p99'),
    ...above(held?.max, goals.maxHeld, 'ms added, at most'),
    ...above(completion, goals.completion, '× ideal'),
    ...above(silence, goals.silence, 'ms of silence'),
    ...above(brokenToVisitors, 0, '× 429 against what visitors were told'),
    ...(callsPerSecond !== undefined && floor !== undefined && callsPerSecond < floor
      ? [`${callsPerSecond.toFixed(0)} calls/s (goal: at least the ${floor.toFixed(0)} of one process)`]
      : []),
  ].map((text) => `${name}: ${text}`)
}

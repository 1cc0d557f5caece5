import { table } from '../table.ts'
import { median, quantile } from '../statistics.ts'

/** One measurement of one contender. Times are in ms, the heap in MB. */
export interface Measurement {
  /** From an empty page to the first paint, when the data exist already. */
  readonly mount: number
  /** From the data to the first paint, in a mounted list that was loading. */
  readonly paint: number
  /** The main thread's processor time from the data to that paint. Other load on the machine does not affect it. */
  readonly work: number
  readonly heap: number
  /** The slowest keystroke; -Infinity for a list without a filter. */
  readonly keystroke: number
  /** The main thread's processor time for the keystroke that took most of it. */
  readonly keystrokeWork: number
}

/** The slowest of the fastest tenth: a single fastest run is luck. */
const fast = (values: readonly number[]) => quantile(values, 0.1)

type Results = ReadonlyMap<string, readonly Measurement[]>

const valuesOf = (results: Results, title: string, field: keyof Measurement) =>
  (results.get(title) ?? []).map((measurement) => measurement[field])

const medianOf = (...which: Parameters<typeof valuesOf>) => median(valuesOf(...which))

const columns = [
  ['mount', 'mount'],
  ['paint', 'data to paint'],
  ['work', 'work'],
  ['heap', 'heap'],
  ['keystroke', 'keystroke'],
  ['keystrokeWork', 'its work'],
] as const satisfies readonly (readonly [field: keyof Measurement, header: string])[]

export function resultTable(title: string, results: Results): string {
  const lines = [...results.keys()].map((name) => [
    name,
    ...columns.map(([field]) => {
      const values = valuesOf(results, name, field)
      return values.every(Number.isFinite) ? `${fast(values).toFixed(1)} (${median(values).toFixed(1)})` : ''
    }),
  ])
  return `${title}\n\n${table(['', ...columns.map(([, header]) => header)], lines)}`
}

/** Prints whether each target is met. Returns whether all are. */
export function checkTargets({ unpaced, paced }: { readonly unpaced: Results; readonly paced: Results }): boolean {
  const list = 'CategoryList'
  const ratio = (results: Results, field: 'paint' | 'work', one: string, other: string) =>
    medianOf(results, one, field) / medianOf(results, other, field)
  const targets: readonly (readonly [title: string, value: number, max: number])[] = [
    ['data to paint ÷ that of 200 plain rows, 60 Hz', ratio(paced, 'paint', list, '200 plain rows'), 1.5],
    ['work ÷ that of 200 plain rows', ratio(unpaced, 'work', list, '200 plain rows'), 1.5],
    ['work of the slowest keystroke', medianOf(unpaced, list, 'keystrokeWork'), 16],
    ['heap beyond the data', medianOf(unpaced, list, 'heap'), 2],
  ]
  for (const [title, value, max] of targets) {
    console.log(`${value <= max ? 'met   ' : 'MISSED'} ${title}: ${value.toFixed(2)} (at most ${max})`)
  }
  return targets.every(([, value, max]) => value <= max)
}

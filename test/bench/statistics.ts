import { loadavg } from 'node:os'

/** The value below which this fraction of the values lies, from 0 to 1. */
export const quantile = (values: readonly number[], fraction: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * fraction)] ?? Number.NaN

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The machine's load of the last 1, 5 and 15 minutes. */
export const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(', ')

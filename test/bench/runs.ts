import { loadavg } from 'node:os'

/** The value below which a part of the values is, from 0 to 1. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The machine's load of the last 1, 5 and 15 minutes. */
export const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(', ')

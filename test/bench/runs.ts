import { loadavg } from 'node:os'

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other)

export const median = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN

/** The slowest of the fastest tenth: a single fastest run is luck. */
export const fast = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 10)] ?? Number.NaN

/** The machine's load of the last 1, 5 and 15 minutes. */
export const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(', ')

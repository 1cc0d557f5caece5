/** One contender, once. */
export interface Measurement {
  /** From nothing, with the data there, to the first paint. */
  readonly mount: number
  /** In a page that waits: from the data to the first paint. */
  readonly paint: number
  readonly ready: number
  /** What the main thread has computed until then: does not depend on what else the machine does. */
  readonly work: number
  readonly heap: number
  /** The slowest; -Infinity where nothing can be typed. */
  readonly keystroke: number
  /** What the main thread has computed for the one that took most. */
  readonly effort: number
  readonly scroll: number
}

type Results = ReadonlyMap<string, readonly Measurement[]>

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

function medianOf(results: Results, title: string, field: keyof Measurement): number {
  return median((results.get(title) ?? []).map((measurement) => measurement[field]))
}

export function report(title: string, results: Results): string {
  const header = [
    '',
    'mount',
    'data to paint',
    'all loaded',
    'work',
    'heap',
    'keystroke',
    'its work',
    '20 scroll frames',
  ]
  const fields = ['mount', 'paint', 'ready', 'work', 'heap', 'keystroke', 'effort', 'scroll'] as const
  const lines = [...results.keys()].map((name) => [
    name,
    ...fields.map((field) => {
      const value = medianOf(results, name, field)
      return Number.isFinite(value) ? value.toFixed(1) : ''
    }),
  ])
  const all = [header, ...lines]
  const widths = header.map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)))
  const write = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return `${title}\n\n${[write(header), rule, ...lines.map(write)].join('\n')}\n`
}

/** Says how the aims are met. */
export function judge({ unpaced, paced }: { readonly unpaced: Results; readonly paced: Results }): boolean {
  const list = 'CategoryList'
  const windowed = 'CategoryList windowed'
  const floor = '30 plain rows (the floor)'
  const ratio = (results: Results, field: 'paint' | 'work', one: string, other: string) =>
    medianOf(results, one, field) / medianOf(results, other, field)
  const aims: readonly (readonly [what: string, value: number, most: number])[] = [
    ['windowed: data to paint ÷ the floor’s, unpaced', ratio(unpaced, 'paint', windowed, floor), 1.25],
    ['windowed: data to paint ÷ the floor’s, 60 Hz', ratio(paced, 'paint', windowed, floor), 1.25],
    ['data to paint ÷ that of 200 plain rows, 60 Hz', ratio(paced, 'paint', list, '200 plain rows'), 1.5],
    ['work ÷ that of 200 plain rows', ratio(unpaced, 'work', list, '200 plain rows'), 1.5],
    ['work of the slowest keystroke', medianOf(unpaced, list, 'effort'), 16],
    ['windowed: work of the slowest keystroke', medianOf(unpaced, windowed, 'effort'), 16],
    ['heap beyond the data', medianOf(unpaced, list, 'heap'), 2],
    ['windowed: heap beyond the data', medianOf(unpaced, windowed, 'heap'), 2],
  ]
  for (const [what, value, most] of aims) {
    console.log(`${value <= most ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(2)} (at most ${most})`)
  }
  return aims.every(([, value, most]) => value <= most)
}

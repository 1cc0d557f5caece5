/** A Markdown table. The first column is aligned left, all others right. */
export function table(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)))
  const write = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return `${[header, rule, ...lines].map(write).join('\n')}\n`
}

export const kB = (bytes: number): string => (bytes / 1_000).toFixed(1)

/** The median, the fastest and the slowest time, in ms. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(0)
  return `${at(0.5)} (${at(0)}–${at(1)})`
}

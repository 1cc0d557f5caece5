/** A Markdown table. The first column is aligned left, all others right. */
export function table(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)))
  const write = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return `${[header, rule, ...lines].map(write).join('\n')}\n`
}

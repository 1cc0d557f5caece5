/** A Markdown table. The first two columns are aligned left, all others right. */
export function table(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)))
  const isText = (column: number) => column < 2
  const write = (line: readonly string[]) =>
    `| ${widths.map((width, column) => (isText(column) ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width))).join(' | ')} |`
  const rule = widths.map((width, column) => (isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return `${[write(header), `| ${rule.join(' | ')} |`, ...lines.map(write)].join('\n')}\n`
}

/** The longest line, as in the files that snippets come from. */
export const maxWidth = 120

/**
 * The opening tag of an element, on one line if it fits, otherwise with an attribute a line.
 *
 * @param indent - of the line on which the tag begins
 */
export function openingTag(name: string, attributes: readonly string[], end: '>' | ' />', indent: string): string {
  const line = `<${[name, ...attributes].join(' ')}${end}`
  if (indent.length + line.length <= maxWidth && !line.includes('\n')) return line
  const lines = attributes.map((attribute) => {
    const isLong = indent.length + 2 + attribute.length > maxWidth && !attribute.includes('\n')
    const text = isLong ? attribute.replace(/^([\w-]+=\{)(.*)\}$/, '$1\n  $2\n}') : attribute
    return `\n${indent}  ${reindent(text, '', `${indent}  `)}`
  })
  return `<${name}${lines.join('')}\n${indent}${end.trim()}`
}

/** Moves all lines but the first from one indentation to another. */
export function reindent(text: string, from: string, to: string): string {
  return text
    .split('\n')
    .map((line, index) => {
      if (index === 0 || line === '') return line
      return to + (line.startsWith(from) ? line.slice(from.length) : line.trimStart())
    })
    .join('\n')
}

/** The indentation of the line with a position. */
export function indentationAt(source: string, position: number): string {
  const lineStart = source.lastIndexOf('\n', position - 1) + 1
  return /^ */.exec(source.slice(lineStart, position))?.[0] ?? ''
}

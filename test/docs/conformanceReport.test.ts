import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = Array.from(
  readFileSync('docs/accessibility-conformance.md', 'utf8').matchAll(
    /^\| (\d\.\d+\.\d+) [^|]+ \| ([^|]+) \| (.+) \|$/gm,
  ),
  ([, number = '', level = '', notes = '']) => ({ number, level, notes }),
)

test('the report has each criterion of WCAG 2.2 A and AA once, with a level', () => {
  // WCAG 2.2 has 31 criteria of level A and 24 of level AA. The report also has 4.1.1, which WCAG 2.2 removed.
  expect(new Set(rows.map(({ number }) => number)).size).toBe(56)
  expect(rows).toHaveLength(56)
  expect(
    rows.filter(({ level }) => !/^(?:Supports|Partially supports|Does not support|Not applicable)$/.test(level)),
  ).toEqual([])
})

const components = readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

/** The files that a remark names: all code with a slash. */
const filesIn = (notes: string): string[] =>
  Array.from(notes.matchAll(/`([^`]+)`/g), ([, code = '']) => code).filter((code) => code.includes('/'))

/** The lines of `SPEC.md` that a remark names, such as "CategoryForm E2, E3". */
const linesIn = (notes: string): string[] =>
  Array.from(
    notes.matchAll(new RegExp(String.raw`\b(${components.join('|')}) ([A-Z]\d+(?:, [A-Z]\d+)*)`, 'g')),
  ).flatMap(([, component = '', lines = '']) => lines.split(', ').map((line) => `${component} ${line}`))

const specLines = new Set(
  components.flatMap((component) =>
    Array.from(
      readFileSync(`src/components/${component}/SPEC.md`, 'utf8').matchAll(/^- \*{0,2}([A-Z]\d+)\b/gm),
      ([, line]) => `${component} ${line}`,
    ),
  ),
)

test.each(rows)('the remarks on $number name files, or lines of a SPEC.md, which exist', ({ level, notes }) => {
  const [files, lines] = [filesIn(notes), linesIn(notes)]
  expect(level === 'Not applicable' || files.length + lines.length > 0).toBe(true)
  expect(files.filter((path) => !existsSync(path))).toEqual([])
  expect(lines.filter((line) => !specLines.has(line))).toEqual([])
})

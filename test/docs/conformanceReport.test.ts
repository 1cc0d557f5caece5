import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { conformanceSummary, readConformanceReport } from '../../stories/docs/conformanceReport.ts'
import { wcagCriteria } from '../../stories/docs/wcagCriteria.ts'

const text = readFileSync('accessibility/openacr.yaml', 'utf8')
const openAcr: unknown = parse(text)
// The schema of OpenACR 0.1.0, as the package @openacr/openacr 0.3.5 has it (CC0).
const schema = z.fromJSONSchema(JSON.parse(readFileSync('accessibility/openacr-0.1.0.json', 'utf8')))
const report = readConformanceReport(text)
const results = report.tables.flatMap((table) => table.results)

test('the report has the form that the schema of OpenACR asks for', () => {
  expect(schema.safeParse(openAcr).error?.issues).toBeUndefined()
})

test('the schema refuses another form', () => {
  expect(schema.safeParse({ ...z.looseObject({}).parse(openAcr), product: {} }).success).toBe(false)
  const chapters = { success_criteria_level_a: { criteria: [{ components: [{ name: 'web', adherence: {} }] }] } }
  expect(schema.safeParse({ ...z.looseObject({}).parse(openAcr), chapters }).success).toBe(false)
})

// The schema leaves these open; the validator of OpenACR compares them with a catalog.
test('the report has each criterion of its catalog once, in order, for the web', () => {
  const { catalog, chapters } = z
    .object({
      catalog: z.string(),
      chapters: z.record(
        z.string(),
        z.object({
          criteria: z
            .array(
              z.object({
                num: z.string(),
                components: z.tuple([z.object({ name: z.literal('web') })]),
              }),
            )
            .optional(),
        }),
      ),
    })
    .parse(openAcr)
  expect(catalog).toBe('2.5-edition-wcag-2.2-en')
  for (const [chapter, names] of Object.entries(wcagCriteria)) {
    // The object's own order: its keys are no numbers.
    expect(chapters[chapter]?.criteria?.map(({ num }) => num)).toEqual(Object.keys(names))
  }
  expect(results).toHaveLength(56)
})

test('each level is one that OpenACR knows for A and AA', () => {
  const levels = new Set(['Supports', 'Partially supports', 'Does not support', 'Not applicable'])
  expect(results.filter(({ level }) => !levels.has(level))).toEqual([])
  expect(conformanceSummary(report)).toMatch(/Supports: \d+/)
})

const components = readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

/** The files that a remark names. Other code in it has no slash. */
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

test.each(results)('the remarks on $number $name name existing files and lines only', ({ notes }) => {
  expect(notes).toMatch(/\.$/)
  expect(filesIn(notes).filter((path) => !existsSync(path))).toEqual([])
  expect(linesIn(notes).filter((line) => !specLines.has(line))).toEqual([])
})

const applicable = results.filter(({ level }) => level !== 'Not applicable')

test.each(applicable)('the remarks on $number $name say what shows it', ({ notes }) => {
  expect([...filesIn(notes), ...linesIn(notes)]).not.toEqual([])
})

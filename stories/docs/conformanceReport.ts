import { parse } from 'yaml'
import { wcagCriteria } from './wcagCriteria.ts'

/** One criterion of the report. */
export interface CriterionResult {
  readonly number: string
  readonly name: string
  /** How far it is met, in the words of OpenACR, such as `Partially supports`. */
  readonly level: string
  readonly notes: string
}

/** What a page shows of the accessibility conformance report. */
export interface ConformanceReport {
  readonly date: string
  readonly notes: string
  readonly methods: string
  readonly tables: readonly { readonly title: string; readonly results: readonly CriterionResult[] }[]
}

/** The parts of an OpenACR file that the page shows. */
interface OpenAcr {
  readonly report_date: string
  readonly notes: string
  readonly evaluation_methods_used: string
  readonly chapters: Readonly<Record<keyof typeof wcagCriteria, Chapter>>
}

interface Chapter {
  readonly criteria: readonly {
    readonly num: string
    readonly components: readonly { readonly adherence: { readonly level: string; readonly notes: string } }[]
  }[]
}

/** Reads `accessibility/openacr.yaml`, whose form `test/docs/conformanceReport.test.ts` checks. */
export function readConformanceReport(yaml: string): ConformanceReport {
  const { report_date, notes, evaluation_methods_used, chapters } = parse(yaml) as OpenAcr
  const resultsOf = (chapter: keyof typeof wcagCriteria): readonly CriterionResult[] => {
    const names: Readonly<Record<string, string>> = wcagCriteria[chapter]
    return chapters[chapter].criteria.flatMap(({ num, components }) =>
      components.map(({ adherence }) => ({
        number: num,
        name: names[num] ?? '',
        level: levelText(adherence.level),
        notes: adherence.notes,
      })),
    )
  }
  return {
    date: report_date,
    notes,
    methods: evaluation_methods_used,
    tables: [
      { title: 'Level A', results: resultsOf('success_criteria_level_a') },
      { title: 'Level AA', results: resultsOf('success_criteria_level_aa') },
    ],
  }
}

/** `partially-supports` as `Partially supports`. */
const levelText = (level: string): string => (level.charAt(0).toUpperCase() + level.slice(1)).replaceAll('-', ' ')

/** How many criteria have which level, such as "31 supports". */
export function conformanceSummary({ tables }: ConformanceReport): string {
  const levels = tables.flatMap(({ results }) => results.map(({ level }) => level))
  return [...new Set(levels)]
    .map((level) => `${level}: ${levels.filter((other) => other === level).length}`)
    .join(' · ')
}

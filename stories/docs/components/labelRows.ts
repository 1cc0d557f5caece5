import type { Api, ApiMember } from '../../../.storybook/readApi.ts'
import { en } from '../../../src/labels/en.ts'
import { formatsFor } from '../../../src/labels/formats.ts'
import type { LabelGroup } from './ComponentFacts.ts'

/** A label in English, and what the source says about it. */
export interface LabelRow {
  readonly name: string
  /** A label with arguments is called with these: numbers as examples, texts as their names in braces. */
  readonly text: string
  readonly description: string
}

/** The default texts of a component, from the catalogue itself. */
export function labelRows(group: LabelGroup, api: Api): readonly LabelRow[] {
  const members = api[`${group.charAt(0).toUpperCase()}${group.slice(1)}Labels`]?.members ?? []
  return rowsOf(en[group], '', members)
}

/** What the parts of a label are, which have no description of their own. */
const partTexts: Readonly<Record<string, string>> = { title: 'The title.', advice: 'The sentence below the title.' }

function rowsOf(labels: object, prefix: string, members: readonly ApiMember[], inherited = ''): readonly LabelRow[] {
  return Object.entries(labels).flatMap(([key, value]: [string, unknown]): readonly LabelRow[] => {
    const member = members.find(({ name }) => name === key)
    const description = member?.description || partTexts[key] || inherited
    if (typeof value === 'object' && value) return rowsOf(value, `${prefix}${key}.`, [], description)
    const text = typeof value === 'function' ? String(value(...examples(member?.type ?? ''))) : String(value)
    return [{ name: `${prefix}${key}`, text, description }]
  })
}

const exampleNumbers = [2, 5]

/** An argument for each parameter of a function type, such as `(count: number, format: Formats) => string`. */
function examples(type: string): readonly unknown[] {
  const [, parameters = ''] = /^\(([^)]*)\)/.exec(type) ?? []
  let numbers = 0
  return Array.from(parameters.matchAll(/(\w+)\??: ([^,]+)/g), ([, name = '', kind = '']) => {
    if (kind === 'Formats') return formatsFor(en.locale)
    if (kind === 'number') return exampleNumbers[numbers++]
    return kind === 'string' ? `{${name}}` : undefined
  })
}

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

function rowsOf(labels: object, prefix: string, members: readonly ApiMember[]): readonly LabelRow[] {
  return Object.entries(labels).flatMap(([key, value]: [string, unknown]): readonly LabelRow[] => {
    const member = members.find(({ name }) => name === key)
    if (typeof value === 'object' && value) return rowsOf(value, `${prefix}${key}.`, [])
    const text = typeof value === 'function' ? String(value(...examples(member?.type ?? ''))) : String(value)
    return [{ name: `${prefix}${key}`, text, description: member?.description ?? '' }]
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

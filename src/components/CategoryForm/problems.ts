import type { PetstoreError } from '../../client/errors.ts'
import type { NewCategory } from '../../contract/category.ts'
import type { ErrorBody } from '../../contract/errorBody.ts'
import type { PetstoreLabels } from '../../labels/PetstoreLabels.ts'

export type FieldName = keyof NewCategory

/** Something about the input that keeps the category from being created, in words. */
export interface Problem {
  /** `undefined`: it belongs to no field, or nobody can tell to which. */
  readonly field: FieldName | undefined
  readonly text: string
  /** The service's own words about it. */
  readonly serviceSays?: string | undefined
}

const fields: readonly FieldName[] = ['name', 'description']

/** What is wrong with the input; empty for an error of another kind. */
export function problemsOf(
  error: PetstoreError,
  { categoryForm, errorNotice }: Pick<PetstoreLabels, 'categoryForm' | 'errorNotice'>,
): readonly Problem[] {
  const texts = { name: categoryForm.nameInvalid, description: categoryForm.descriptionInvalid }
  const textOf = (field: FieldName | undefined) => (field ? texts[field] : errorNotice.errors[error.kind].advice)

  if (error.kind === 'bad-request') {
    const field = fieldNamedBy(error.body)
    return [{ field, text: textOf(field), serviceSays: error.body?.message }]
  }
  if (error.kind === 'input-validation') {
    const refused = error.issues.map(({ path: [first] = [] }) => {
      const step = typeof first === 'object' ? first.key : first
      return fields.find((field) => field === step)
    })
    return [...new Set(refused)].map((field) => ({ field, text: textOf(field) }))
  }
  return []
}

/**
 * The one field that the service's code or message names, as a word: "invalid_name", "nameTooLong", "name: expected a
 * string". The interface document lists no codes, so anything less clear is not guessed at.
 */
function fieldNamedBy(body: ErrorBody | undefined): FieldName | undefined {
  const text = `${body?.code} ${body?.message}`.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  const words = text.split(/[^\p{L}]+/u)
  const [named, ...others] = fields.filter((field) => words.includes(field))
  return others.length === 0 ? named : undefined
}

import type { BadRequestError, PetstoreError } from '../../client/errors.ts'
import type { NewCategory } from '../../contract/category.ts'
import type { PetstoreLabels } from '../../labels/en.ts'

export type FieldName = keyof NewCategory

/** A reason why the input was not accepted. */
export interface Problem {
  /** `undefined`: it belongs to no field, or the service does not say to which. */
  readonly field: FieldName | undefined
  readonly text: string
  /** The message of the service. */
  readonly serviceSays?: string | undefined
}

export const fieldNames: readonly FieldName[] = ['name', 'description']

/** The problems of the input; empty for an error of another kind. */
export function problemsOf(
  error: PetstoreError,
  { categoryForm, errorNotice }: Pick<PetstoreLabels, 'categoryForm' | 'errorNotice'>,
): readonly Problem[] {
  const fieldTexts = { name: categoryForm.nameInvalid, description: categoryForm.descriptionInvalid }
  const { title, advice } = errorNotice.errors[error.kind]
  const refused = error.kind === 'bad-request' ? `${title}.` : advice
  const textOf = (field: FieldName | undefined) => (field ? fieldTexts[field] : refused)

  if (error.kind === 'bad-request') {
    const field = fieldNamedBy(error)
    return [{ field, text: textOf(field), serviceSays: error.serviceMessage }]
  }
  if (error.kind === 'input-validation') {
    const invalidFields = error.issues.map(({ path: [first] = [] }) => {
      const key = typeof first === 'object' ? first.key : first
      return fieldNames.find((field) => field === key)
    })
    return [...new Set(invalidFields)].map((field) => ({ field, text: textOf(field) }))
  }
  return []
}

/** Whether the problems need a summary: there are several, or one belongs to no field. */
export function needsSummary(problems: readonly Problem[]): boolean {
  return problems.length > 1 || problems.some(({ field }) => !field)
}

/**
 * The only field that the service's code or message contains as a word: "invalid_name", "nameTooLong", "name: expected a
 * string". The interface document lists no codes, so nothing less clear is interpreted.
 */
function fieldNamedBy({ body, serviceMessage }: BadRequestError): FieldName | undefined {
  const text = `${body?.code} ${serviceMessage}`.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  const words = text.split(/[^\p{L}]+/u)
  const [named, ...others] = fieldNames.filter((field) => words.includes(field))
  return others.length === 0 ? named : undefined
}

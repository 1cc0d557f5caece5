import type { BadRequestError, PetstoreError } from '../../client/errors.ts'
import type { CategoryFormLabels } from '../../labels/en.ts'
import { type FieldName, fieldNames, type Problem } from './useCategorySubmission.ts'

interface FieldProblems {
  /** One for each field that the error names, in the order of the fields. */
  readonly problems: readonly Problem[]
  /** Whether the text beside one field says it all. */
  readonly isBesideField: boolean
}

/** What an error says of the fields. */
export function problemsOf(error: PetstoreError | undefined, labels: CategoryFormLabels): FieldProblems {
  const texts = { name: labels.nameInvalid, description: labels.descriptionInvalid }
  const named = error ? fieldsOf(error) : []
  const said = error?.kind === 'bad-request' ? error.serviceMessage : undefined
  const problems = fieldNames
    .filter((field) => named.includes(field))
    .map((field) => ({ field, text: texts[field], said }))
  return { problems, isBesideField: problems.length === 1 && named.length === 1 }
}

/** The fields that an error names; `undefined` stands for what belongs to none. */
function fieldsOf(error: PetstoreError): readonly (FieldName | undefined)[] {
  if (error.kind === 'bad-request') return [fieldNamedBy(error)]
  if (error.kind !== 'input-validation') return []
  const fields = error.issues.map(({ path: [first] = [] }) => {
    const key = typeof first === 'object' ? first.key : first
    return fieldNames.find((field) => field === key)
  })
  return [...new Set(fields)]
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

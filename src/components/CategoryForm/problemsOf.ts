import type { BadRequestError, PetstoreError } from '../../client/errors.ts'
import type { CategoryFormLabels } from '../../labels/en.ts'
import { type FieldName, fieldNames, type Problem } from './useCategorySubmission.ts'

/** Returns a problem for each field that an error names, and whether the text beside one field says all of the error. */
export function problemsOf(error: PetstoreError | undefined, labels: CategoryFormLabels) {
  const texts = { name: labels.nameInvalid, description: labels.descriptionInvalid }
  const named = error ? fieldsOf(error) : []
  const serviceMessage = error?.kind === 'bad-request' ? error.serviceMessage : undefined
  const problems: readonly Problem[] = fieldNames
    .filter((field) => named.includes(field))
    .map((field) => ({ field, text: texts[field], serviceMessage }))
  return { problems, isSaidBesideField: problems.length === 1 && named.length === 1 }
}

/** The fields that an error names, and `undefined` for whatever in it belongs to no field. */
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
 * The only field whose name is a word in the code or message of the service: "invalid_name", "nameTooLong",
 * "name: expected a string". The interface document lists no codes that would say more.
 */
function fieldNamedBy({ body, serviceMessage }: BadRequestError): FieldName | undefined {
  const text = [body?.code, serviceMessage].join(' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const [field, ...others] = fieldNames.filter((name) => words.includes(name))
  return others.length === 0 ? field : undefined
}

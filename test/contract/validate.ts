import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What a schema of this package says at once; none of them keeps anybody waiting. */
export function validate<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
): StandardSchemaV1.Result<Output> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('The schema responses with a promise.')
  return result
}

/** The issues of a refused value, as `path: message`. Empty where the value is taken. */
export function issuesOf(schema: StandardSchemaV1, value: unknown): readonly string[] {
  return (validate(schema, value).issues ?? []).map(({ message, path = [] }) =>
    [...path.map((step) => String(typeof step === 'object' ? step.key : step)), message].join(': '),
  )
}

import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The result of a schema. The exported schemas of this package are synchronous. */
export function validate<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
): StandardSchemaV1.Result<Output> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('The schema returns a promise.')
  return result
}

/** The issues of a value as `path: message`. Empty if the schema accepts it. */
export function issuesOf(schema: StandardSchemaV1, value: unknown): readonly string[] {
  return issueTexts(validate(schema, value))
}

/** The issues of a result as `path: message`. Empty if the schema has accepted the value. */
export function issueTexts({ issues = [] }: StandardSchemaV1.Result<unknown>): readonly string[] {
  return issues.map(({ message, path = [] }) =>
    [...path.map((step) => String(typeof step === 'object' ? step.key : step)), message].join(': '),
  )
}

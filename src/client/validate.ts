import type { StandardSchemaV1 } from '@standard-schema/spec'

/** Runs a schema, which may be the app's. One that throws or breaks the Standard Schema contract refuses the value. */
export async function validate(schema: StandardSchemaV1, value: unknown): Promise<StandardSchemaV1.Result<unknown>> {
  try {
    const result: unknown = await schema['~standard'].validate(value)
    if (isResult(result)) return result
  } catch {
    // Such as a recursive schema on deeply nested data. What it throws may repeat what it was given.
  }
  return { issues: [{ message: 'the schema failed on it' }] }
}

function isResult(result: unknown): result is StandardSchemaV1.Result<unknown> {
  if (typeof result !== 'object' || result === null) return false
  if (!('issues' in result) || result.issues === undefined) return 'value' in result
  return Array.isArray(result.issues) && result.issues.every(isIssue)
}

function isIssue({ message, path = [] }: Partial<StandardSchemaV1.Issue>): boolean {
  return typeof message === 'string' && Array.isArray(path) && path.every((part) => part !== null && part !== undefined)
}

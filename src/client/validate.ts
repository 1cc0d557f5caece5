import { CallController, type CallSignal, untilAborted } from '../base/abort.ts'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { plainIssues } from './errors.ts'

/**
 * Runs a schema, which may be the app's. One that throws or breaks the Standard Schema contract refuses the value. The
 * texts of issues may repeat the value: redact them before you show them.
 */
export async function validate<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  signal: CallSignal = new CallController(),
): Promise<StandardSchemaV1.Result<Output>> {
  try {
    const result = await untilAborted(signal, () => schema['~standard'].validate(value))
    if (result.issues?.every(({ message }) => typeof message === 'string'))
      return { issues: plainIssues(result.issues) }
    if (!result.issues && 'value' in result) return result
  } catch {
    if (signal.aborted) throw signal.reason
    // A recursive schema overflows on deeply nested data. What a schema throws may quote the value, so nobody gets it.
  }
  return { issues: [{ message: 'the schema failed on it' }] }
}

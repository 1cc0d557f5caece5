import { CallController, type CallSignal, untilAborted } from '../base/abort.ts'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { plainIssues } from './errors.ts'

/**
 * Runs a schema, which may be the app's. If it throws or breaks the Standard Schema contract, the value is refused. The
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
    // The error is dropped, since it may quote the value. A recursive schema overflows the stack on deeply nested data.
  }
  return { issues: [{ message: 'the schema failed on it' }] }
}

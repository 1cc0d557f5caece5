import { createRedact } from './createRedact.ts'
import type { RawOutput } from './RawResponse.ts'
import { redactJson } from './redactJson.ts'

/** Stands for an operation's `output` where the call is to resolve with the response itself. */
export const rawOutput: RawOutput = {
  redactJson,
  createRedact,
  '~standard': {
    version: 1,
    vendor: 'petstore-react',
    // `parseResponse` validates nothing but JSON.
    validate: () => ({ issues: [{ message: 'expected a response' }] }),
  },
}

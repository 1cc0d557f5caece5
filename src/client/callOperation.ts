import type { CallArguments, CallOptions, PetstoreClient } from './PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'

/** `client.call` for an operation whose input type is still open. */
export function callOperation<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions,
): Promise<Output> {
  // Both forms of `CallArguments` start with the input, which TypeScript cannot see while `Input` is open.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return client.call(operation, ...([input, options] as unknown as CallArguments<Input>))
}

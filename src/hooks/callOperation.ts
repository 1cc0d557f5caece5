import type { CallArguments, CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'

/** `client.call` where the type of the input is not known yet. */
export function callOperation<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions,
): Promise<Output> {
  // Both forms of the arguments begin with the input, which TypeScript cannot see while it is open.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return client.call(operation, ...([input, options] as unknown as CallArguments<Input>))
}

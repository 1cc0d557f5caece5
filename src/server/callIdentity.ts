import { buildRequest } from '../client/buildRequest.ts'
import { validate } from '../client/validate.ts'
import type { Operation } from '../contract/defineOperation.ts'

/**
 * Equal for calls of one key and scope that the service responds to equally. Fields that the operation does not take make
 * no difference. `undefined` where the operation refuses the input.
 *
 * @param keyId - stands for the API key
 * @throws InputValidationError when a field of the path is missing
 */
export async function callIdentity(
  operation: Operation,
  input: unknown,
  scope: string | undefined,
  keyId: string,
): Promise<string | undefined> {
  const { name, input: schema } = operation
  const result = schema ? await validate(schema, input) : { value: undefined }
  if (result.issues) return undefined
  const { target } = buildRequest(operation, result.value, { operation: name, attempts: 0 })
  return JSON.stringify([keyId, scope, name, target])
}

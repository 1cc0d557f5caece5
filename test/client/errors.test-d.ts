import { expectTypeOf } from 'vitest'
import {
  type AuthenticationError,
  type BadRequestError,
  type CallOutcome,
  type Category,
  type CategoryId,
  createPetstoreClient,
  defineOperation,
  type ErrorBody,
  type InputValidationError,
  int64,
  isPetstoreError,
  type Message,
  type NetworkError,
  type PetstoreError,
  type RateLimitError,
  type ResponseValidationError,
  type ServerError,
  type TimeoutError,
  type UnexpectedStatusError,
} from '../../src/client.ts'
import type { Issue } from '../../src/client/errors.ts'
import * as z from 'zod/mini'

/** Compiled, never run: `kind` distinguishes all errors, and the switch is exhaustive. */
export function switchOnKind(error: PetstoreError): void {
  expectTypeOf(error.outcome).toEqualTypeOf<CallOutcome>()
  switch (error.kind) {
    case 'bad-request':
      expectTypeOf(error).toEqualTypeOf<BadRequestError>()
      expectTypeOf(error.body).toEqualTypeOf<ErrorBody | undefined>()
      expectTypeOf<typeof error.name>().toEqualTypeOf<'BadRequestError'>()
      break
    case 'authentication':
      expectTypeOf(error).toEqualTypeOf<AuthenticationError>()
      expectTypeOf(error.status).toEqualTypeOf<number | undefined>()
      break
    case 'rate-limit':
      expectTypeOf(error).toEqualTypeOf<RateLimitError>()
      expectTypeOf(error.retryAt).toEqualTypeOf<number>()
      break
    case 'server':
      expectTypeOf(error).toEqualTypeOf<ServerError>()
      expectTypeOf(error.status).toEqualTypeOf<number>()
      break
    case 'unexpected-status':
      expectTypeOf(error).toEqualTypeOf<UnexpectedStatusError>()
      break
    case 'response-validation':
      expectTypeOf(error).toEqualTypeOf<ResponseValidationError>()
      expectTypeOf(error.issues).toEqualTypeOf<readonly Issue[]>()
      break
    case 'input-validation':
      expectTypeOf(error).toEqualTypeOf<InputValidationError>()
      break
    case 'network':
      expectTypeOf(error).toEqualTypeOf<NetworkError>()
      break
    case 'timeout':
      expectTypeOf(error).toEqualTypeOf<TimeoutError>()
      expectTypeOf(error.timeout).toEqualTypeOf<number>()
      break
    default:
      expectTypeOf(error).toBeNever()
  }
}

/** Compiled, never run: the types of calls and of their results. */
export async function callTypes(unknown: unknown): Promise<void> {
  if (isPetstoreError(unknown)) expectTypeOf(unknown).toEqualTypeOf<PetstoreError>()

  const client = createPetstoreClient({ baseUrl: '/v1' })
  const pet = defineOperation({
    name: 'getPet',
    path: '/pets/{petId}',
    input: z.object({ petId: z.string() }),
    output: z.object({ id: int64 }),
  })
  expectTypeOf(await client.call(pet, { petId: '7' })).toEqualTypeOf<{ id: string }>()

  expectTypeOf<Category['id']>().toEqualTypeOf<CategoryId>()
  expectTypeOf<CategoryId>().toExtend<string>()
  expectTypeOf<string>().not.toExtend<CategoryId>()
  expectTypeOf<Message['status']>().toExtend<string>()

  // @ts-expect-error: the address is required
  createPetstoreClient({})
  // @ts-expect-error: the input is an object with petId
  await client.call(pet, '7')
}

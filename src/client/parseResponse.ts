import type { StandardSchemaV1 } from '@standard-schema/spec'
import * as z from 'zod/mini'
import type { Operation } from '../contract/defineOperation.ts'
import { type ErrorBody, errorBodySchema } from '../contract/errorBody.ts'
import { parseExactJson } from '../contract/parseExactJson.ts'
import { redactApiKey } from './apiKey.ts'
import {
  AuthenticationError,
  BadRequestError,
  type ErrorContext,
  plainIssues,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  UnexpectedStatusError,
} from './errors.ts'

/** A response, as far as its meaning depends on it. */
export interface ReceivedResponse {
  readonly status: number
  /** `undefined` where it is too large, or lost. */
  readonly text: string | undefined
  /** For a 429: when a request may leave again, in epoch ms. */
  readonly retryAt: number
}

/**
 * The typed result of a response.
 *
 * @param key - the API key that was sent, cut from what the service may have repeated of it
 * @throws one of the package's errors
 */
export async function parseResponse<Output>(
  operation: Operation<unknown, Output>,
  response: ReceivedResponse,
  key: string | undefined,
  context: ErrorContext,
): Promise<Output> {
  if (!isSuccess(operation, response.status)) throw statusError(response, key, context)
  if (response.text === undefined) {
    throw new ResponseValidationError(
      context,
      [{ message: 'expected no more bytes than maxResponseSize' }],
      'too-large',
    )
  }

  let value: unknown
  try {
    value = readJson(response.text)
  } catch {
    // The engine's message would show a piece of the text, perhaps of the key.
    throw new ResponseValidationError(context, [{ message: 'expected JSON' }], 'not-json')
  }
  const result = await validate(operation.output, value)
  if (result.issues) {
    // A schema of the app's may repeat what it was given, in its words or as the name of a field.
    throw new ResponseValidationError(
      context,
      plainIssues(result.issues, (text) => redactApiKey(text, key)),
    )
  }
  return result.value
}

async function validate<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
): Promise<StandardSchemaV1.Result<Output>> {
  try {
    return await schema['~standard'].validate(value)
  } catch {
    // Such as a recursive one on what is nested too deeply. What it throws may repeat what it was given.
    return { issues: [{ message: 'the schema failed on it' }] }
  }
}

function isSuccess(operation: Operation, status: number): boolean {
  return operation.success === 'any-2xx' ? status >= 200 && status < 300 : operation.success.includes(status)
}

function statusError(
  { status, text, retryAt }: ReceivedResponse,
  key: string | undefined,
  context: ErrorContext,
): Error {
  const response = { status, body: readErrorBody(text, key) }
  if (status === 400) return new BadRequestError(context, response)
  if (status === 401) return new AuthenticationError(context, response)
  if (status === 429) return new RateLimitError(context, retryAt, response.body)
  if (status >= 500) return new ServerError(context, response)
  return new UnexpectedStatusError(context, response)
}

function readErrorBody(text: string | undefined, key: string | undefined): ErrorBody | undefined {
  try {
    const { code, message, status } = z.parse(errorBodySchema, readJson(text ?? ''))
    return { code: redactApiKey(code, key), message: redactApiKey(message, key), status }
  } catch {
    return undefined
  }
}

/** An empty body (as of a 204) is the value `undefined`. */
function readJson(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text)
}

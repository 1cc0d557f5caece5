import * as z from 'zod/mini'
import type { Operation } from '../../contract/defineOperation.ts'
import { errorBodySchema } from '../../contract/errorBody.ts'
import { parseExactJson } from '../../contract/parseExactJson.ts'
import { redactApiKey } from '../apiKey.ts'
import { errorContext, requestIdentity, type RespondedAttempt } from '../Call.ts'
import { deepFreeze } from '../deepFreeze.ts'
import {
  AuthenticationError,
  BadRequestError,
  plainIssues,
  RateLimitError,
  type ResponseDetails,
  ResponseValidationError,
  ServerError,
  UnexpectedStatusError,
} from '../errors.ts'
import type { ResponseCache } from '../responseCache.ts'
import { validate } from '../validate.ts'

/**
 * Makes the typed result of the response. A GET whose response equals the last one under the same key gets the same
 * object.
 *
 * Rejects with the error of the status, or with `ResponseValidationError`. No error shows the API key.
 */
export function parseResponse(cache: ResponseCache): (attempt: RespondedAttempt) => Promise<unknown> {
  return (attempt) => {
    const { operation, response } = attempt
    const identity = operation.method === 'GET' ? requestIdentity(attempt) : undefined
    const { status, text } = response
    return cache.getOrParse({ identity, schema: operation.output, status, text }, () => parse(attempt))
  }
}

async function parse(attempt: RespondedAttempt): Promise<unknown> {
  const { operation, response, key } = attempt
  if (!isSuccess(operation, response.status)) throw statusError(attempt)
  const context = errorContext(attempt)
  if (response.text === undefined) {
    const issue = { message: 'expected no more bytes than maxResponseSize' }
    throw new ResponseValidationError(context, [issue], 'too-large')
  }

  let value: unknown
  try {
    value = parseJson(response.text)
  } catch {
    // The engine's message would show a piece of the text, perhaps of the key.
    throw new ResponseValidationError(context, [{ message: 'expected JSON' }], 'not-json')
  }
  const result = await validate(operation.output, value)
  if (!result.issues) {
    if (process.env.NODE_ENV !== 'production') deepFreeze(result.value)
    return result.value
  }
  // An app's schema may repeat what it was given, in its messages or as the name of a field.
  throw new ResponseValidationError(
    context,
    plainIssues(result.issues, (text) => redactApiKey(text, key)),
  )
}

function isSuccess({ success }: Operation, status: number): boolean {
  return success === 'any-2xx' ? status >= 200 && status < 300 : success.includes(status)
}

function statusError(attempt: RespondedAttempt): Error {
  const { status, text } = attempt.response
  const context = errorContext(attempt)
  const retryAt = attempt.retryAt()
  const details = { status, retryAt, ...readErrorBody(text, attempt.key) }
  if (status === 400) return new BadRequestError(context, details)
  if (status === 401) return new AuthenticationError(context, details)
  if (status === 429) return new RateLimitError(context, retryAt ?? attempt.sentAt, details.body)
  if (status >= 500) return new ServerError(context, details)
  return new UnexpectedStatusError(context, details)
}

function readErrorBody(
  text: string | undefined,
  key: string | undefined,
): Pick<ResponseDetails, 'body' | 'serviceMessage'> {
  let value: unknown
  try {
    value = parseJson(text ?? '')
  } catch {
    return { body: undefined }
  }
  const { success, data } = z.safeParse(errorBodySchema, value)
  if (success) {
    const { code, message, status } = data
    return { body: { code: redactApiKey(code, key), message: redactApiKey(message, key), status } }
  }
  const message = z.safeParse(messageSchema, value).data?.message
  return { body: undefined, serviceMessage: message === undefined ? undefined : redactApiKey(message, key) }
}

/** What gateways in front of a service send, such as a 404 or 405: not an Error body, but its message helps. */
const messageSchema = z.object({ message: z.string() })

/** An empty body (as of a 204) is the value `undefined`. */
function parseJson(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text)
}

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { CallSignal } from '../../base/abort.ts'
import type { BoundedCache } from '../../base/boundedCache.ts'
import type { Operation } from '../../contract/defineOperation.ts'
import type { ErrorBody } from '../../contract/ErrorBody.ts'
import { parseExactJson } from '../../contract/parseExactJson.ts'
import { isPlainSchema } from '../../contract/schemas.ts'
import { createRedact } from '../apiKey.ts'
import { errorContext, requestIdentity, type RespondedAttempt } from '../Call.ts'
import {
  AuthenticationError,
  BadRequestError,
  type Issue,
  plainIssues,
  RateLimitError,
  type ResponseDetails,
  ResponseValidationError,
  ServerError,
  UnexpectedStatusError,
} from '../errors.ts'
import type { RawOutput } from '../rawOutput.ts'
import { validate } from '../validate.ts'

/** The last response to a GET with the same operation, URL, key and scope, and its parsed value. */
export interface CachedResponse {
  readonly schema: unknown
  readonly status: number
  readonly text: string
  readonly value: unknown
  /** About how much memory it takes, in characters. */
  readonly size: number
}

/**
 * Parses the response into the operation's result. If a GET returns the same text and status as last time, for the same
 * schema, the result is the same object, so that nothing is parsed or rendered again.
 *
 * Rejects with the error of the status, or with `ResponseValidationError`. No error shows the API key.
 */
export function parseResponse(cache: BoundedCache<CachedResponse>): (attempt: RespondedAttempt) => Promise<unknown> {
  return async (attempt) => {
    const { operation, response, signal } = attempt
    const { method, output: schema } = operation
    const { status, text } = response
    if (method !== 'GET' || isRawOutput(schema) || text === undefined) return readResult(attempt)
    const identity = requestIdentity(attempt)
    const cached = cache.values.get(identity)
    const isSame = cached?.text === text && cached.schema === schema && cached.status === status
    const value = isSame ? cached.value : await readResult(attempt)
    // `client.clear()` may have aborted the call meanwhile: then its response is not kept.
    if (signal.aborted) throw signal.reason
    cache.set(identity, { schema, status, text, value, size: text.length + entryOverhead })
    return value
  }
}

/** Added to the text of each entry, in characters, so that many small ones are bounded, too. */
const entryOverhead = 100

/** Whether the caller wants the response itself, as the handler of a server does. */
function isRawOutput(output: StandardSchemaV1 | RawOutput): output is RawOutput {
  return 'redactJson' in output
}

async function readResult(attempt: RespondedAttempt): Promise<unknown> {
  const { operation, response, key, signal } = attempt
  const { status, text, rateLimitHeaders } = response
  const { success } = operation
  const isSuccess = success === 'any-2xx' ? status >= 200 && status < 300 : success.includes(status)
  if (!isSuccess) throw statusError(attempt)
  const hasRateLimitHeaders = (rateLimitHeaders.limit ?? rateLimitHeaders.remaining) !== undefined
  // A login page or captive portal also responds with 200: only JSON or rate-limit headers show that it was the service.
  const unreadableError = (
    issues: readonly Issue[],
    problem: ResponseValidationError['problem'],
    isFromService = hasRateLimitHeaders,
  ): Error =>
    new ResponseValidationError(errorContext(attempt, response), issues, problem, isFromService ? 'applied' : 'unknown')

  if (text === undefined) {
    throw unreadableError([{ message: 'expected no more bytes than maxResponseSize' }], 'too-large')
  }

  // An empty response may come from a captive portal, unless it is a 204 or has rate-limit headers.
  const parsed = text !== '' || hasRateLimitHeaders || status === 204 ? parseText(operation, text, signal) : undefined
  // The message of `JSON.parse` would quote the text, which may contain the API key.
  if (!parsed) throw unreadableError([{ message: 'expected JSON' }], 'not-json')
  const result = await parsed
  // A raw output only needs to know that the text is JSON: the issues are ignored.
  if (isRawOutput(operation.output)) {
    return { ...response, text: operation.output.redactJson(text, key), sentAt: attempt.sentAt, key }
  }
  if (result.issues) {
    // The messages and paths of an app's schema may repeat the API key.
    const issues = plainIssues(result.issues, createRedact(key))
    throw unreadableError(issues, 'wrong-shape', hasRateLimitHeaders || text !== '')
  }
  return result.value
}

/** Parses the text of a success with the operation's schema; `undefined` if it is not JSON. */
export function parseText<Output>(
  { output }: Pick<Operation<unknown, Output>, 'output'>,
  text: string,
  signal?: CallSignal,
): Promise<StandardSchemaV1.Result<Output>> | undefined {
  const quick = isPlainSchema(output) ? output.readQuickly?.(text) : undefined
  if (quick !== undefined) return Promise.resolve({ value: quick })
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return undefined
  }
  return validate(output, value, signal)
}

function statusError(attempt: RespondedAttempt): Error {
  const { status } = attempt.response
  const context = errorContext(attempt, attempt.response)
  const retryAt = attempt.retryAt()
  const details = { status, retryAt, ...readErrorBody(attempt) }
  if (status === 400) return new BadRequestError(context, details)
  if (status === 401) return new AuthenticationError(context, details)
  // After a 429 `retryAt()` always returns a time; its type does not say so.
  if (status === 429) return new RateLimitError(context, retryAt ?? attempt.sentAt, details.body)
  if (status >= 500) return new ServerError(context, details)
  return new UnexpectedStatusError(context, details)
}

type Fields = { readonly [Field in keyof ErrorBody | 'detail']?: unknown }

/** Reads the documented error body, or only a message: gateways send `message`, RFC 9457 `detail`. */
function readErrorBody(attempt: RespondedAttempt): Pick<ResponseDetails, 'body' | 'serviceMessage'> {
  let value: unknown
  try {
    value = parseJson(attempt.response.text ?? '')
  } catch {
    // It is no JSON, for example the HTML page of a gateway.
  }
  const { code, detail, message = detail, status }: Fields = Object(value)
  if (typeof message !== 'string') return { body: undefined }
  const isComplete = typeof code === 'string' && typeof status === 'number' && Number.isSafeInteger(status)
  const redact = createRedact(attempt.key)
  const serviceMessage = redact(message)
  return { body: isComplete ? { code: redact(code), message: serviceMessage, status } : undefined, serviceMessage }
}

/** An empty body (as of a 204) is the value `undefined`. */
function parseJson(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text)
}

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { BoundedCache } from '../../base/boundedCache.ts'
import { isDevelopment } from '../../base/development.ts'
import { isQuickSchema, type Operation } from '../../contract/defineOperation.ts'
import type { ErrorBody } from '../../contract/ErrorBody.ts'
import { parseExactJson } from '../../contract/parseExactJson.ts'
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

/** The last response to a GET, and its parsed value. */
export interface CachedResponse {
  readonly schema: unknown
  readonly status: number
  readonly text: string
  readonly value: unknown
  /** About how much memory it takes, in characters. */
  readonly size: number
}

/**
 * Parses the response into the operation's result. If a GET returns the same text as last time, the result is the same
 * object, so that nothing is parsed or rendered again.
 *
 * Rejects with the error of the status, or with `ResponseValidationError`. No error shows the API key.
 *
 * @param cache - by `requestIdentity`
 */
export function parseResponse(cache: BoundedCache<CachedResponse>): (attempt: RespondedAttempt) => Promise<unknown> {
  return async (attempt) => {
    const { method, output: schema } = attempt.operation
    const { status, text } = attempt.response
    if (method !== 'GET' || isRawOutput(schema) || text === undefined) return parse(attempt)
    const identity = requestIdentity(attempt)
    const last = cache.values.get(identity)
    const isSame = last?.text === text && last.schema === schema && last.status === status
    const value = isSame ? last.value : await parse(attempt)
    cache.set(identity, { schema, status, text, value, size: text.length + entryOverhead })
    return value
  }
}

const entryOverhead = 100

/** Whether the caller wants the response itself, as the handler of a server does. */
function isRawOutput(output: StandardSchemaV1 | RawOutput): output is RawOutput {
  return 'redactJson' in output
}

async function parse(attempt: RespondedAttempt): Promise<unknown> {
  const { operation, response, key } = attempt
  if (!isSuccess(operation, response.status)) throw statusError(attempt)
  const { status, text, rateLimitHeaders } = response
  const hasRateLimitHeaders = (rateLimitHeaders.limit ?? rateLimitHeaders.remaining) !== undefined
  // A login page or a captive portal can respond with 200, too. Only JSON or rate-limit headers show that the service has
  // responded.
  const unreadableError = (
    issues: readonly Issue[],
    problem: ResponseValidationError['problem'],
    isFromService = hasRateLimitHeaders,
  ): Error =>
    new ResponseValidationError(errorContext(attempt, response), issues, problem, isFromService ? 'applied' : 'unknown')

  if (text === undefined) {
    throw unreadableError([{ message: 'expected no more bytes than maxResponseSize' }], 'too-large')
  }

  // Only a 204 may be empty without rate-limit headers.
  const parsed = text !== '' || hasRateLimitHeaders || status === 204 ? parseText(operation, text) : undefined
  // The message of `JSON.parse` would quote the text, which may contain the API key.
  if (!parsed) throw unreadableError([{ message: 'expected JSON' }], 'not-json')
  if (isRawOutput(operation.output)) {
    return { ...response, text: operation.output.redactJson(text, key), sentAt: attempt.sentAt, key }
  }
  const result = await parsed
  if (result.issues) {
    // The messages and paths of an app's schema may repeat the API key.
    throw unreadableError(
      plainIssues(result.issues, createRedact(key)),
      'wrong-shape',
      hasRateLimitHeaders || text !== '',
    )
  }
  return result.value
}

/** Parses the text of a success with the operation's schema; `undefined` if it is not JSON. */
export function parseText({ output }: Operation, text: string): Promise<StandardSchemaV1.Result<unknown>> | undefined {
  const quick = isQuickSchema(output) ? output.readQuickly(text) : undefined
  if (quick !== undefined) return Promise.resolve({ value: freeze(quick) })
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return undefined
  }
  return validate(output, value).then((result) => (result.issues ? result : { value: freeze(result.value) }))
}

/** In development only: components share the data, so a change to it would show in all of them. */
function freeze(value: unknown): unknown {
  if (isDevelopment && process.env.NODE_ENV !== 'production') deepFreeze(value)
  return value
}

function isSuccess({ success }: Operation, status: number): boolean {
  return success === 'any-2xx' ? status >= 200 && status < 300 : success.includes(status)
}

function statusError(attempt: RespondedAttempt): Error {
  const { status } = attempt.response
  const context = errorContext(attempt, attempt.response)
  const retryAt = attempt.retryAt()
  const details = { status, retryAt, ...readErrorBody(attempt) }
  if (status === 400) return new BadRequestError(context, details)
  if (status === 401) return new AuthenticationError(context, details)
  if (status === 429) return new RateLimitError(context, retryAt ?? attempt.sentAt, details.body)
  if (status >= 500) return new ServerError(context, details)
  return new UnexpectedStatusError(context, details)
}

/** Reads the documented error body, or only a message: gateways send `message`, RFC 9457 `detail`. */
function readErrorBody(attempt: RespondedAttempt): Pick<ResponseDetails, 'body' | 'serviceMessage'> {
  let value: unknown
  try {
    value = parseJson(attempt.response.text ?? '')
  } catch {
    // Such as an HTML page of a gateway.
  }
  if (typeof value !== 'object' || value === null) return { body: undefined }
  const {
    code,
    detail,
    message = detail,
    status,
  } = value as { readonly [Field in keyof ErrorBody | 'detail']?: unknown }
  if (typeof message !== 'string') return { body: undefined }
  const isComplete = typeof code === 'string' && typeof status === 'number' && Number.isSafeInteger(status)
  const redact = createRedact(attempt.key)
  const serviceMessage = redact(message)
  return {
    body: isComplete ? { code: redact(code), message: serviceMessage, status } : undefined,
    serviceMessage,
  }
}

/** An empty body (as of a 204) is the value `undefined`. */
function parseJson(text: string): unknown {
  return text === '' ? undefined : parseExactJson(text)
}

/** Freezes arrays and plain objects, and what is in them. */
function deepFreeze(value: unknown): void {
  const pending: unknown[] = [value]
  for (const part of pending) {
    if (!isPlain(part) || Object.isFrozen(part)) continue
    Object.freeze(part)
    for (const inner of Object.values(part)) pending.push(inner)
  }
}

/** A schema may make instances of classes, which may need to change. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || prototype === Array.prototype
}

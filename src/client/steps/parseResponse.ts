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
export interface KeptResponse {
  readonly schema: unknown
  readonly status: number
  readonly text: string
  readonly value: unknown
  /** An estimate of the memory that it takes: the length of the text, and a little more. */
  readonly size: number
}

/**
 * Parses the response into the operation's result. If a GET returns the same text as last time, the result is the same
 * object, so that nothing is parsed or rendered again.
 *
 * Rejects with the error of the status, or with `ResponseValidationError`. No error shows the API key.
 *
 * @param kept - by `requestIdentity`
 */
export function parseResponse(kept: BoundedCache<KeptResponse>): (attempt: RespondedAttempt) => Promise<unknown> {
  return async (attempt) => {
    const { method, output: schema } = attempt.operation
    const { status, text } = attempt.response
    // Without a text, the body is larger than `maxResponseSize`.
    if (method !== 'GET' || isRawOutput(schema) || text === undefined) return parse(attempt)
    const identity = requestIdentity(attempt)
    const last = kept.values.get(identity)
    const isSame = last?.text === text && last.schema === schema && last.status === status
    const value = isSame ? last.value : await parse(attempt)
    kept.set(identity, { schema, status, text, value, size: 100 + text.length })
    return value
  }
}

/** Whether the caller wants the response itself, as the handler of a server does. */
function isRawOutput(output: StandardSchemaV1 | RawOutput): output is RawOutput {
  return 'redactJson' in output
}

async function parse(attempt: RespondedAttempt): Promise<unknown> {
  const { operation, response, key } = attempt
  if (!isSuccess(operation, response.status)) throw statusError(attempt)
  const { status, text, rateLimitHeaders } = response
  const hasQuota = (rateLimitHeaders.limit ?? rateLimitHeaders.remaining) !== undefined
  // A login page or a captive portal can respond with 200, too. Only JSON or the headers of the quota show that the service
  // has responded.
  const unreadableError = (
    issues: readonly Issue[],
    problem: ResponseValidationError['problem'],
    isFromService = hasQuota,
  ): Error =>
    new ResponseValidationError(errorContext(attempt, response), issues, problem, isFromService ? 'applied' : 'unknown')

  if (text === undefined) {
    throw unreadableError([{ message: 'expected no more bytes than maxResponseSize' }], 'too-large')
  }

  // Only a 204 may be empty without headers of the quota.
  const reading = text !== '' || hasQuota || status === 204 ? readText(operation, text) : undefined
  // The message of `JSON.parse` would quote the text, which may contain the API key.
  if (!reading) throw unreadableError([{ message: 'expected JSON' }], 'not-json')
  if (isRawOutput(operation.output)) {
    return { ...response, text: operation.output.redactJson(text, key), sentAt: attempt.sentAt, key }
  }
  // An app's schema may quote the value in its messages, or use it as the name of a field.
  const result = await reading
  if (result.issues) {
    throw unreadableError(plainIssues(result.issues, createRedact(key)), 'wrong-shape', hasQuota || text !== '')
  }
  return result.value
}

/** The value that the operation makes of the text of a success; `undefined` if it is not JSON. */
export function readText({ output }: Operation, text: string): Promise<StandardSchemaV1.Result<unknown>> | undefined {
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

/** The Error body; or only a message: `message`, as gateways send it, or `detail` (RFC 9457). */
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

/** Freezes arrays and plain objects at every depth, so that a caller's change cannot show in a later result. */
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

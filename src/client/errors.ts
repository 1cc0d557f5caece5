import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ErrorBody } from '../contract/errorBody.ts'

/** One thing that a schema refused: a message and where it stands in the value. */
export type Issue = StandardSchemaV1.Issue

/**
 * Whether the service did the work of the failed call: `not-applied`, certainly not; `applied`, yes, but its response could not
 * be read; `unknown`, the response was lost or the service failed on the way, so it may have.
 */
export type CallOutcome = 'not-applied' | 'unknown' | 'applied'

/** What every error of this package tells about the call that failed. */
export interface ErrorContext {
  /** Name of the operation. */
  readonly operation: string
  /** How many requests left for this call; 0 when none did. */
  readonly attempts: number
}

const brand = Symbol.for('petstore-react.error')

abstract class BaseError extends Error implements ErrorContext {
  abstract override readonly name: string
  /** Literal in each class, so that `switch (error.kind)` is exhaustive. */
  abstract readonly kind: string
  readonly operation: string
  readonly attempts: number
  readonly outcome: CallOutcome

  constructor(summary: string, context: ErrorContext, outcome: CallOutcome, options?: ErrorOptions) {
    super(`${context.operation}: ${summary}`, options)
    this.operation = context.operation
    this.attempts = context.attempts
    this.outcome = outcome
  }

  /** Fit for logs: no cause and no stack, which may hold what others put there. */
  toJSON(): Record<string, unknown> {
    const { name, kind, message, operation, attempts, outcome } = this
    return { name, kind, message, operation, attempts, outcome }
  }
}
// On the prototype, where inspecting an error does not print it.
Object.defineProperty(BaseError.prototype, brand, { value: true })

/** What an error that comes from a response carries of it. */
export interface ResponseDetails {
  /** The HTTP status; 0 for a redirect that a browser hides. */
  readonly status: number
  /** The service's Error body, where it sent a valid one. */
  readonly body: ErrorBody | undefined
  /** When the service accepts requests again (epoch ms), where its `Retry-After` says so. */
  readonly retryAt?: number | undefined
}

abstract class StatusError<Status extends number | undefined = number> extends BaseError {
  readonly status: Status
  readonly body: ErrorBody | undefined
  /** When the service accepts requests again (epoch ms), where its `Retry-After` says so. */
  readonly retryAt: number | undefined

  constructor(
    summary: string,
    context: ErrorContext,
    { status, body, retryAt }: Omit<ResponseDetails, 'status'> & { readonly status: Status },
    outcome: CallOutcome,
    options?: ErrorOptions,
  ) {
    super(body ? `${summary} The service says: ${body.message} (${body.code})` : summary, context, outcome, options)
    this.status = status
    this.body = body
    this.retryAt = retryAt
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, code: this.body?.code }
  }
}

/** 400: the request lacked a required field or held an invalid value. */
export class BadRequestError extends StatusError {
  override readonly name = 'BadRequestError'
  override readonly kind = 'bad-request'

  constructor(context: ErrorContext, response: ResponseDetails) {
    super('The service refused the request as invalid (400).', context, response, 'not-applied')
  }
}

/** 401: the API key is missing or invalid; or no usable key could be had, and nothing was sent (`status` undefined). */
export class AuthenticationError extends StatusError<number | undefined> {
  override readonly name = 'AuthenticationError'
  override readonly kind = 'authentication'

  constructor(context: ErrorContext, reason: ResponseDetails | { readonly problem: string; readonly cause?: unknown }) {
    if ('status' in reason) super('The API key is missing or invalid (401).', context, reason, 'not-applied')
    else super(reason.problem, context, { status: undefined, body: undefined }, 'not-applied', reason)
  }
}

/** 429: the key's rate limit is used up; or the call would have waited longer than its `maxWait`, and was not sent. */
export class RateLimitError extends BaseError {
  override readonly name = 'RateLimitError'
  override readonly kind = 'rate-limit'
  /** When a request may leave again, in epoch ms of this machine's clock. */
  readonly retryAt: number
  readonly body: ErrorBody | undefined

  constructor(context: ErrorContext, retryAt: number, body?: ErrorBody) {
    const when = new Date(retryAt).toISOString()
    super(`The rate limit is used up. Not before ${when}.`, context, 'not-applied')
    this.retryAt = retryAt
    this.body = body
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), retryAt: this.retryAt, code: this.body?.code }
  }
}

/** 5xx: the service failed. It may have done the work before it did. */
export class ServerError extends StatusError {
  override readonly name = 'ServerError'
  override readonly kind = 'server'

  constructor(context: ErrorContext, response: ResponseDetails) {
    super(`The service failed (${response.status}).`, context, response, 'unknown')
  }
}

/** A status that the operation does not document. */
export class UnexpectedStatusError extends StatusError {
  override readonly name = 'UnexpectedStatusError'
  override readonly kind = 'unexpected-status'

  constructor(context: ErrorContext, response: ResponseDetails) {
    const { status } = response
    const isRedirect = status === 0 || (status >= 300 && status < 400)
    const summary = isRedirect
      ? 'The service responded with a redirect, which is never followed: the API key goes to the configured address only.'
      : `The service responded with the status ${status}.`
    // A redirect may come after the work was done (303), and a browser hides which one it is.
    const outcome = isRedirect ? 'unknown' : status < 300 ? 'applied' : 'not-applied'
    super(summary, context, response, outcome)
  }
}

abstract class ValidationError extends BaseError {
  /** What was wrong, one entry each. */
  readonly issues: readonly Issue[]

  constructor(summary: string, context: ErrorContext, issues: readonly Issue[], outcome: CallOutcome) {
    const plain = plainIssues(issues)
    super(`${summary} ${describeIssues(plain)}`, context, outcome)
    this.issues = plain
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues }
  }
}

/** A success whose body is not what the operation promises. */
export class ResponseValidationError extends ValidationError {
  override readonly name = 'ResponseValidationError'
  override readonly kind = 'response-validation'
  /**
   * `not-json`: the body cannot be read at all, perhaps because it was cut short on its way; `too-large`: it has more
   * bytes than `maxResponseSize` allows, and was not read to its end.
   */
  readonly problem: 'not-json' | 'too-large' | 'wrong-shape'

  constructor(
    context: ErrorContext,
    issues: readonly Issue[],
    problem: ResponseValidationError['problem'] = 'wrong-shape',
  ) {
    super('The response is not what the operation promises:', context, issues, 'applied')
    this.problem = problem
  }
}

/** The input was refused by the operation's schema, before anything was sent. */
export class InputValidationError extends ValidationError {
  override readonly name = 'InputValidationError'
  override readonly kind = 'input-validation'

  constructor(context: ErrorContext, issues: readonly Issue[]) {
    super('The input is not valid:', context, issues, 'not-applied')
  }
}

/** No response: the network failed, or the browser refused it to the page (CORS). The service may have got the request. */
export class NetworkError extends BaseError {
  override readonly name = 'NetworkError'
  override readonly kind = 'network'

  constructor(context: ErrorContext, cause: unknown) {
    super('No response from the service (network failure).', context, 'unknown', { cause })
  }
}

/** No response within `timeout` ms. The service may have got the request. */
export class TimeoutError extends BaseError {
  override readonly name = 'TimeoutError'
  override readonly kind = 'timeout'
  /** The time allowed, in ms. */
  readonly timeout: number

  constructor(context: ErrorContext, timeout: number) {
    super(`No response within ${timeout} ms.`, context, 'unknown')
    this.timeout = timeout
  }
}

/** Any error of this package. `switch (error.kind)` tells them apart. A cancelled call is none: it is an `AbortError`. */
export type PetstoreError =
  | BadRequestError
  | AuthenticationError
  | RateLimitError
  | ServerError
  | UnexpectedStatusError
  | ResponseValidationError
  | InputValidationError
  | NetworkError
  | TimeoutError

/** Recognises this package's errors by a registered symbol, so that two copies of the package on a page agree. */
export function isPetstoreError(error: unknown): error is PetstoreError {
  return error instanceof Error && brand in error
}

interface PlainIssue {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/** Messages and paths, and nothing else: a schema library may add the refused values. */
export function plainIssues(issues: readonly Issue[], redact = (text: string): string => text): readonly PlainIssue[] {
  return issues.map(({ message, path = [] }) => ({
    message: redact(message),
    path: path.map((part) => {
      const key = typeof part === 'object' ? part.key : part
      return typeof key === 'string' ? redact(key) : key
    }),
  }))
}

function describeIssues(issues: readonly PlainIssue[]): string {
  const shown = issues
    .slice(0, 3)
    .map(({ message, path }) => (path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message))
  const more = issues.length - shown.length
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

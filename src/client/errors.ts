import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isDevelopment } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { ErrorBody } from '../contract/ErrorBody.ts'

/** One problem that a schema found: a message and the path in the value. */
export type Issue = StandardSchemaV1.Issue

/**
 * Whether the service did the work of the failed call: `applied`, it did, but its response could not be read;
 * `not-applied`, it did not; `unknown`, it may have: the response was lost, the service failed, or nothing shows that the
 * response was the service's.
 */
export type CallOutcome = 'not-applied' | 'unknown' | 'applied'

/** The facts that every error tells about its call. */
export interface ErrorContext {
  /** Name of the operation. */
  readonly operation: string
  /** How many requests were sent for this call; 0 if none. */
  readonly attempts: number
  /** The operation's HTTP method, if known. A failed GET has changed nothing. */
  readonly method?: Operation['method'] | undefined
  /** Whether the operation may be sent again after any failure (`safe`), if known. */
  readonly replay?: Operation['replay'] | undefined
  /** The `callId` of the call's events, if the error belongs to a call. Callers that share a request have the same one. */
  readonly callId?: string | undefined
  /**
   * The headers of the last response, if there was one. From another origin a page sees only those that the service
   * exposes. Without `Set-Cookie`.
   */
  readonly headers?: Headers | undefined
  /** The outcome of the call's earlier requests, if it was sent again. */
  readonly previousOutcome?: CallOutcome | undefined
}

const brand = Symbol.for('petstore-react.error')

/** What happened, for developers; mostly `false` in production, where the message has only the kind and the status. */
type Sentence = string | false

// `declare`, since a real field would overwrite what the constructor of the base class has set.
abstract class BaseError<Kind extends string> extends Error implements ErrorContext {
  /** The name of the class. */
  abstract override readonly name: string
  /** A literal in each class, so that `switch (error.kind)` is exhaustive. The guide `docs/errors.md` describes each. */
  declare readonly kind: Kind
  declare readonly operation: string
  declare readonly attempts: number
  declare readonly method: Operation['method'] | undefined
  declare readonly replay: Operation['replay'] | undefined
  declare readonly callId: string | undefined
  declare readonly headers: Headers | undefined
  /** Whether the service did the work. */
  declare readonly outcome: CallOutcome

  constructor(
    kind: Kind,
    sentence: Sentence,
    context: ErrorContext,
    outcome: CallOutcome,
    details?: Pick<ResponseDetails, 'cause'>,
  ) {
    super(`${context.operation}: ${sentence || kind}`, details)
    const { operation, attempts, method, replay, callId, headers, previousOutcome } = context
    // If this request did nothing, an earlier one of the call may have done the work.
    const ofAllRequests = outcome === 'not-applied' ? (previousOutcome ?? outcome) : outcome
    const ofCall = method === 'GET' || attempts === 0 ? 'not-applied' : ofAllRequests
    Object.assign(this, { kind, operation, attempts, method, replay, callId, headers, outcome: ofCall })
  }

  /** For logs: without cause, stack and headers, which may hold data of others. */
  toJSON(): Record<string, unknown> {
    const { name, kind, message, operation, attempts, outcome, callId } = this
    return { name, kind, message, operation, attempts, outcome, callId }
  }
}
// On the prototype, so that inspecting an error does not print it.
Object.defineProperty(BaseError.prototype, brand, { value: true })

/** What an error with a status carries. */
export interface ResponseDetails<Status = number> {
  /** The HTTP status; 0 for a redirect that a browser hides. */
  readonly status: Status
  /** The service's Error body, if it sent a valid one. */
  readonly body: ErrorBody | undefined
  /** The `message` or `detail` of a JSON body, also of one that is not a complete Error body. */
  readonly serviceMessage?: string | undefined
  /** When the service accepts requests again (epoch ms), if its `Retry-After` says so. */
  readonly retryAt?: number | undefined
  /** What the app's code threw, if there is no response. */
  readonly cause?: unknown
}

abstract class StatusError<Kind extends string, Status extends number | undefined = number> extends BaseError<Kind> {
  /** The HTTP status; `undefined` if nothing was sent. */
  declare readonly status: Status
  /** The service's Error body, if it sent a valid one. */
  declare readonly body: ErrorBody | undefined
  /** The service's own message, if its response has one, also without a complete Error body. */
  declare readonly serviceMessage: string | undefined
  /** When the service accepts requests again (epoch ms), if its `Retry-After` says so. */
  declare readonly retryAt: number | undefined

  constructor(
    kind: Kind,
    sentence: Sentence,
    context: ErrorContext,
    response: ResponseDetails<Status>,
    outcome: CallOutcome,
  ) {
    const { status, body, serviceMessage = body?.message, retryAt } = response
    const code = body ? ` (${body.code})` : ''
    const quote = serviceMessage === undefined ? '' : ` The service says: ${serviceMessage}${code}`
    super(kind, (sentence || `${kind} (${status})`) + quote, context, outcome, response)
    Object.assign(this, { status, body, serviceMessage, retryAt })
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, code: this.body?.code, retryAt: this.retryAt }
  }
}

/** 400: the request lacked a required field or held an invalid value. */
export class BadRequestError extends StatusError<'bad-request'> {
  override readonly name = 'BadRequestError'

  constructor(context: ErrorContext, response: ResponseDetails) {
    const sentence = isDevelopment && 'The service refused the request as invalid (400).'
    super('bad-request', sentence, context, response, 'not-applied')
  }
}

/** Why the app gave no usable key. */
interface UnusableKey extends Pick<ResponseDetails, 'cause'> {
  /** A sentence for developers, without the key. */
  readonly problem: string
}

/** 401: the API key is missing or invalid. Or the app gave no usable key and nothing was sent (`status` undefined). */
export class AuthenticationError extends StatusError<'authentication', number | undefined> {
  override readonly name = 'AuthenticationError'

  constructor(context: ErrorContext, reason: ResponseDetails | UnusableKey) {
    const sentence = 'problem' in reason ? reason.problem : isDevelopment && 'The API key is missing or invalid (401).'
    super('authentication', sentence, context, { status: undefined, body: undefined, ...reason }, 'not-applied')
  }
}

/** 429: the key's request limit is reached. Or the call would have waited longer than `maxWait` and was not sent. */
export class RateLimitError extends StatusError<'rate-limit', 429> {
  override readonly name = 'RateLimitError'
  /** 429 also if the gate refused the call and nothing was sent. */
  declare readonly status: 429
  /** When a request can leave again (epoch ms of this machine's clock). */
  declare readonly retryAt: number

  constructor(context: ErrorContext, retryAt: number, body?: ErrorBody) {
    const sentence = isDevelopment && `The rate limit is used up. Not before ${new Date(retryAt).toISOString()}.`
    super('rate-limit', sentence, context, { status: 429, body, retryAt }, 'not-applied')
  }
}

/** 5xx: the service failed. It may have done the work first. */
export class ServerError extends StatusError<'server'> {
  override readonly name = 'ServerError'

  constructor(context: ErrorContext, response: ResponseDetails) {
    super('server', isDevelopment && `The service failed (${response.status}).`, context, response, 'unknown')
  }
}

/** A status that the operation does not document. */
export class UnexpectedStatusError extends StatusError<'unexpected-status'> {
  override readonly name = 'UnexpectedStatusError'

  constructor(context: ErrorContext, response: ResponseDetails) {
    const { status } = response
    const isRedirect = status === 0 || (status >= 300 && status < 400)
    const what = isRedirect ? 'a redirect, which is never followed' : `the status ${status}`
    const sentence = isDevelopment && `The service responded with ${what}.`
    // A redirect may follow work that was done (303), and a browser hides which redirect it is. An undocumented success may
    // come from another server, such as a captive portal.
    const outcome = status < 400 ? 'unknown' : 'not-applied'
    super('unexpected-status', sentence, context, response, outcome)
  }
}

abstract class ValidationError<Kind extends string> extends BaseError<Kind> {
  /** One entry for each problem. */
  declare readonly issues: readonly Issue[]

  constructor(kind: Kind, sentence: Sentence, context: ErrorContext, issues: readonly Issue[], outcome: CallOutcome) {
    const plain = plainIssues(issues)
    super(kind, `${sentence || kind}: ${describeIssues(plain)}`, context, outcome)
    this.issues = plain
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues }
  }
}

/** A success whose body does not match the operation. */
export class ResponseValidationError extends ValidationError<'response-validation'> {
  override readonly name = 'ResponseValidationError'
  /**
   * `not-json`: the body is not JSON, for example cut short; `too-large`: it has more bytes than `maxResponseSize`
   * allows; `wrong-shape`: the operation's schema refused it.
   */
  readonly problem: 'not-json' | 'too-large' | 'wrong-shape'

  constructor(
    context: ErrorContext,
    issues: readonly Issue[],
    problem: ResponseValidationError['problem'] = 'wrong-shape',
    outcome: CallOutcome = 'applied',
  ) {
    const sentence = isDevelopment && 'The response is not what the operation promises'
    super('response-validation', sentence, context, issues, outcome)
    this.problem = problem
  }
}

/** The input is invalid. Nothing was sent. */
export class InputValidationError extends ValidationError<'input-validation'> {
  override readonly name = 'InputValidationError'

  constructor(context: ErrorContext, issues: readonly Issue[]) {
    super('input-validation', isDevelopment && 'The input is not valid', context, issues, 'not-applied')
  }
}

/** No response: the network failed, or the browser hid it from the page (CORS). The request may have arrived. */
export class NetworkError extends BaseError<'network'> {
  override readonly name = 'NetworkError'

  constructor(context: ErrorContext, cause: unknown, outcome: CallOutcome = 'unknown') {
    super('network', isDevelopment && 'No response from the service (network failure).', context, outcome, { cause })
  }
}

/** No response within `timeout` ms. The request may have arrived. */
export class TimeoutError extends BaseError<'timeout'> {
  override readonly name = 'TimeoutError'
  /** The time allowed, in ms. */
  readonly timeout: number

  constructor(context: ErrorContext, timeout: number) {
    super('timeout', isDevelopment && `No response within ${timeout} ms.`, context, 'unknown')
    this.timeout = timeout
  }
}

/** Any error of a failed call; `switch (error.kind)` is exhaustive. A canceled call rejects with an `AbortError` instead. */
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

/** Recognizes errors of this package by a symbol that all copies of the package on a page share. */
export function isPetstoreError(error: unknown): error is PetstoreError {
  return error instanceof Error && brand in error
}

type PlainIssue = Pick<Issue, 'message'> & { readonly path: readonly PropertyKey[] }

/** Keeps only the messages and paths of issues: a schema library may add the refused values. */
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

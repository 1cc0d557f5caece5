import type { CallSignal } from '../base/abort.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Priority } from '../rate-limit/gate.ts'
import type { RateLimitHeaders } from '../rate-limit/rateLimitHeaders.ts'
import type { CallWait } from '../rate-limit/pendingRequest.ts'
import { createRedact } from './apiKey.ts'
import type { ErrorContext, PetstoreError } from './errors.ts'

/**
 * One call as it enters the steps. Each step adds what it has found out to this same object: with thousands of calls
 * waiting, copies would use most of the memory. Only `retry` copies it, once for each further attempt.
 */
export interface Call {
  /** Identifies the call in its events. Callers that share a request share the id of the first one. */
  readonly id: string
  readonly operation: Operation
  /** The value that the caller passed. */
  readonly input: unknown
  /** Aborted when nobody waits for the result any more. */
  readonly signal: CallSignal
  /** Rises from `background` to `user` when a person joins the call. */
  readonly priority: () => Priority
  /** Calls `listener` when the priority rises, until the returned function is called. */
  readonly onPriorityChange: (listener: () => void) => () => void
  readonly onWait: (wait: CallWait | undefined) => void
  /** Epoch ms. */
  readonly startedAt: number
  /** The latest time a request of this call may leave, in ms of the monotonic clock. */
  readonly deadline: number
  /** How many requests have left for this call. */
  readonly attempts: number
  /** Why the attempt before failed; `undefined` for the first. */
  readonly previousError?: PetstoreError | undefined
  /** Calls of different scopes share no request and no response. */
  readonly scope?: string | undefined
  /** The user whose share of the quota the call uses, where a server's client works for several. */
  readonly userId?: string | undefined
  /** Further headers of its requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Position among all calls of the client: of two calls with the same priority, the earlier one leaves first. */
  readonly order: number
  /** The API key, if the caller has read it already. If not, `dedupe` reads it. */
  readonly key?: string | undefined
}

/** After `validateInput`: the request is known. */
export interface ValidCall extends Call {
  readonly request: {
    /** Absolute address. */
    readonly url: string
    readonly method: string
    /** JSON text, or the bytes of a `gatedFetch` call; `undefined` where the request has no body. */
    readonly body: string | ArrayBuffer | undefined
    /** The app's headers in a `gatedFetch` call, whose response is returned as bytes; else `undefined`. */
    readonly headers?: Headers
  }
}

/** After `dedupe`, which reads the API key. After `retry`, one attempt: `authorize` reads the key again for it. */
export interface KeyedCall extends ValidCall {
  /** `undefined` where a handler on a server adds it. */
  readonly key: string | undefined
}

/** Reads the API key for a call. Rejects when the call is aborted. */
export type ReadKey = (call: Call) => string | undefined | Promise<string | undefined>

/** The part of a response that arrives before its body. */
export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly rateLimitHeaders: RateLimitHeaders
  /** Whether the response came from another origin: a page then reads only the headers that the service exposes. */
  readonly isCrossOrigin: boolean
}

/** After `rateLimit`: the request may leave. */
export interface AdmittedAttempt extends KeyedCall {
  /** Epoch ms. */
  readonly sentAt: number
  /** How long the request waited at the gate, in ms. */
  readonly waited: number
  /**
   * Tells the gate, exactly once, how the request ended: with the head of its response, or with `undefined`. Then the
   * connection has failed, unless `isEndUnknown`. If the head is a refusal, resolves once the gate has stored it.
   */
  readonly report: (head: ResponseHead | undefined, isEndUnknown?: boolean) => Promise<void>
  /** When the service accepts this call again (epoch ms). Known after `report`. */
  readonly retryAt: () => number | undefined
}

/** After `transport`: the service has responded. */
export interface RespondedAttempt extends AdmittedAttempt {
  readonly response: ResponseHead & {
    /** When its head arrived, in epoch ms. */
    readonly receivedAt: number
    /** The body; `undefined` if it is too large, or if it is that of an error and did not arrive soon. */
    readonly text: string | undefined
    /** The body as bytes, only in a `gatedFetch` call, which has no `text`. */
    readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  }
}

/** The facts that errors tell about the call so far, and about the response, if there is one. */
export function errorContext(
  { id, operation, attempts, key, previousError }: Call,
  response?: Pick<Response, 'headers'>,
): ErrorContext {
  const { name, method, replay } = operation
  return {
    operation: name,
    attempts,
    method,
    replay,
    callId: id,
    headers: response && shownHeaders(response, key),
    previousOutcome: previousError?.outcome,
  }
}

/** The headers without the API key, which the service may repeat, and without cookies, which only servers can read. */
function shownHeaders({ headers }: Pick<Response, 'headers'>, key: string | undefined): Headers {
  const redact = createRedact(key)
  // Header names are in lower case. A header whose name holds the key is left out: a name cannot hold the placeholder.
  const redactName = createRedact(key?.toLowerCase())
  const shown = [...headers].filter(([name]) => name !== 'set-cookie' && redactName(name) === name)
  return new Headers(shown.map(([name, value]) => [name, redact(value)]))
}

/** Equal for GETs of the same operation, address, key and scope. Holds the key, so it never leaves the client. */
export function requestIdentity({ operation, request, key, scope }: KeyedCall): string {
  return `${operation.name} ${request.url} ${key} ${scope}`
}

/** Does its part of a call before and after `await next(call)`, which resolves with the result of the last step. */
export type Step<In extends Call, Out extends Call> = (
  call: In,
  next: (call: Out) => Promise<unknown>,
) => Promise<unknown>

/** Steps in the order in which a call takes them. The types check it: a step needs the fields that earlier ones add. */
interface Steps<In extends Call, Out extends Call> {
  readonly to: <Next extends Call>(step: Step<Out, Next>) => Steps<In, Next>
  /** Makes one function of all steps and `last`: each step gets the rest as its `next`. */
  readonly end: (last: (call: Out) => Promise<unknown>) => (call: In) => Promise<unknown>
}

/** Begins the list of steps with `first`. */
export function chainSteps<In extends Call, Out extends Call>(first: Step<In, Out>): Steps<In, Out> {
  return stepsOf((last) => (call) => first(call, last))
}

/** Joins the steps once for all calls, so that no call creates functions for it. */
function stepsOf<In extends Call, Out extends Call>(end: Steps<In, Out>['end']): Steps<In, Out> {
  return {
    to: (step) => stepsOf((last) => end((call) => step(call, last))),
    end,
  }
}

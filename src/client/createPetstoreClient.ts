import type { Category, NewCategory } from '../contract/category.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Message, NewMessage } from '../contract/message.ts'
import { operations } from '../contract/operations.ts'
import { isDevelopment, usageError } from '../contract/usageError.ts'
import { type Clock, systemClock } from '../rate-limit/Clock.ts'
import type { Priority } from '../rate-limit/gate.ts'
import { type Plan, paceOf } from '../rate-limit/plan.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import { type ApiKey, createKeyring } from './apiKey.ts'
import { absoluteUrl, type Addresses, checkBaseUrl } from './baseUrl.ts'
import { callApp } from './callApp.ts'
import { createAnswerMemory } from './answerMemory.ts'
import { type ClientRateLimit, createClientRateLimit } from './clientRateLimit.ts'
import { announceLifecycle } from './announceLifecycle.ts'
import { developmentWarning } from './developmentWarning.ts'
import { type ErrorContext, InputValidationError } from './errors.ts'
import type { EventDetails, PetstoreEvent } from './PetstoreEvent.ts'
import { type CallEnvironment, performCall } from './performCall.ts'
import { requestParts } from './requestParts.ts'
import { type RetryOptions, readRetryOptions } from './retry.ts'
import { shareCalls } from './shareCalls.ts'
import { untilAborted } from './untilAborted.ts'

/** How to reach the service. */
export interface PetstoreClientOptions {
  /**
   * The address of the service, production or staging, or a root-relative path to a forwarding server of your own.
   * Ends with `/v1` (interface document, "Endpoints").
   */
  readonly baseUrl: string
  /** The separate address of the quickstart request, needed by `sendMessage`. Need not end with `/v1`. */
  readonly quickstartBaseUrl?: string | undefined
  /**
   * The API key, or a function that gives it, asked for each call, again before a retry, and once when a key was
   * refused. Sent in the Authorization header, to the two addresses only. Leave it out where a forwarding server adds
   * the key.
   */
  readonly apiKey?: ApiKey | undefined
  /** When and how long calls are tried again. */
  readonly retry?: RetryOptions | undefined
  /** How long one request may take, in ms, its body included. Default 30,000; `Infinity` for no bound. */
  readonly timeout?: number | undefined
  /**
   * How large one answer may be, in bytes of its body after decompression. Default 100,000,000; `Infinity` for no bound.
   * A larger one is cut off (a page does not take it into its memory), and is a `response-validation` error with the
   * problem `too-large`.
   */
  readonly maxResponseSize?: number | undefined
  /** Used instead of the global `fetch`; takes a `Request`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * The key's plan: how fast to send while the service's own rate-limit headers cannot be read. Default: the smallest,
   * `free`, 60 requests a minute.
   */
  readonly plan?: Plan | undefined
  /**
   * Where the state of the rate limit is kept. Default: in a browser one that all tabs share and that outlives a
   * reload; elsewhere one for the process.
   */
  readonly rateLimitStore?: RateLimitStore | undefined
  /**
   * Names the part of the SWR cache that holds what this client was answered. Default: random, so that nobody else's
   * data is met there. Give one where data comes prepared from a server, or where the person behind an `apiKey`
   * function changes; it must be another for each person, and must not tell the key.
   */
  readonly cacheScope?: string | undefined
  /** Told what happens, for logs and measurements. */
  readonly onEvent?: ((event: PetstoreEvent) => void) | undefined
}

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason (by default an `AbortError`). */
  readonly signal?: AbortSignal | undefined
  /** Default `user`. `background` lets people go first and leaves them a tenth of the quota. */
  readonly priority?: Priority | undefined
  /**
   * Told until when the rate limit holds the call back, in epoch ms, whenever that becomes later; with `undefined` when
   * the wait is over and the request leaves.
   */
  readonly onWait?: ((until: number | undefined) => void) | undefined
}

/** The arguments after the operation: its input may be left out where it takes none. */
export type CallArguments<Input> = undefined extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions]

/** A client for one service under one key. Every method rejects with a `PetstoreError`, or an `AbortError`. */
export interface PetstoreClient {
  /** All categories, as the service orders them. */
  readonly listCategories: (options?: CallOptions) => Promise<readonly Category[]>
  /** Creates a category; the service assigns its id. */
  readonly createCategory: (newCategory: NewCategory, options?: CallOptions) => Promise<Category>
  /** Sends a message. The result says how it was taken: `queued` is not delivered. */
  readonly sendMessage: (newMessage: NewMessage, options?: CallOptions) => Promise<Message>
  /** Any operation, also your own (`defineOperation`). Identical GETs at the same time share one request. */
  readonly call: <Input, Output>(
    operation: Operation<Input, Output>,
    ...rest: CallArguments<NoInfer<Input>>
  ) => Promise<Output>
  /** What is known of the key's quota. */
  readonly rateLimit: ClientRateLimit
  /** The part of the SWR cache that is this client's. */
  readonly cacheScope: string
  /** Cancels all that is under way. The client can still be used: the next call opens it again. */
  readonly close: () => void
}

/**
 * A client for the Petstore service. Nothing happens before the first call. All clients of the same address and key
 * send through one gate: after a 429 none of them sends anything before the time that the service has named.
 *
 * @throws TypeError when an address or option cannot be used, saying what to write instead
 */
export function createPetstoreClient(options: PetstoreClientOptions): PetstoreClient {
  return createPetstoreClientOn({ clock: systemClock, random: Math.random }, options)
}

const hiddenHeaders =
  'The rate-limit headers of the service cannot be read by this page, so requests are sent at the pace of the plan. ' +
  'Have the service answer with "Access-Control-Expose-Headers: X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, Retry-After, Date".'

/** What a client takes from the machine it runs on. */
export interface Platform {
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
}

export function createPetstoreClientOn({ clock, random }: Platform, options: PetstoreClientOptions): PetstoreClient {
  const { timeout = 30_000, maxResponseSize, fetch = (request) => globalThis.fetch(request), onEvent } = options
  const addresses: Addresses = {
    service: checkBaseUrl(options.baseUrl, 'baseUrl', '/v1'),
    quickstart:
      options.quickstartBaseUrl === undefined
        ? undefined
        : checkBaseUrl(options.quickstartBaseUrl, 'quickstartBaseUrl', ''),
  }
  if (!(timeout > 0)) throw usageError('timeout', isDevelopment && 'is a number of milliseconds above 0, or Infinity.')
  if (maxResponseSize !== undefined && !(maxResponseSize > 0)) {
    throw usageError('maxResponseSize', isDevelopment && 'is a number of bytes above 0, or Infinity.')
  }
  const retry = readRetryOptions(options.retry)
  const { limiterFor, ...rateLimit } = createClientRateLimit(
    {
      address: addresses.service,
      store: options.rateLimitStore,
      pace: paceOf(options.plan),
      clock,
      random,
      warn: developmentWarning,
    },
    options.apiKey,
  )
  const sharing = shareCalls()
  let closing = new AbortController()
  let calls = 0
  let isLimited = false

  const emit = (operation: string, details: EventDetails) => {
    callApp(onEvent, { at: clock.now(), operation, ...details })
    if (details.type === 'rate-limited') isLimited = true
    if (isLimited && details.type === 'response' && details.status !== 429) {
      isLimited = false
      emit(operation, { type: 'recovered' })
    }
  }
  const environment: CallEnvironment = {
    fetch,
    clock,
    random,
    retry,
    timeout,
    maxResponseSize,
    emit,
    keyring: createKeyring(options.apiKey),
    limiterFor,
    answers: createAnswerMemory(),
    onAnswer: (operation, { isCrossOrigin, headers }, { remaining }) => {
      if (process.env.NODE_ENV !== 'production') {
        if (isCrossOrigin && remaining === undefined) developmentWarning(hiddenHeaders)
        announceLifecycle(operation, headers)
      }
    },
  }

  async function call<Input, Output>(
    operation: Operation<Input, Output>,
    ...[input, { signal, priority = 'user', onWait } = {}]: CallArguments<Input>
  ): Promise<Output> {
    const order = calls++
    const { method } = operation
    const base = addresses[operation.base]
    if (base === undefined) {
      throw usageError(operation.name, isDevelopment && 'goes to the quickstart address: set quickstartBaseUrl.')
    }
    const answered = untilAborted([closing.signal, signal], async (ended) => {
      const context = { operation: operation.name, attempts: 0 }
      const { target, body } = requestParts(operation, await checkInput(operation, input, context), context)
      const url = absoluteUrl(base + target)
      const identity = method === 'GET' ? `${operation.name} ${url}` : undefined
      const caller = { signal: ended, priority, onWait: (until: number | undefined) => callApp(onWait, until) }
      return sharing.call(identity, operation.output, caller, (callers) =>
        performCall({ operation, identity, request: { url, method, body }, order }, callers, environment),
      )
    })
    // A list that was asked for before a change may not show it: who asks after the change must not join.
    return method === 'GET' ? answered : answered.finally(sharing.separate)
  }

  return {
    call,
    listCategories: (callOptions) => call(operations.listCategories, undefined, callOptions),
    createCategory: (newCategory, callOptions) => call(operations.createCategory, newCategory, callOptions),
    sendMessage: (newMessage, callOptions) => call(operations.sendMessage, newMessage, callOptions),
    rateLimit,
    cacheScope: options.cacheScope ?? random().toString(36).slice(2),
    close: () => {
      closing.abort()
      closing = new AbortController()
    },
  }
}

async function checkInput(operation: Operation, input: unknown, context: ErrorContext): Promise<unknown> {
  if (!operation.input) return undefined
  const result = await operation.input['~standard'].validate(input)
  if (result.issues) throw new InputValidationError(context, result.issues)
  return result.value
}

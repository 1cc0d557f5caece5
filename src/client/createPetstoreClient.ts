import type { Operation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { configError, isDevelopment } from '../contract/configError.ts'
import { type Clock, systemClock } from '../rate-limit/Clock.ts'
import { paceOf } from '../rate-limit/plan.ts'
import { createApiKeySource } from './apiKey.ts'
import { absoluteUrl, type Addresses, checkBaseUrl } from './baseUrl.ts'
import { invokeCallback } from './invokeCallback.ts'
import { createResponseCache } from './responseCache.ts'
import { createClientRateLimit } from './clientRateLimit.ts'
import { warnDeprecation } from './warnDeprecation.ts'
import { developmentWarning } from './developmentWarning.ts'
import { type ErrorContext, InputValidationError } from './errors.ts'
import type { EventDetails } from './PetstoreEvent.ts'
import { type ClientContext, performCall } from './performCall.ts'
import type { CallArguments, PetstoreClient } from './PetstoreClient.ts'
import type { PetstoreClientOptions } from './PetstoreClientOptions.ts'
import { buildRequest } from './buildRequest.ts'
import { readRetryOptions } from './retry.ts'
import { createDedupe } from './dedupe.ts'
import { withAbort } from './withAbort.ts'

/**
 * A client for the Petstore service. Nothing happens before the first call. All clients of the same address and key
 * send through one gate: after a 429 none of them sends anything before the time that the service has named.
 *
 * @throws TypeError when an address or option cannot be used, saying what to write instead
 */
export function createPetstoreClient(options: PetstoreClientOptions): PetstoreClient {
  return createClientWith({ clock: systemClock, random: Math.random }, options)
}

const hiddenHeaders =
  'The rate-limit headers of the service cannot be read by this page, so requests are sent at the pace of the plan. ' +
  'Have the service response with "Access-Control-Expose-Headers: X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, Retry-After, Date".'

/** What a client takes from the machine it runs on. */
export interface Runtime {
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
}

export function createClientWith({ clock, random }: Runtime, options: PetstoreClientOptions): PetstoreClient {
  const { timeout = 30_000, maxResponseSize, fetch = (request) => globalThis.fetch(request), onEvent } = options
  const addresses: Addresses = {
    service: checkBaseUrl(options.baseUrl, 'baseUrl', '/v1'),
    quickstart:
      options.quickstartBaseUrl === undefined
        ? undefined
        : checkBaseUrl(options.quickstartBaseUrl, 'quickstartBaseUrl', ''),
  }
  if (!(timeout > 0)) throw configError('timeout', isDevelopment && 'is a number of milliseconds above 0, or Infinity.')
  if (maxResponseSize !== undefined && !(maxResponseSize > 0)) {
    throw configError('maxResponseSize', isDevelopment && 'is a number of bytes above 0, or Infinity.')
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
  const sharing = createDedupe()
  let closing = new AbortController()
  let calls = 0
  let isLimited = false

  const emit = (operation: string, details: EventDetails) => {
    invokeCallback(onEvent, { at: clock.now(), operation, ...details })
    if (details.type === 'rate-limited') isLimited = true
    if (isLimited && details.type === 'response' && details.status !== 429) {
      isLimited = false
      emit(operation, { type: 'recovered' })
    }
  }
  const environment: ClientContext = {
    fetch,
    clock,
    random,
    retry,
    timeout,
    maxResponseSize,
    emit,
    apiKeySource: createApiKeySource(options.apiKey),
    limiterFor,
    responses: createResponseCache(),
    onResponse: (operation, { isCrossOrigin, headers }, { remaining }) => {
      if (process.env.NODE_ENV !== 'production') {
        if (isCrossOrigin && remaining === undefined) developmentWarning(hiddenHeaders)
        warnDeprecation(operation, headers)
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
      throw configError(operation.name, isDevelopment && 'goes to the quickstart address: set quickstartBaseUrl.')
    }
    const result = withAbort([closing.signal, signal], async (ended) => {
      const context = { operation: operation.name, attempts: 0 }
      const { target, body } = buildRequest(operation, await checkInput(operation, input, context), context)
      const url = absoluteUrl(base + target)
      const identity = method === 'GET' ? `${operation.name} ${url}` : undefined
      const caller = { signal: ended, priority, onWait: (until: number | undefined) => invokeCallback(onWait, until) }
      return sharing.call(identity, operation.output, caller, (callers) =>
        performCall({ operation, identity, request: { url, method, body }, order }, callers, environment),
      )
    })
    // A list that was asked for before a change may not show it: who asks after the change must not join.
    return method === 'GET' ? result : result.finally(sharing.separate)
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

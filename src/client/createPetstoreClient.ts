import type { Operation } from '../contract/defineOperation.ts'
import { documentedOperations } from '../contract/operations.ts'
import { type Clock, systemClock } from '../base/Clock.ts'
import { isDevelopment } from '../base/development.ts'
import { invokeCallback } from '../base/listeners.ts'
import { type ApiKeySource, createApiKeySource } from './apiKey.ts'
import { type Call, errorContext, type RespondedAttempt } from './Call.ts'
import { chainSteps } from './chainSteps.ts'
import { createClientRateLimit } from './clientRateLimit.ts'
import type { CreateQueue } from '../rate-limit/rateLimiter.ts'
import { createEvents } from './PetstoreEvent.ts'
import { isPetstoreError } from './errors.ts'
import type { BeginCall } from './gatedFetch.ts'
import { generateScope } from './cacheKey.ts'
import type {
  CallArguments,
  CallOptions,
  KeyedCallOptions,
  OperationMethods,
  PetstoreClient,
} from './PetstoreClient.ts'
import { type PetstoreClientOptions, readClientOptions } from './PetstoreClientOptions.ts'
import { randomId } from '../base/ids.ts'
import { createResponseCache } from './responseCache.ts'
import { authorize } from './steps/authorize.ts'
import { dedupe } from './steps/dedupe.ts'
import { parseResponse } from './steps/parseResponse.ts'
import { rateLimit } from './steps/rateLimit.ts'
import { reportSettled } from './steps/reportSettled.ts'
import { retry } from './steps/retry.ts'
import { transport } from './steps/transport.ts'
import { validateInput } from './steps/validateInput.ts'
import { CallController, followSignal, untilAborted } from '../base/abort.ts'

/**
 * A client for the Petstore service. Sends nothing before the first call. All clients of the same address and key share
 * one gate: after a 429 none of them sends anything before the time the service has named.
 *
 * @throws TypeError when an address or option cannot be used, saying what to write instead
 */
export function createPetstoreClient(options: PetstoreClientOptions): PetstoreClient {
  return createClientWith({ clock: systemClock, random: Math.random }, options)
}

/** The parts of its machine that a client uses. */
export interface Runtime {
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
  /** Creates the queue at the gate of a key. Default: calls leave in the order in which they were made. */
  readonly createQueue?: CreateQueue | undefined
}

/** The clients that cannot send messages, in development: by their rate limit, which copies of a client have too. */
export const clientsWithoutQuickstart =
  isDevelopment && process.env.NODE_ENV !== 'production' ? new WeakSet<PetstoreClient['rateLimit']>() : undefined

/** A client whose calls may bring a key that was read before them. */
export interface KeyedClient extends PetstoreClient {
  readonly call: <Input, Output>(
    operation: Operation<Input, Output>,
    ...rest: CallArguments<NoInfer<Input>, KeyedCallOptions>
  ) => Promise<Output>
}

/** Called with each response that has become a result, and with the result. */
export type OnResult = (attempt: RespondedAttempt, result: unknown) => void

/** @param givenKeys - instead of the key of the options */
export function createClientWith(
  runtime: Runtime,
  options: PetstoreClientOptions,
  givenKeys?: ApiKeySource,
  onResult?: OnResult,
): KeyedClient {
  const settings = { ...readClientOptions(options), ...runtime }
  const { addresses, timeout, clock, random } = settings
  const apiKeys = givenKeys ?? createApiKeySource(options.apiKey, timeout, clock)
  const { subscribe, ...events } = createEvents(clock, options.onEvent)
  const shared = { ...options, ...settings, ...events, apiKeys }
  const { limiterFor, ...clientRateLimit } = createClientRateLimit(shared)
  /** Those of the calls that are under way. */
  const aborts = new Set<{ readonly abort: (reason: unknown) => void }>()
  /** Why the calls were aborted that `close` has canceled last. */
  let closeReason: unknown
  const isClosing = (reason: unknown) => reason !== undefined && reason === closeReason
  const parse = parseResponse(createResponseCache(settings.responseCacheSize))
  let calls = 0

  const sending = chainSteps(reportSettled(shared))
    .to(retry(shared))
    .to(authorize(apiKeys))
    .to(rateLimit({ ...shared, limiterFor }))
    .to(transport({ ...shared, isClosing }))
  const perform = chainSteps(validateInput(addresses))
    .to(dedupe(apiKeys))
    .end(
      sending.end(async (attempt) => {
        const result = await untilAborted(attempt.signal, () => parse(attempt))
        onResult?.(attempt, result)
        return result
      }),
    )

  const begin: BeginCall = (operation, givenInput, callOptions, steps) => {
    const { signal, priority, onWait, scope, user, key } = callOptions
    const controller = new CallController()
    const stopFollowing = signal ? followSignal(signal, controller) : nothing
    aborts.add(controller)
    return steps({
      id: randomId(random),
      operation,
      givenInput,
      input: givenInput,
      signal: controller,
      priority: priority === 'background' ? inBackground : forUser,
      onPriorityChange: neverChanges,
      onWait: onWait ? (...wait) => invokeCallback(onWait, ...wait) : nothing,
      startedAt: clock.now(),
      deadline: clock.monotonic() + settings.retry.maxWait,
      attempts: 0,
      order: calls++,
      scope,
      user,
      key,
    }).then(
      (result) => {
        end(controller, stopFollowing)
        return result
      },
      (error: unknown) => {
        end(controller, stopFollowing)
        if (isPetstoreError(error)) showCallerInStack(error)
        throw error
      },
    )
  }

  function end(controller: CallController, stopFollowing: () => void): void {
    aborts.delete(controller)
    stopFollowing()
  }

  function call<Input, Output>(
    operation: Operation<Input, Output>,
    ...[input, callOptions = {}]: CallArguments<Input, KeyedCallOptions>
  ): Promise<Output> {
    const result = begin(operation, input, callOptions, perform)
    // `parseResponse` returns what `operation.output` made of the response.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return result as Promise<Output>
  }

  const readKey = async (begun: Call) => untilAborted(begun.signal, () => apiKeys.read(errorContext(begun)))

  if (isDevelopment && process.env.NODE_ENV !== 'production' && addresses.quickstart === undefined)
    clientsWithoutQuickstart?.add(clientRateLimit)
  return {
    call,
    ...operationMethods(call),
    fetch: async (...request) => {
      const controller = new AbortController()
      aborts.add(controller)
      try {
        const { createGatedFetch } = await import('./gatedFetch.ts')
        const { signal: closed } = controller
        return await createGatedFetch({ addresses, begin, steps: sending, readKey, closed })(...request)
      } finally {
        aborts.delete(controller)
      }
    },
    rateLimit: clientRateLimit,
    subscribe,
    cacheScope: options.cacheScope ?? generateScope(),
    close: () => {
      closeReason = AbortSignal.abort().reason
      for (const controller of aborts) controller.abort(closeReason)
    },
  }
}

/* Those of most calls, once for all: thousands may wait. */
const forUser = () => 'user' as const
const inBackground = () => 'background' as const
const nothing = () => {}
const neverChanges = () => nothing

/** One method for each documented operation: `(input, options)`, or `(options)` where it takes no input. */
export function operationMethods(call: PetstoreClient['call']): OperationMethods {
  const methods = Object.values<Operation>(documentedOperations).map((operation) => [
    operation.name,
    operation.input
      ? (input: unknown, options?: CallOptions) => call(operation, input, options)
      : (options?: CallOptions) => call(operation, undefined, options),
  ])
  // TypeScript cannot follow the names through `fromEntries`; `calls.test-d.ts` and the exchanges check them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(methods) as OperationMethods
}

/** Engines keep ten frames, which the steps would fill: the app needs those of its own code. */
function showCallerInStack(error: Error): void {
  if ('captureStackTrace' in Error) Error.captureStackTrace(error, showCallerInStack)
}

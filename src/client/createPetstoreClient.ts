import type { Operation } from '../contract/defineOperation.ts'
import { documentedOperations } from '../contract/operations.ts'
import { type Clock, systemClock } from '../base/Clock.ts'
import { createListeners, invokeCallback } from '../base/listeners.ts'
import { type ApiKeySource, createApiKeySource } from './apiKey.ts'
import { chainSteps } from './chainSteps.ts'
import { createClientRateLimit } from './clientRateLimit.ts'
import { createEvents } from './PetstoreEvent.ts'
import { isPetstoreError } from './errors.ts'
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
import { withAbort } from '../base/abort.ts'

/**
 * A client for the Petstore service. Sends nothing before the first call. All clients of the same address and key share
 * one gate: after a 429 none of them sends anything before the time the service has named.
 *
 * @throws TypeError when an address or option cannot be used, saying what to write instead
 */
export function createPetstoreClient(options: PetstoreClientOptions): PetstoreClient {
  return createClientWith({ clock: systemClock, random: Math.random }, options)
}

/** What a client takes from the machine it runs on. */
export interface Runtime {
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
}

/** A client whose calls may bring a key that was read before them. */
export interface KeyedClient extends PetstoreClient {
  readonly call: <Input, Output>(
    operation: Operation<Input, Output>,
    ...rest: CallArguments<NoInfer<Input>, KeyedCallOptions>
  ) => Promise<Output>
}

/** @param givenKeys - instead of the key of the options */
export function createClientWith(
  { clock, random }: Runtime,
  options: PetstoreClientOptions,
  givenKeys?: ApiKeySource,
): KeyedClient {
  const settings = readClientOptions(options)
  const { addresses, timeout } = settings
  const apiKeys = givenKeys ?? createApiKeySource(options.apiKey, timeout, clock)
  const { emit, publish, subscribe } = createEvents(clock, options.onEvent)
  const rateLimitOptions = { ...options, ...settings, apiKeys, clock, random, publish }
  const { limiterFor, ...clientRateLimit } = createClientRateLimit(rateLimitOptions)
  const closing = createListeners()
  let calls = 0

  const perform = chainSteps(validateInput(addresses))
    .to(dedupe(apiKeys))
    .to(reportSettled({ clock, emit }))
    .to(retry({ ...settings, clock, random }))
    .to(authorize(apiKeys))
    .to(rateLimit({ limiterFor, timeout, clock, emit }))
    .to(transport({ ...settings, clock, emit }))
    .end(parseResponse(createResponseCache(settings.responseCacheSize)))

  async function call<Input, Output>(
    operation: Operation<Input, Output>,
    ...[input, { signal, priority = 'user', scope, onWait, key } = {}]: CallArguments<Input, KeyedCallOptions>
  ): Promise<Output> {
    const order = calls++
    const deadline = clock.monotonic() + settings.retry.maxWait
    let stopListening = () => {}
    try {
      const result = await withAbort(signal, (ended, abort) => {
        stopListening = closing.add(abort)
        return perform({
          id: randomId(random),
          operation,
          input,
          signal: ended,
          priority: () => priority,
          onPriorityChange: () => () => {},
          onWait: (...wait) => invokeCallback(onWait, ...wait),
          startedAt: clock.now(),
          deadline,
          attempts: 0,
          scope,
          order,
          key,
        })
      })
      // `parseResponse` returns what `operation.output` made of the response.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return result as Output
    } catch (error) {
      if (isPetstoreError(error)) showCallerInStack(error)
      throw error
    } finally {
      stopListening()
    }
  }

  return {
    call,
    ...operationMethods(call),
    rateLimit: clientRateLimit,
    subscribe,
    cacheScope: options.cacheScope ?? generateScope(),
    close: closing.call,
  }
}

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

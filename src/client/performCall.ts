import type { Operation } from '../contract/defineOperation.ts'
import type { Clock } from '../rate-limit/Clock.ts'
import { day } from '../rate-limit/plan.ts'
import { type Permit, type RateLimiter, MaxWaitExceeded } from '../rate-limit/rateLimiter.ts'
import { type RateLimitHeaders, readRateLimitHeaders } from '../rate-limit/rateLimitHeaders.ts'
import type { ResponseCache } from './responseCache.ts'
import type { ApiKeySource } from './apiKey.ts'
import { type ErrorContext, isPetstoreError, type PetstoreError, RateLimitError } from './errors.ts'
import type { EventDetails } from './PetstoreEvent.ts'
import { parseResponse } from './parseResponse.ts'
import { backoff, isRetryable, type Retry } from './retry.ts'
import { type IncomingResponse, type OutgoingRequest, sendRequest } from './sendRequest.ts'
import type { Callers } from './dedupe.ts'
import { sleep } from './sleep.ts'

/** A call, its input already checked and in its place. */
export interface PreparedCall<Output> {
  readonly operation: Operation<unknown, Output>
  /** Equal for calls that ask for the same; `undefined` for one of its own. */
  readonly identity: string | undefined
  readonly request: Omit<OutgoingRequest, 'key'>
  /** Its place among all calls of the client. */
  readonly order: number
}

/** What a call needs from the client it is made by. */
export interface ClientContext {
  readonly fetch: (request: Request) => Promise<Response>
  readonly clock: Clock
  readonly random: () => number
  readonly retry: Retry
  /** ms for each request */
  readonly timeout: number
  /** The most bytes of each response. */
  readonly maxResponseSize?: number | undefined
  readonly apiKeySource: ApiKeySource
  readonly limiterFor: (key: string | undefined) => Promise<RateLimiter>
  readonly emit: (operation: string, event: EventDetails) => void
  readonly responses: ResponseCache
  /** Told of each response. */
  readonly onResponse: (operation: Operation, response: IncomingResponse, rateLimitHeaders: RateLimitHeaders) => void
}

/** One attempt, come back with a response. */
interface Attempt {
  readonly response: IncomingResponse
  readonly rateLimitHeaders: RateLimitHeaders
}

/**
 * Makes a call: through the gate, over the network, to a typed result or error; and again, where that does no harm.
 * This loop is the one place in which anything is sent twice.
 */
export async function performCall<Output>(
  { operation, identity, request, order }: PreparedCall<Output>,
  callers: Callers,
  environment: ClientContext,
): Promise<Output> {
  const { clock, random, retry, apiKeySource, limiterFor, responses } = environment
  const { name } = operation
  const emit = (event: EventDetails) => environment.emit(name, event)
  const deadline = clock.now() + retry.maxWait
  let attempts = 0
  let failures = 0
  let isKeyFresh = false
  let key = await apiKeySource.read({ operation: name, attempts })
  let lastError: PetstoreError | undefined

  for (;;) {
    const limiter = await limiterFor(key)
    const permit = await enter(limiter).catch((reason: unknown) => {
      if (!(reason instanceof MaxWaitExceeded)) throw reason
      // After a 429, or a 401 and a fresh key, it is the limit that is in the way; else the failure that came first.
      if (lastError && isRetryable(lastError, operation)) throw lastError
      const body = lastError?.kind === 'rate-limit' ? lastError.body : undefined
      throw new RateLimitError({ operation: name, attempts }, reason.retryAt, body)
    })
    attempts += 1
    if (lastError) emit({ type: 'retry', attempt: attempts, reason: lastError.kind })
    const context = { operation: name, attempts }
    let attempt: Attempt | undefined
    try {
      attempt = await send(permit, context)
      const response = { ...attempt.response, retryAt: limiter.retryAt() }
      return await responses.recall({ identity, schema: operation.output, response }, () =>
        parseResponse(operation, response, key, context),
      )
    } catch (error) {
      if (!isPetstoreError(error)) throw error
      lastError = error
    }

    if (lastError.kind === 'rate-limit') {
      // Refused: nothing was done. The gate has closed, and knows whether there is time to wait for it.
      emit({ type: 'rate-limited', until: lastError.retryAt })
    } else if (lastError.kind === 'authentication' && key !== undefined && !isKeyFresh) {
      isKeyFresh = true
      const fresh = await apiKeySource.refresh(key, context)
      if (fresh === undefined) throw lastError
      key = fresh
    } else if (isRetryable(lastError, operation)) {
      failures += 1
      const delay = backoff(failures, random(), attempt?.rateLimitHeaders, clock.now())
      if (failures >= retry.attempts || clock.now() + delay > deadline) throw lastError
      await sleep(delay, clock, callers.signal)
      key = await apiKeySource.read(context)
    } else throw lastError
  }

  async function enter(limiter: RateLimiter): Promise<Permit> {
    const id = requestId()
    let isHeldBack = false
    callers.onPriorityChange = () => limiter.prioritize(id)
    try {
      const permit = await limiter.enter({
        id,
        order,
        deadline,
        priority: callers.priority,
        holdFor: Math.min(environment.timeout, day) + 1_000,
        signal: callers.signal,
        onWait: (until) => {
          isHeldBack = true
          emit({ type: 'waiting', until })
          callers.onWait(until)
        },
      })
      if (isHeldBack) callers.onWait(undefined)
      return permit
    } finally {
      callers.onPriorityChange = () => {}
    }
  }

  async function send(permit: Permit, context: ErrorContext): Promise<Attempt> {
    const attempt = context.attempts
    emit({ type: 'request', attempt })
    let response: IncomingResponse
    try {
      const { signal } = callers
      response = await sendRequest({ ...request, key }, { ...environment, signal }, context)
    } catch (error) {
      void permit.release()
      throw error
    }
    const now = clock.now()
    const rateLimitHeaders = readRateLimitHeaders(response.headers, now)
    const refused = response.status === 429
    const observed = permit.release({ rateLimitHeaders, refused })
    // What the gate makes of a 429 has to be known before it is told to anybody; nothing else waits for it.
    if (refused) await observed
    emit({ type: 'response', attempt, status: response.status, duration: now - permit.sentAt })
    environment.onResponse(operation, response, rateLimitHeaders)
    return { response, rateLimitHeaders }
  }
}

function requestId(): string {
  return Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2)
}

import type { Operation } from '../../contract/defineOperation.ts'
import type { Clock } from '../../rate-limit/Clock.ts'
import { MaxWaitExceeded } from '../../rate-limit/rateLimiter.ts'
import { type Attempt, errorContext, type KeyedCall } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { isPetstoreError, type PetstoreError, RateLimitError } from '../errors.ts'
import type { Retry } from '../retryOptions.ts'
import { sleep } from '../sleep.ts'

export interface RetryStepOptions {
  readonly retry: Retry
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
}

/**
 * Sends a call again where that does no harm: after a refusal, once with a renewed key, and after failures that may
 * pass where the operation is `safe` to replay. The one place in which anything is sent twice.
 *
 * Rejects with the last attempt's error, or with `RateLimitError` where the call would wait longer than `maxWait`.
 */
export function retry({ retry: limits, clock, random }: RetryStepOptions): Step<KeyedCall, Attempt> {
  return async (call, next) => {
    let attempt: Attempt = { ...call, previousError: undefined }
    let failures = 0
    let isRefused = false
    for (;;) {
      let error: PetstoreError
      try {
        return await next(attempt)
      } catch (reason) {
        if (reason instanceof MaxWaitExceeded) throw waitError(attempt, reason)
        if (!isPetstoreError(reason)) throw reason
        error = reason
      }

      if (error.kind === 'authentication') {
        // `authorize` may have another key, once.
        if (isRefused) throw error
        isRefused = true
      } else if (error.kind !== 'rate-limit') {
        // After a 429 the service did nothing. The gate has closed, and knows whether there is time to wait for it.
        if (!isRetryable(error, call.operation)) throw error
        failures += 1
        const delay = backoff(failures, random(), error, clock.now())
        if (failures >= limits.attempts || clock.monotonic() + delay > call.deadline) throw error
        await sleep(delay, clock, call.signal)
      }
      attempt = { ...attempt, attempts: error.attempts, previousError: error }
    }
  }
}

/** After a 429, or a 401 and a renewed key, the limit is in the way; else the earlier failure says more. */
function waitError(attempt: Attempt, { retryAt }: MaxWaitExceeded): PetstoreError {
  const { previousError, operation } = attempt
  if (previousError && isRetryable(previousError, operation)) return previousError
  const body = previousError?.kind === 'rate-limit' ? previousError.body : undefined
  return new RateLimitError(errorContext(attempt), retryAt, body)
}

/** Whether the failure may pass, and the call can be sent again without harm. */
function isRetryable(error: PetstoreError, { replay }: Operation): boolean {
  if (replay !== 'safe') return false
  if (error.kind === 'response-validation') return error.problem === 'not-json'
  if (error.kind === 'server') return error.status >= 502 && error.status <= 504
  return error.kind === 'network' || error.kind === 'timeout'
}

const firstDelay = 1_000
const maxDelay = 30_000

/** Exponential backoff with full jitter, in ms; at least the wait that the service's Retry-After asks for. */
function backoff(failures: number, jitter: number, error: PetstoreError, now: number): number {
  const requested = error.kind === 'server' && error.retryAt !== undefined ? error.retryAt - now : 0
  return Math.max(jitter * Math.min(maxDelay, firstDelay * 2 ** (failures - 1)), requested)
}

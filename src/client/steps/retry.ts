import type { Operation } from '../../contract/defineOperation.ts'
import type { Clock } from '../../base/Clock.ts'
import { MaxWaitExceeded } from '../../rate-limit/pendingRequest.ts'
import { errorContext, type KeyedCall, type Step } from '../Call.ts'
import { isPetstoreError, NetworkError, type PetstoreError, RateLimitError } from '../errors.ts'
import { sleep } from '../../base/abort.ts'

/**
 * Sends a call again where that does no harm: after a refusal, once with a renewed key, and after failures that may
 * pass where the operation is `safe` to replay. The one place in which anything is sent twice.
 *
 * Rejects with the last attempt's error. Where the call would wait longer than `maxWait`, rejects with `RateLimitError` for
 * a limit, and with `NetworkError` or `ServerError` where failures are the reason.
 *
 * @param maxAttempts - how many requests may fail
 * @param random - 0 to 1
 */
export function retry(maxAttempts: number, clock: Clock, random: () => number): Step<KeyedCall, KeyedCall> {
  /** @param isKeyRefused - whether the service has refused a key of the call */
  const send = (
    attempt: KeyedCall,
    next: (attempt: KeyedCall) => Promise<unknown>,
    failures: number,
    isKeyRefused: boolean,
  ): Promise<unknown> =>
    next(attempt).catch(async (error: unknown) => {
      if (error instanceof MaxWaitExceeded) throw waitError(attempt, error)
      if (!isPetstoreError(error)) throw error
      let failed = failures
      if (error.kind === 'authentication') {
        // `authorize` may get another key, but only once.
        if (isKeyRefused) throw error
      } else if (error.kind !== 'rate-limit') {
        // A 429 skips this: the service did nothing, and the closed gate knows whether there is time to wait for it.
        if (!isRetryable(error, attempt.operation)) throw error
        failed += 1
        const delay = backoff(failed, random(), error, clock.now())
        if (failed >= maxAttempts || clock.monotonic() + delay > attempt.deadline) throw error
        if (error.kind === 'server' && delay >= minToldDelay) {
          attempt.onWait({ until: clock.now() + delay, reason: 'service', isEarliest: false })
        }
        await sleep(delay, clock, attempt.signal)
      }
      const again = { ...attempt, attempts: error.attempts, previousError: error }
      return send(again, next, failed, isKeyRefused || error.kind === 'authentication')
    })

  return (call, next) => send(call, next, 0, false)
}

/** The error of a call that would wait too long: the failure that it was to retry, else what holds all calls back. */
function waitError(attempt: KeyedCall, { retryAt, reason }: MaxWaitExceeded): PetstoreError {
  const { previousError, operation } = attempt
  if (previousError && isRetryable(previousError, operation)) return previousError
  const refusal = previousError?.kind === 'rate-limit' ? previousError : undefined
  const context = { ...errorContext(attempt), headers: refusal?.headers }
  if (refusal || reason !== 'connection') return new RateLimitError(context, retryAt, refusal?.body)
  return new NetworkError(context, undefined, 'not-applied') // nothing was sent this time
}

/** Whether the failure may pass, and the call can be sent again without harm. */
function isRetryable(error: PetstoreError, { replay }: Operation): boolean {
  if (replay !== 'safe') return false
  if (error.kind === 'response-validation') return error.problem === 'not-json'
  if (error.kind === 'server') return error.status >= 502 && error.status <= 504
  return error.kind === 'network' || error.kind === 'timeout'
}

/** In ms. `onWait` does not tell of shorter delays. */
const minToldDelay = 3_000
const firstDelay = 1_000
const maxDelay = 30_000

/** Exponential backoff with full jitter, in ms; at least the wait that the service's Retry-After asks for. */
function backoff(failures: number, jitter: number, error: PetstoreError, now: number): number {
  const requested = error.kind === 'server' && error.retryAt !== undefined ? error.retryAt - now : 0
  return Math.max(jitter * Math.min(maxDelay, firstDelay * 2 ** (failures - 1)), requested)
}

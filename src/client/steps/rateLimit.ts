import { developmentWarning, isDevelopment } from '../../base/development.ts'
import type { Clock } from '../../base/Clock.ts'
import { holdsAddress, isRefusal } from '../../rate-limit/gate.ts'
import { minute } from '../../rate-limit/plan.ts'
import type { Permit } from '../../rate-limit/pendingRequest.ts'
import type { RateLimiter } from '../../rate-limit/rateLimiter.ts'
import type { AdmittedAttempt, Attempt, ResponseHead } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import type { EmitEvent } from '../PetstoreEvent.ts'
import { randomId } from '../../base/ids.ts'

export interface RateLimitStepOptions {
  readonly limiterFor: (key: string | undefined) => Promise<RateLimiter>
  /** How long one request may take, in ms. */
  readonly timeout: number
  readonly clock: Clock
  readonly emit: EmitEvent
}

/** A tab that is gone must not block the others for long, however long its request might have taken. In ms. */
const maxHold = 2 * minute

/**
 * How long an aborted request without a head keeps others waiting, in ms. Nobody needs its response, but where nothing is
 * known of the key it still may say that the quota is used up.
 */
const abortedHold = 1_000

const hiddenHeaders =
  'This page cannot read the rate-limit headers of the service, so requests are sent at the pace of the plan. ' +
  'Let the service send "Access-Control-Expose-Headers: X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, Retry-After, Date".'

/**
 * Waits at the gate of the key until the request may leave, and reports the head of its response to the gate.
 *
 * Rejects with `MaxWaitExceeded` where the wait would go past the call's deadline.
 */
export function rateLimit({ limiterFor, timeout, clock, emit }: RateLimitStepOptions): Step<Attempt, AdmittedAttempt> {
  // Without a frame of its own: thousands may wait.
  return (attempt, next) => {
    const queuedAt = clock.now()
    const address = addressId(attempt.request.url)
    emit(attempt, {
      type: 'queued',
      attempt: attempt.attempts + 1,
      priority: attempt.priority(),
      address,
      replay: attempt.operation.replay,
      duration: queuedAt - attempt.startedAt,
    })
    return limiterFor(attempt.key).then((limiter) => {
      const id = randomId()
      const stopListening = attempt.onPriorityChange(() => limiter.prioritize(id))
      return limiter
        .enter({
          id,
          callId: attempt.id,
          operation: attempt.operation.name,
          user: attempt.user,
          address,
          isRetry: attempt.attempts > 0,
          order: attempt.order,
          deadline: attempt.deadline - clock.monotonic() + clock.now(),
          priority: attempt.priority(),
          holdFor: Math.min(timeout + 1_000, maxHold),
          signal: attempt.signal,
          onWait: ({ until, reason, isEarliest }) => {
            emit(attempt, { type: 'waiting', until, reason })
            attempt.onWait(until, reason, isEarliest)
          },
        })
        .then((permit) => {
          // Where there is none, the call ends.
          stopListening()
          attempt.onWait(undefined)
          return next(admit(attempt, permit, limiter, address, clock.now() - queuedAt))
        })
    })
  }

  /** What a request that may leave needs. Made only then: thousands may wait. */
  function admit(
    attempt: Attempt,
    permit: Permit,
    limiter: RateLimiter,
    address: string,
    waited: number,
  ): AdmittedAttempt {
    const { signal } = attempt
    if (signal.aborted) {
      void permit.release({ status: undefined })
      throw signal.reason
    }
    let retryAt: number | undefined
    let stopHolding = () => {}
    const limitHold = () => {
      // How the request ends still counts if it has a head.
      stopHolding = clock.wakeAfter(abortedHold, () => void permit.release({ status: undefined }))
    }
    signal.addEventListener('abort', limitHold)

    async function report(head: ResponseHead | undefined, isCanceled = false): Promise<void> {
      stopHolding()
      signal.removeEventListener('abort', limitHold)
      if (!head) return isCanceled ? permit.release({ status: undefined }) : permit.release()
      const { status, rateLimitHeaders, isCrossOrigin } = head
      const recorded = permit.release({ rateLimitHeaders, status })
      if (
        isDevelopment &&
        process.env.NODE_ENV !== 'production' &&
        isCrossOrigin &&
        rateLimitHeaders.remaining === undefined
      ) {
        developmentWarning(hiddenHeaders)
      }
      // The gate must know of a refusal before the caller does; else only a process that may end waits for the store.
      const hasBeenRefused = isRefusal(status, rateLimitHeaders)
      if (hasBeenRefused || permit.isLast?.()) await recorded
      if (!hasBeenRefused && !holdsAddress(status, rateLimitHeaders)) return
      retryAt = limiter.retryAt(address)
      if (status === 429) emit(attempt, { type: 'rate-limited', until: retryAt })
    }

    return Object.assign(attempt, { sentAt: permit.sentAt, waited, report, retryAt: () => retryAt })
  }
}

/** A short hash (FNV-1a) of an address without its query: a path may hold what a store should not show. */
export function addressId(url: string): string {
  const { length } = url.split('?')[0] ?? ''
  let hash = 0x811c9dc5
  for (let index = 0; index < length; index += 1) hash = Math.imul(hash ^ url.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

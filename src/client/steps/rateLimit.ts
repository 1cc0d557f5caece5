import { isDevelopment } from '../../contract/configError.ts'
import type { Clock } from '../../rate-limit/Clock.ts'
import { isRefusal } from '../../rate-limit/cooldown.ts'
import { minute } from '../../rate-limit/plan.ts'
import { readRateLimitHeaders } from '../../rate-limit/rateLimitHeaders.ts'
import type { Permit } from '../../rate-limit/Permit.ts'
import type { RateLimiter } from '../../rate-limit/rateLimiter.ts'
import type { AdmittedAttempt, Attempt, ResponseHead } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { developmentWarning } from '../developmentWarning.ts'
import type { EmitEvent } from '../PetstoreEvent.ts'
import { randomId } from '../randomId.ts'

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
 * How long an aborted request without a head keeps others waiting, in ms. Nobody needs its response, and the next request
 * of a key of which nothing is known would wait for it until `timeout`.
 */
const abortedHold = 5_000

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
  async function enter(attempt: Attempt, limiter: RateLimiter): Promise<Permit> {
    const id = randomId()
    const stopListening = attempt.onPriorityChange(() => limiter.prioritize(id))
    try {
      const permit = await limiter.enter({
        id,
        callId: attempt.id,
        operation: attempt.operation.name,
        order: attempt.order,
        deadline: attempt.deadline - clock.monotonic() + clock.now(),
        priority: attempt.priority(),
        holdFor: Math.min(timeout + 1_000, maxHold),
        signal: attempt.signal,
        onWait: (until) => {
          emit(attempt, { type: 'waiting', until })
          attempt.onWait(until)
        },
      })
      attempt.onWait(undefined)
      return permit
    } finally {
      stopListening()
    }
  }

  return async (attempt, next) => {
    const { key, signal } = attempt
    const queuedAt = clock.now()
    emit(attempt, {
      type: 'queued',
      attempt: attempt.attempts + 1,
      priority: attempt.priority(),
      duration: queuedAt - attempt.startedAt,
    })
    const limiter = await limiterFor(key)
    const permit = await enter(attempt, limiter)
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
    signal.addEventListener('abort', limitHold, { once: true })

    async function report(head: ResponseHead | undefined): Promise<void> {
      stopHolding()
      signal.removeEventListener('abort', limitHold)
      if (!head) return permit.release()
      const { status, headers, isCrossOrigin } = head
      const rateLimitHeaders = readRateLimitHeaders(headers)
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
      if (!hasBeenRefused) return
      retryAt = limiter.retryAt()
      if (status === 429) emit(attempt, { type: 'rate-limited', until: retryAt })
    }

    const waited = clock.now() - queuedAt
    return next({ ...attempt, sentAt: permit.sentAt, waited, report, retryAt: () => retryAt })
  }
}

import type { Clock } from '../../rate-limit/Clock.ts'
import { isRefusal } from '../../rate-limit/cooldown.ts'
import { minute } from '../../rate-limit/plan.ts'
import { readRateLimitHeaders } from '../../rate-limit/rateLimitHeaders.ts'
import type { Permit, RateLimiter } from '../../rate-limit/rateLimiter.ts'
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
    let isHeldBack = false
    const stopListening = attempt.onPriorityChange(() => limiter.prioritize(id))
    try {
      const permit = await limiter.enter({
        id,
        order: attempt.order,
        deadline: attempt.deadline,
        priority: attempt.priority(),
        holdFor: Math.min(timeout + 1_000, maxHold),
        signal: attempt.signal,
        onWait: (until) => {
          isHeldBack = true
          emit(attempt, { type: 'waiting', until })
          attempt.onWait(until)
        },
      })
      if (isHeldBack) attempt.onWait(undefined)
      return permit
    } finally {
      stopListening()
    }
  }

  return async (attempt, next) => {
    const limiter = await limiterFor(attempt.key)
    const permit = await enter(attempt, limiter)
    let isRecorded = false
    let retryAt: number | undefined

    async function recordHead({ status, headers, isCrossOrigin }: ResponseHead): Promise<void> {
      const rateLimitHeaders = readRateLimitHeaders(headers, clock.now())
      isRecorded = true
      const recorded = permit.release({ rateLimitHeaders, status })
      if (process.env.NODE_ENV !== 'production' && isCrossOrigin && rateLimitHeaders.remaining === undefined) {
        developmentWarning(hiddenHeaders)
      }
      if (!isRefusal(status, rateLimitHeaders)) return
      // The gate must know of a refusal before the caller does; nothing else waits for the store.
      await recorded
      retryAt = limiter.retryAt()
    }

    try {
      return await next({ ...attempt, sentAt: permit.sentAt, recordHead, retryAt: () => retryAt })
    } finally {
      if (!isRecorded) void permit.release(attempt.signal.aborted ? { status: undefined } : undefined)
    }
  }
}

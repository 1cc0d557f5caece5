import { minute } from './plan.ts'

/**
 * The circuit breaker of a key in browsers, for calls that fail without a response that the page can read: a 429 without
 * CORS headers looks like that, and services ban a key for repeating what they refuse. Closed: `until` is 0. Open: no
 * request leaves before `until`. Half-open: one leaves then as the probe, and the others wait for it.
 */
export interface Breaker {
  /** How many calls in a row have failed, the probes included. From two on it is open. */
  readonly failures: number
  /** When the last pause began, in epoch ms; 0 while it is closed. */
  readonly since: number
  /** When the next probe may leave, in epoch ms; 0 while it is closed. */
  readonly until: number
}

export const closedBreaker: Breaker = { failures: 0, since: 0, until: 0 }

/** How a request failed. Times in epoch ms. */
export interface Failure {
  readonly sentAt: number
  /** Whether its call has sent a request before: then it opens nothing. */
  readonly isRetry: boolean
  /** 0 to 1, at random. */
  readonly jitter: number
}

/** So many calls in a row open the breaker. */
const maxFailures = 2
/** Pauses last 1, 4, 16, then 60 seconds, in ms: three probes in the first minute. */
const [firstPause, pauseFactor, maxPause] = [1_000, 4, minute]
/** How long the others wait for a probe without a response, in ms. */
export const probeTime = 2_000
/** A new call of a person may be the probe so long after the pause began, in ms. */
const personGap = 10_000

export function isOpen({ until }: Breaker): boolean {
  return until > 0
}

/**
 * When a request may leave as the probe: earlier for a call that a person has made since the pause began.
 *
 * @param askedAt - when a person has made the call, if this is its first request (epoch ms)
 */
export function probeOpensAt({ since, until }: Breaker, askedAt: number | undefined, now: number): number {
  // A probe may be on its way then: it sets the end to two seconds.
  const mayBeEarly = askedAt !== undefined && askedAt > since && until > now + probeTime
  return mayBeEarly ? Math.min(until, since + personGap) : until
}

/** Notes that a probe leaves. */
export function startProbe(breaker: Breaker, now: number): Breaker {
  return isOpen(breaker) ? { ...breaker, until: now + probeTime } : breaker
}

/** Counts a failure: of a probe, or of a call's first request. */
export function countFailure(breaker: Breaker, failure: Failure, now: number): Breaker {
  const { sentAt, isRetry, jitter } = failure
  const { failures, since } = breaker
  const open = (inARow: number): Breaker => ({
    failures: inARow,
    since: now,
    until: now + Math.ceil(pauseAfter(inARow) * (1 + jitter / 10)),
  })
  if (!isOpen(breaker)) {
    if (isRetry) return breaker
    return failures + 1 < maxFailures ? { ...breaker, failures: failures + 1 } : open(maxFailures)
  }
  // A request that left before the pause is no news.
  if (sentAt < since) return breaker
  // Only a request that waited for the end of the pause tells that it was too short. A tenth is the most that jitter adds.
  return open(sentAt < since + pauseAfter(failures) * 1.1 + probeTime ? failures + 1 : maxFailures)
}

function pauseAfter(failures: number): number {
  return Math.min(maxPause, firstPause * pauseFactor ** (failures - maxFailures))
}

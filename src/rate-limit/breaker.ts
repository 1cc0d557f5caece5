import { minute } from './plan.ts'

/**
 * The circuit breaker of a key in browsers, for calls that fail without a response that the page can read: a 429 without
 * CORS headers looks like that, and services may ban a key that repeats refused requests. Closed: `until` is 0. Open: nothing
 * leaves before `until`, except a person's new call (`probeOpensAt`). Half-open: one request leaves as the probe; others wait.
 */
export interface Breaker {
  /** How many calls in a row have failed, the probes included. From two on the breaker is open. */
  readonly failures: number
  /** When the last pause began, in epoch ms; 0 while the breaker is closed. */
  readonly since: number
  /** When the next probe may leave, in epoch ms; 0 while the breaker is closed. */
  readonly until: number
}

export const closedBreaker: Breaker = { failures: 0, since: 0, until: 0 }

/** A request, as far as its failure counts. */
export interface Attempt {
  /** Epoch ms. */
  readonly sentAt: number
  /** Whether its call has sent a request before: a retry that fails opens no breaker. */
  readonly isRetry: boolean
  /** 0 to 1, at random: spreads the machines that wait for the same time. */
  readonly jitter: number
}

/** So many failed calls in a row open the breaker. */
const maxFailures = 2
/** Pauses last 1, 4, 16, then 60 seconds, in ms: three probes in the first minute. */
const [firstPause, pauseFactor, maxPause] = [1_000, 4, minute]
/** How long other requests wait for the response to a probe, in ms. */
export const probeTime = 2_000
/** How long after the start of a pause a person's new call may be the probe, in ms. */
const personGap = 10_000

/** Whether it is open or half-open. */
export function isTripped({ until }: Breaker): boolean {
  return until > 0
}

/**
 * When a request may leave as the probe: at `until`, or 10 s after `since` for a call that a person has made in this pause.
 *
 * @param askedAt - when a person has made the call, if this is its first request (epoch ms)
 */
export function probeOpensAt({ since, until }: Breaker, askedAt: number | undefined, now: number): number {
  // An earlier `until` may be that of a probe in flight (`startProbe`), which the call has to wait for.
  const mayBeEarly = askedAt !== undefined && askedAt > since && until > now + probeTime
  return mayBeEarly ? Math.min(until, since + personGap) : until
}

/** Makes other requests wait while a probe is in flight. */
export function startProbe(breaker: Breaker, now: number): Breaker {
  return isTripped(breaker) ? { ...breaker, until: now + probeTime } : breaker
}

/** Counts a failure: of a probe, or of a call's first request. */
export function countFailure(breaker: Breaker, attempt: Attempt, now: number): Breaker {
  const { sentAt, isRetry, jitter } = attempt
  const { failures, since } = breaker
  const open = (inARow: number): Breaker => ({
    failures: inARow,
    since: now,
    until: now + Math.ceil(pauseAfter(inARow) * (1 + jitter / 10)),
  })
  if (!isTripped(breaker)) {
    if (isRetry) return breaker
    return failures + 1 < maxFailures ? { ...breaker, failures: failures + 1 } : open(maxFailures)
  }
  // A request that left before the pause says nothing new.
  if (sentAt < since) return breaker
  // The next pause is longer only if the probe left soon after this one ended. Jitter adds a tenth to a pause at most.
  return open(sentAt < since + pauseAfter(failures) * 1.1 + probeTime ? failures + 1 : maxFailures)
}

function pauseAfter(failures: number): number {
  return Math.min(maxPause, firstPause * pauseFactor ** (failures - maxFailures))
}

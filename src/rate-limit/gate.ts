import { learnClockSkew } from './clockSkew.ts'
import {
  addInFlight,
  announcedWindow,
  countInFlight,
  countUnits,
  endWindows,
  expire,
  inFlightSince,
  liveWindows,
  mergeWindow,
  nextLossAt,
  paceOpensAt,
  removeInFlight,
  spendUnits,
  type UnitInFlight,
  withWindow,
} from './windows.ts'
import {
  endPause,
  gatewayOpensAt,
  holdAddress,
  isOutage,
  isUnexplainedFailure,
  noteSent,
  type ProbeCandidate,
  probeOpensAt,
  probeTime,
  recordFailure,
  recordSuccess,
} from './failures.ts'
import type { ClockSkew, GateRecord, GateWindow } from './GateRecord.ts'
import { type CustomRate, day, minute, windowLength } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** User requests leave before background requests, which also leave them a reserve of the quota. */
export type Priority = 'user' | 'background'

/** A request that is to leave. */
interface GateRequest extends UnitInFlight, ProbeCandidate {
  readonly priority: Priority
}

/** How a request ended. */
export interface GateResponse {
  readonly batch: string
  /** As that of the request's `EnterRequest`. */
  readonly address: string
  readonly isRetry: boolean
  /** Epoch ms. */
  readonly sentAt: number
  /** `lostUnits` of the record when the request left. */
  readonly lostUnitsBefore: number
  /** `undefined` if there was no response, or if nobody knows. */
  readonly rateLimitHeaders?: RateLimitHeaders | undefined
  /** The HTTP status, or 0 if the request failed without a response; `undefined` if nobody knows how it ended. */
  readonly status: number | undefined
  /** 0 to 1, at random: spreads the machines that wait for the same time. */
  readonly jitter: number
}

/** Why a request may not leave now. */
export type RefusalReason =
  /** The service has refused a request: until `cooldownUntil`. */
  | 'cooling-down'
  /** Requests failed without an explanation, and none has succeeded since: until the pause is over. */
  | 'failures'
  /** A gateway has refused several requests of one second: requests leave one by one. */
  | 'gateway'
  /** One request is under way to find out what is allowed. */
  | 'probe'
  /** A window has nothing left. */
  | 'used-up'
  /** The rest of a window is kept for user requests. */
  | 'reserve'
  /** Requests under way hold all units that it may use. */
  | 'in-flight'
  /** No window is known, and the pace of the plan is used up. */
  | 'pace'

/** Whether a request may leave now. */
export type GateDecision =
  | { readonly admitted: true; readonly record: GateRecord }
  | {
      readonly admitted: false
      readonly record: GateRecord
      readonly reason: RefusalReason
      /** The earliest time at which it may leave (epoch ms); `now` if it only waits for responses. */
      readonly notBefore: number
      /** When to try again if no response comes in earlier (epoch ms). */
      readonly wakeAt: number
    }

/** Added to each wait: a service may refuse requests in the very second in which it is to open. In ms. */
const margin = 500

/** Before the end of a window, background requests get what people have left, in ms. */
const releaseTime = 10_000

/** At the start of a window as many requests leave as its pace allows in a second, but so many at least. */
const minStart = 8
/** How long a refusal is remembered at the start of a window, in ms. */
const refusalMemory = 60 * minute
/** After so many steps no further request joins those that have no response. */
const maxSteps = 4

/** Decides whether a request may leave. An admitted request holds one unit of the quota in the returned record. */
export function admit(stored: GateRecord, request: GateRequest, now: number, pace: CustomRate): GateDecision {
  const { priority } = request
  const record = expire(stored, now, pace)
  const refuse = (reason: RefusalReason, notBefore: number, wakeAt: number = notBefore): GateDecision => ({
    admitted: false,
    record,
    reason,
    notBefore,
    wakeAt,
  })
  if (now < record.cooldownUntil) return refuse('cooling-down', record.cooldownUntil)

  if (isOutage(record)) {
    const { pausedAt, probedAt } = record.failures
    const opensAt = probeOpensAt(record, request, now, pace)
    if (now < opensAt) return refuse('failures', opensAt)
    const isProbed = probedAt > pausedAt && now < probedAt + probeTime
    if (isProbed) return refuse('probe', now, probedAt + probeTime)
  }
  const pacedUntil = gatewayOpensAt(record, now)
  if (now < pacedUntil) return refuse('gateway', pacedUntil)

  const inFlight = countInFlight(record)
  const lossAt = nextLossAt(record)
  const windows = liveWindows(record, now)
  if (windows.length > 0) {
    const full = windows.filter((window) => unitsOf(window, priority, now) <= inFlight)
    if (full.length > 0) {
      const isUsedUp = full.some(({ remaining }) => remaining < 1)
      const isReserved = full.some((window) => unitsOf(window, priority, now) < 1)
      const reason = isUsedUp ? 'used-up' : isReserved ? 'reserve' : 'in-flight'
      const opensAt = Math.max(...full.map((window) => windowOpensAt(window, priority, inFlight, now)))
      return refuse(reason, opensAt, opensAt > now ? opensAt : lossAt)
    }
  } else {
    const { limit, growsAt } = maxInFlightOf(record, now, pace)
    if (inFlight >= limit) return refuse(limit === 1 ? 'probe' : 'in-flight', now, Math.min(lossAt, growsAt))
    const room = pace.limit - reserve(priority, pace.limit)
    const opensAt = paceOpensAt(record.localUsage, room - inFlight, pace, now)
    if (opensAt > now) return refuse('pace', paceOpensAt(record.localUsage, room, pace, now), Math.min(lossAt, opensAt))
  }
  const sent = addInFlight(noteSent(record, now), request, now)
  return { admitted: true, record: { ...sent, updatedAt: now } }
}

/**
 * How many requests may be in flight where no window is known, and when that doubles because the first of them has no
 * response: after a second, or after two where the service has refused a request lately.
 */
function maxInFlightOf(
  record: GateRecord,
  now: number,
  pace: CustomRate,
): { readonly limit: number; readonly growsAt: number } {
  const wasRefused = record.cooldownStartedAt > 0 && now - record.cooldownUntil < refusalMemory
  const isCalm = record.windows.length > 0 && !wasRefused && record.windows.every(({ remaining }) => remaining > 0)
  const start = isCalm ? Math.min(...record.windows.map((window) => startOf(window, pace))) : record.maxInFlight
  const max = Math.min(...record.windows.map(({ limit }) => limit || Infinity), start * 2 ** maxSteps)
  // A request that left before the gate opened says nothing about what follows.
  const openedAt = Math.max(record.cooldownUntil, ...record.windows.map(({ resetAt }) => resetAt))
  const since = Math.max(inFlightSince(record), openedAt)
  const isUnseen = record.windows.length === 0 && !wasRefused
  const stepTime = isCalm || isUnseen ? 1_000 : probeTime
  const steps = Math.floor(Math.max(0, now - since) / stepTime)
  const limit = Math.min(max, start * 2 ** Math.min(steps, maxSteps))
  return { limit, growsAt: limit < max ? since + (steps + 1) * stepTime : Infinity }
}

/** How many requests leave at once in a new window, where the last one ended with units left. */
function startOf({ limit }: GateWindow, pace: CustomRate): number {
  if (limit === 0) return minStart
  return Math.min(limit, Math.max(minStart, Math.ceil((limit * 1_000) / windowLength(limit, pace))))
}

/** About how many requests of a priority may leave now, to divide them. */
export function unitsLeft(record: GateRecord, priority: Priority, now: number, pace: CustomRate): number {
  const windows = liveWindows(record, now)
  const inPace = Math.min(
    maxInFlightOf(record, now, pace).limit,
    pace.limit - reserve(priority, pace.limit) - countUnits(record.localUsage),
  )
  const units = windows.length > 0 ? Math.min(...windows.map((window) => unitsOf(window, priority, now))) : inPace
  return units - countInFlight(record)
}

/** Background requests leave user requests a part of each limit: less and less before its end, but one unit at least. */
export function reserve(priority: Priority, limit: number, endsIn: number = releaseTime): number {
  if (priority === 'user') return 0
  return Math.ceil((Math.floor(limit / 10) * Math.min(endsIn, releaseTime)) / releaseTime)
}

/**
 * When a window has a unit that no request in flight holds (epoch ms). Within a window the units that are held are spent,
 * so only the reserve opens it before its end.
 */
export function windowOpensAt(window: GateWindow, priority: Priority, inFlight: number, now: number): number {
  const { limit, remaining, resetAt, contradictions = 0 } = window
  // One request at a time finds out whether the window still counts.
  if (contradictions > 0 && inFlight > 0) return now
  const left = remaining - inFlight
  if (priority === 'user' || left < 2) return resetAt
  return resetAt - Math.floor((releaseTime * (left - 1)) / reserve('background', limit))
}

/** Of a window that may belong to a former plan, one request at a time finds out more. */
export function unitsOf(
  { limit, remaining, resetAt, contradictions = 0 }: GateWindow,
  priority: Priority,
  now: number,
): number {
  return Math.max(remaining - reserve(priority, limit, resetAt - now), contradictions)
}

/** Records how a request ended. */
export function recordResponse(stored: GateRecord, response: GateResponse, now: number, pace: CustomRate): GateRecord {
  const expired = expire(stored, now, pace)
  const batch = expired.inFlight[response.batch]
  const isInFlight = batch !== undefined
  const before = { ...removeInFlight(expired, response.batch), updatedAt: now }
  // A request that is no longer in flight was spent when it expired.
  const spend = () => (isInFlight ? spendUnits(before, 1, now, pace) : before)
  const { rateLimitHeaders = {}, status } = response
  if (status === undefined) return spend()

  const sentAt = Math.min(response.sentAt, now)
  const slack = Math.ceil(margin * (1 + response.jitter))
  const request = { ...response, sentAt, status, rateLimitHeaders }
  const skew = learnClockSkew(before.skew, { rateLimitHeaders, refused: status === 429, sentAt, receivedAt: now, pace })
  if (isUnexplainedFailure(status, rateLimitHeaders)) return recordFailure({ ...spend(), skew }, request, now, pace)

  // A request that left before the last cool-down started says nothing about the time after it.
  const isCurrent = sentAt > before.cooldownStartedAt
  // The response may not report units that others have lost since the request left.
  const ownLoss = isInFlight ? 0 : 1
  const unreportedUnits = Math.max(0, before.lostUnits - response.lostUnitsBefore - ownLoss)
  const announced = announcedWindow(rateLimitHeaders, skew, now, slack, unreportedUnits)

  if (isRefusal(status, rateLimitHeaders)) {
    // A request that left before the end of the last cool-down does not say that its wait was too short.
    const isFurther = sentAt >= before.cooldownUntil
    const consecutiveRefusals = isFurther ? nextConsecutiveRefusals(before, now) : before.consecutiveRefusals
    const started = isCurrent ? { cooldownStartedAt: now, cooldownOwner: batch?.owner ?? '' } : {}
    const cooldownUntil = Math.max(
      before.cooldownUntil,
      now + cooldownLength(rateLimitHeaders, skew, consecutiveRefusals, now) + slack,
    )
    // Only the limits of the windows stay known: a probe has to find out what is left.
    const windows = endWindows(announced ? withWindow(before.windows, announced) : before.windows, now)
    const refused = { ...started, consecutiveRefusals, cooldownUntil, windows }
    return { ...endPause(before, now), ...refused, skew, maxInFlight: 1 }
  }
  const succeeded = recordSuccess(isCurrent && announced ? before : spend(), request.address, sentAt, now)
  const known = holdsAddress(status, rateLimitHeaders) ? holdAddress(succeeded, request, now) : succeeded
  if (!isCurrent) return { ...known, skew }
  if (announced) {
    return { ...known, skew, windows: mergeWindow(before.windows, announced, isInFlight, now), maxInFlight: 1 }
  }
  // Within a window `maxInFlight` starts over, so that its requests do not all meet the next window at once.
  const maxInFlight = liveWindows(before, now).length > 0 ? 1 : before.maxInFlight + 1
  return { ...known, skew, maxInFlight }
}

/** The shortest cool-down, in ms; doubled with each consecutive refusal. */
const minCooldown = 1_000
/** Further refusals make no wait longer. */
export const maxConsecutiveRefusals = 6

/** Whether a response says that the key has to wait: a 429, or a ban with its end. */
export function isRefusal(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status === 429 || (status === 403 && (retryIn ?? retryDate) !== undefined)
}

/** Whether a response asks to leave its address alone for a time: that says nothing about other addresses. */
export function holdsAddress(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status >= 400 && status !== 429 && status !== 403 && (retryIn ?? retryDate) !== undefined
}

/** How long nothing leaves after a refusal, in ms. */
function cooldownLength(
  rateLimitHeaders: RateLimitHeaders,
  skew: ClockSkew,
  consecutiveRefusals: number,
  now: number,
): number {
  const timeUntil = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.min - now)
  const retryAfter = Math.max(rateLimitHeaders.retryIn ?? -1, timeUntil(rateLimitHeaders.retryDate))
  const reset = timeUntil(rateLimitHeaders.resetAt)
  // The wait lasts until the latest possible reset, but the earliest possible one has to lie within a day.
  const believable = reset > 0 && reset - (skew.max - skew.min) <= day ? reset : undefined
  // With nothing left before the reset, a shorter Retry-After would only lead to the next refusal.
  const untilReset = rateLimitHeaders.remaining === 0 ? (believable ?? 0) : 0
  // The shortest window of the plans is a minute: a shorter guess would send during a cool-down.
  const wait = retryAfter >= 0 ? Math.max(retryAfter, untilReset) : (believable ?? minute * 2 ** consecutiveRefusals)
  return Math.min(day, Math.max(wait, minCooldown * 2 ** consecutiveRefusals))
}

/**
 * Counts a cool-down that starts now: one more than last time unless a request has succeeded since its end, one less for
 * each minute without a cool-down.
 */
function nextConsecutiveRefusals(record: GateRecord, now: number): number {
  const { consecutiveRefusals, cooldownStartedAt, cooldownUntil, failures } = record
  if (cooldownStartedAt === 0) return 0
  const calmMinutes = Math.floor((now - cooldownUntil) / minute)
  const more = failures.succeededAt > cooldownUntil ? 0 : 1
  return Math.min(maxConsecutiveRefusals, Math.max(0, consecutiveRefusals + more - calmMinutes))
}

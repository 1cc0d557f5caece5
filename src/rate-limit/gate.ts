import { learnClockSkew } from './clockSkew.ts'
import { cooldownLength, failurePause, isRefusal, isUnexplainedFailure, nextConsecutiveRefusals } from './cooldown.ts'
import { expire } from './expire.ts'
import type { GateRecord, GateWindow } from './GateRecord.ts'
import { addInFlight, countInFlight, nextLossAt, removeInFlight } from './inFlight.ts'
import { countUnits, paceOpensAt } from './localUsage.ts'
import type { CustomRate } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'
import { spendUnits } from './spendUnits.ts'
import { announcedWindow, endWindows, liveWindows, mergeWindow, withWindow } from './windows.ts'

/** User requests leave before background requests, which also leave them a reserve of the quota. */
export type Priority = 'user' | 'background'

/** A request that is to leave. */
export interface GateRequest {
  /** The id of the requests that it counts with while it is in flight. */
  readonly batch: string
  readonly priority: Priority
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
}

/** How a request ended. */
export interface GateResponse {
  readonly batch: string
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
  /** Requests in a row failed without an explanation: until `cooldownUntil`. */
  | 'failures'
  /** One request is under way to find out what is allowed. */
  | 'probe'
  /** A window has nothing left. */
  | 'used-up'
  /** What a window has left is kept for user requests. */
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

/** A request that left this soon after the end of a pause has waited for it, in ms. */
const waitedFor = 2_000

/** Before the end of a window, background requests get what people have left, in ms. */
const releaseTime = 10_000

/** How many requests may be in flight when failures are forgotten. */
const recoveredInFlight = 8

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
  const isAfterFailures = failurePause(record.consecutiveFailures) > 0
  if (now < record.cooldownUntil) return refuse(isAfterFailures ? 'failures' : 'cooling-down', record.cooldownUntil)

  const inFlight = countInFlight(record)
  const lossAt = nextLossAt(record)
  const windows = liveWindows(record, now)
  // After a pause requests leave one by one, also within a window, until failures are forgotten.
  if (inFlight > 0 && isAfterFailures) return refuse('probe', now, lossAt)

  if (windows.length > 0) {
    const exhausted = windows.filter((window) => unitsOf(window, priority, now) < 1)
    if (exhausted.length > 0) {
      const isUsedUp = exhausted.some(({ remaining }) => remaining < 1)
      return refuse(isUsedUp ? 'used-up' : 'reserve', Math.max(...exhausted.map(windowOpensAt)))
    }
    const isFull = windows.some((window) => unitsOf(window, priority, now) <= inFlight)
    if (isFull) return refuse('in-flight', now, Math.min(lossAt, ...windows.map(({ resetAt }) => resetAt)))
  } else {
    if (inFlight >= record.maxInFlight) return refuse(record.maxInFlight === 1 ? 'probe' : 'in-flight', now, lossAt)
    const room = pace.limit - reserve(priority, pace.limit)
    const opensAt = paceOpensAt(record.localUsage, room - inFlight, pace, now)
    if (opensAt > now) return refuse('pace', paceOpensAt(record.localUsage, room, pace, now), Math.min(lossAt, opensAt))
  }
  const sent = addInFlight(record, request.batch, now + request.holdFor)
  return { admitted: true, record: { ...sent, updatedAt: now } }
}

/** About how many requests of a priority may leave now, to divide them. */
export function unitsLeft(record: GateRecord, priority: Priority, now: number, pace: CustomRate): number {
  const windows = liveWindows(record, now)
  const inPace = Math.min(
    record.maxInFlight,
    pace.limit - reserve(priority, pace.limit) - countUnits(record.localUsage),
  )
  const units = windows.length > 0 ? Math.min(...windows.map((window) => unitsOf(window, priority, now))) : inPace
  return units - countInFlight(record)
}

/** Background requests leave user requests a part of each limit: less and less before its end, but one unit at least. */
function reserve(priority: Priority, limit: number, endsIn: number = releaseTime): number {
  if (priority === 'user') return 0
  return Math.ceil((Math.floor(limit / 10) * Math.min(endsIn, releaseTime)) / releaseTime)
}

/** When a window that has no unit for a priority has one (epoch ms). Only of the reserve more than one can be left. */
function windowOpensAt({ limit, remaining, resetAt }: GateWindow): number {
  return remaining > 1 ? resetAt - Math.floor((releaseTime * (remaining - 1)) / reserve('background', limit)) : resetAt
}

/** Of a window that may belong to a former plan, one request at a time finds out more. */
function unitsOf(
  { limit, remaining, resetAt, contradictions = 0 }: GateWindow,
  priority: Priority,
  now: number,
): number {
  return Math.max(remaining - reserve(priority, limit, resetAt - now), contradictions)
}

/** Records how a request ended. */
export function recordResponse(stored: GateRecord, response: GateResponse, now: number, pace: CustomRate): GateRecord {
  const expired = expire(stored, now, pace)
  const isInFlight = expired.inFlight[response.batch] !== undefined
  const before = { ...removeInFlight(expired, response.batch), updatedAt: now }
  // A request that is no longer in flight was spent when it expired.
  const spend = () => (isInFlight ? spendUnits(before, 1, now, pace) : before)
  const { rateLimitHeaders = {}, status } = response
  if (status === undefined) return spend()

  const sentAt = Math.min(response.sentAt, now)
  const slack = Math.ceil(margin * (1 + response.jitter))
  // A request that left before the last cool-down started says nothing about the time after it.
  const isCurrent = sentAt > before.cooldownStartedAt
  if (isUnexplainedFailure(status, rateLimitHeaders))
    return isCurrent ? recordFailure(spend(), sentAt, now, slack) : spend()

  const skew = learnClockSkew(before.skew, { rateLimitHeaders, refused: status === 429, sentAt, receivedAt: now, pace })
  // The response may not report units that others have lost while the request was in flight.
  const unreportedUnits = isInFlight ? Math.max(0, before.lostUnits - response.lostUnitsBefore) : 0
  const announced = announcedWindow(rateLimitHeaders, skew, now, slack, unreportedUnits)

  if (isRefusal(status, rateLimitHeaders)) {
    const consecutiveRefusals = isCurrent ? nextConsecutiveRefusals(before, now) : before.consecutiveRefusals
    const cooldownStartedAt = isCurrent ? now : before.cooldownStartedAt
    const cooldownUntil = Math.max(
      before.cooldownUntil,
      now + cooldownLength(rateLimitHeaders, skew, consecutiveRefusals, now) + slack,
    )
    // Only the limits of the windows stay known: a probe has to find out what is left.
    const windows = endWindows(announced ? withWindow(before.windows, announced) : before.windows, now)
    const consecutiveFailures = isCurrent ? 0 : before.consecutiveFailures
    const refused = { consecutiveRefusals, consecutiveFailures, cooldownStartedAt, cooldownUntil, windows }
    return { ...before, ...refused, skew, maxInFlight: 1 }
  }
  if (!isCurrent) return { ...spend(), skew }
  if (announced) {
    const windows = mergeWindow(before.windows, announced, isInFlight, now)
    return { ...before, skew, windows, ...recover(before, 1) }
  }
  // Within a window `maxInFlight` starts over, so that its requests do not all meet the next window at once.
  return { ...spend(), skew, ...recover(before, liveWindows(before, now).length > 0 ? 1 : before.maxInFlight + 1) }
}

/** After a pause, failures are forgotten when enough requests have succeeded one by one. `maxInFlight` counts them. */
function recover(
  { consecutiveFailures, maxInFlight }: GateRecord,
  recovered: number,
): Pick<GateRecord, 'consecutiveFailures' | 'maxInFlight'> {
  const isRecovering = failurePause(consecutiveFailures) > 0 && maxInFlight < recoveredInFlight
  if (!isRecovering) return { consecutiveFailures: 0, maxInFlight: recovered }
  return { consecutiveFailures: 2, maxInFlight: maxInFlight + 1 }
}

/** Counts an unexplained failure. From the second one in a row, the whole key pauses. */
function recordFailure(record: GateRecord, sentAt: number, now: number, slack: number): GateRecord {
  // Only a request that waited for the end of the last pause tells that it was too short.
  const isNewRow = record.consecutiveFailures > 1 && sentAt > record.cooldownUntil + waitedFor
  const consecutiveFailures = isNewRow ? 2 : record.consecutiveFailures + 1
  const pause = failurePause(consecutiveFailures)
  if (pause === 0) return { ...record, consecutiveFailures }
  const cooldownUntil = Math.max(record.cooldownUntil, now + pause + slack)
  return { ...record, consecutiveFailures, cooldownStartedAt: now, cooldownUntil, maxInFlight: 1 }
}

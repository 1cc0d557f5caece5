import { type Attempt, closedBreaker, countFailure, isTripped, probeOpensAt, probeTime, startProbe } from './breaker.ts'
import { learnClockSkew } from './rateLimitHeaders.ts'
import { type ClockSkew, type GateRecord, type GateWindow, unitsOf, mergeWindow } from './GateRecord.ts'
import { type CustomRate, day, minute } from './plan.ts'
import {
  announcedWindow,
  countInFlight,
  expire,
  firstInFlight,
  liveWindows,
  paceOpensAt,
  divideAnnounced,
  recentUsage,
  removeInFlight,
  spendUnits,
  takeUnits,
} from './windows.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** User requests leave before background requests, which also leave them a reserve of the quota. */
export type Priority = 'user' | 'background'

/**
 * Why a request may not leave now. `cooling-down`: the service has refused one. `failures`: several in a row had no response
 * that can be read. `probe`: enough requests are in flight until a response comes, or time passes; also said of a request that
 * is rejected because its time is over. `used-up`: a window has nothing left. `reserve`: the rest of it is kept for people.
 * `pace`: no window is live, and as many have left as a window allows. `other-tabs`: it is their turn.
 *
 * The *probe* is the request that leaves alone when the gate opens: its response tells what is allowed. A *trial* is a person's
 * request that leaves although a window is used up: the plan may have changed.
 */
export type HoldReason = 'cooling-down' | 'failures' | 'probe' | 'used-up' | 'reserve' | 'pace' | 'other-tabs'

export interface Hold {
  readonly reason: HoldReason
  /** When it may leave (epoch ms), as far as is known. */
  readonly until: number
  /** Whether the request may also have to wait longer. */
  readonly isEarliest: boolean
}

export interface GateContext {
  /** Epoch ms. */
  readonly now: number
  readonly pace: CustomRate
  /** The id of the page whose requests these are. */
  readonly page: string
  /** Until when the page leaves the turn to other pages that wait (epoch ms). */
  readonly yieldsUntil: number
  /** While the store fails: how many processes share the quota. Each keeps to its part, and pauses after each turn. */
  readonly processes?: number | undefined
}

/** Added to resets and cool-downs: a service may refuse requests in the very second in which it is to open. In ms. */
const margin = 500
/** How long before the end of a window background requests get what people have not used, in ms. */
const releaseTime = 10_000
/** At a calm start a tenth of what was left of the last window may leave at once, but so many requests at least. */
const minInitial = 8
/** How long after a cool-down a start is careful, and how long after its end a window is kept for its limit. In ms. */
const startMemory = 60 * minute
/** How often the number of requests in flight may double while the first of them has no response. */
const maxSteps = 4
/** The time from the last announcement of a used-up window, or from a trial, to the next trial. In ms. */
export const trialGap = 10 * minute
/** How long a page whose requests have left leaves the turn to other pages, in ms. */
export const turnTime = 250

/** How many units of a limit background requests leave to people. Polling pauses already at a fifth (status `low`). */
function reserve(priority: Priority, limit: number, endsIn = Infinity): number {
  return priority === 'user' || endsIn <= releaseTime ? 0 : Math.floor(limit / 10)
}

/**
 * Says why the request at a place of the queue may not leave now, and when it may; nothing if it may. The one rule for who
 * leaves and for what people are told.
 *
 * @param record - up to date by `expire`
 * @returns a function of a request's priority, its place (how many requests of this page leave before it), and when its call
 *   came to the gate, if this is its first request (epoch ms)
 */
export function createOutlook(record: GateRecord, { now, pace, page, yieldsUntil, processes }: GateContext) {
  const { cooldownUntil, breaker, windows } = record
  const isCutOff = processes !== undefined
  const recent = recentUsage(record, now, pace)
  const inFlight = countInFlight(record)
  const live = liveWindows(record, now)
  const others = Object.entries(record.pages).filter(([id, { waitsUntil }]) => id !== page && waitsUntil > now)
  const persons = others.filter(([, { hasUserRequest }]) => hasUserRequest)
  const concurrency = concurrencyOf(record, now, isCutOff)
  // While no window is live, the limits announced last are assumed, or that of the plan if none was announced.
  const limits = windows.flatMap(({ limit }) => limit || [])
  const assumedLimit = limits.length > 0 ? Math.min(...limits) : pace.limit

  function createLane(priority: Priority): (place: number, askedAt: number | undefined) => Hold | undefined {
    const rivals = isCutOff ? processes - 1 : priority === 'user' ? persons.length : others.length
    const hold = (reason: HoldReason, until: number, isEarliest = rivals > 0): Hold => ({ reason, until, isEarliest })
    const freeIn = ({ limit, remaining, resetAt }: GateWindow) =>
      remaining - inFlight - reserve(priority, limit, resetAt - now)
    const freeInWindows = Math.min(...live.map(freeIn))
    // A process that is cut off never relies on a window alone.
    const freeByConcurrency = live.length > 0 && !isCutOff ? Infinity : concurrency.limit - inFlight
    /** How many requests may leave in `pace.per` while no window is live. `paceRoom`: the same, less those in flight. */
    const paceQuota = assumedLimit - reserve(priority, assumedLimit)
    const paceRoom = paceQuota - inFlight
    const freeByPace = live.length > 0 ? Infinity : paceRoom - unitsOf(recent)
    /** How many requests may leave now, and how many of them from this page: each page that waits may send as many. */
    const free = Math.min(freeInWindows, freeByConcurrency, freeByPace)
    const freeForPage = yieldsUntil > now ? 0 : Math.max(1, Math.floor(free / (rivals + 1)))

    /** When a request may leave that gets its unit after `opensAt`, if `place` others get theirs first, window by window. */
    function afterWindow({ limit, minLength }: GateWindow, opensAt: number, place: number) {
      const windowsBefore = limit > 0 ? Math.floor(place / (limit - reserve(priority, limit))) : 0
      const isOfPlan = limit === pace.limit
      const until = opensAt + windowsBefore * Math.max(minLength, isOfPlan ? pace.per : 0)
      return { until, isEarliest: !isOfPlan && (limit === 0 || windowsBefore > 0) }
    }

    function holdInCooldown(place: number): Hold {
      const known = windows.filter(({ limit }) => limit > 0)
      const times = known.map((window) => afterWindow(window, cooldownUntil, place))
      // The probe leaves at the end. Only its response tells whether a window that ends later has units for the others.
      const endsLater = place > 0 && known.some(({ serviceReset }) => serviceReset - record.skew.max > cooldownUntil)
      const isEarliest = rivals > 0 || endsLater || times.every((time) => time.isEarliest)
      return hold('cooling-down', Math.max(cooldownUntil, ...times.map(({ until }) => until)), isEarliest)
    }

    function holdBesideOthers(place: number): Hold | undefined {
      if (rivals === 0) return undefined
      if (priority === 'background' && persons.length > 0)
        return hold('other-tabs', Math.max(...persons.map(([, { waitsUntil }]) => waitsUntil)))
      return place < freeForPage ? undefined : hold('other-tabs', yieldsUntil > now ? yieldsUntil : now + turnTime)
    }

    function holdWithoutWindow(place: number): Hold {
      if (inFlight + place >= concurrency.limit) {
        return hold('probe', Math.min(concurrency.growsAt, firstInFlight(record, 'expiresAt')), true)
      }
      const opensAt = paceOpensAt(recent, paceRoom - (place % paceQuota), pace, now)
      return hold('pace', opensAt + Math.floor(place / paceQuota) * pace.per)
    }

    function holdInWindow(window: GateWindow, place: number): Hold | undefined {
      if (place < freeIn(window)) return undefined
      const { remaining, resetAt, checkedAt } = window
      // Background requests get the reserve before the end, so only places beyond `remaining` need a later window.
      const later = afterWindow(window, resetAt, Math.max(0, place - Math.max(0, remaining - inFlight)))
      const isEarliest = rivals > 0 || later.isEarliest
      if (place < remaining - inFlight) return hold('reserve', resetAt - releaseTime, isEarliest)
      const mayTry = priority === 'user' && place === 0 && inFlight === 0
      if (mayTry && checkedAt + trialGap <= now) return undefined
      return hold('used-up', later.until, isEarliest)
    }

    return (place, askedAt) => {
      if (now < cooldownUntil) return holdInCooldown(place)
      if (isTripped(breaker)) {
        const opensAt =
          place > 0 ? now + probeTime : probeOpensAt(breaker, priority === 'user' ? askedAt : undefined, now)
        if (now < opensAt) return hold('failures', opensAt, true)
      }
      if (place < free) return holdBesideOthers(place)
      if (live.length === 0) return holdWithoutWindow(place)
      const holds = live.flatMap((window) => holdInWindow(window, place) ?? [])
      const [latest] = holds.sort((one, other) => other.until - one.until)
      // If no window holds it, it is a trial, which leaves, or `concurrency` holds it: only in a process that is cut off.
      return latest ?? (isCutOff && inFlight + place >= concurrency.limit ? holdWithoutWindow(place) : undefined)
    }
  }

  const lanes = { user: createLane('user'), background: createLane('background') }
  return (priority: Priority, place: number, askedAt?: number): Hold | undefined => lanes[priority](place, askedAt)
}

/**
 * How many requests may be in flight while no window is live, and when that doubles because the first of them has no
 * response: after a second, or after two where the service has refused a request lately, or the last window was used up.
 *
 * @param isCutOff - whether the store fails: others send, too, whom this process does not hear, so it starts with one
 */
function concurrencyOf(record: GateRecord, now: number, isCutOff: boolean) {
  const { windows, cooldownUntil } = record
  const wasRefused = now - cooldownUntil < startMemory
  const isCalm = windows.length > 0 && !wasRefused && windows.every(({ remaining }) => remaining > 0)
  const initialOf = ({ limit, remaining }: GateWindow) =>
    Math.min(limit || minInitial, Math.max(minInitial, Math.floor(remaining / 10)))
  const initial = isCutOff ? 1 : isCalm ? Math.min(...windows.map(initialOf)) : record.concurrency
  const max = Math.min(initial * 2 ** maxSteps, ...windows.map(({ limit }) => limit || Infinity))
  // Requests that left before the gate opened count as in flight, and the doubling begins only when it opens.
  const openedAt = Math.max(cooldownUntil, ...windows.map(({ resetAt }) => resetAt))
  const firstSentAt = firstInFlight(record, 'since')
  const hasEarlier = firstSentAt < openedAt
  const doublesFrom = Math.max(firstSentAt, openedAt)
  const stepTime = isCalm || (windows.length === 0 && !wasRefused) ? 1_000 : probeTime
  const steps = Math.floor(Math.max(0, now - doublesFrom) / stepTime)
  // Requests from before `openedAt` that hang may be as many as `max`: then one more may leave with each further step.
  const beyondMax = hasEarlier ? Math.max(0, steps - maxSteps) : 0
  const limit = Math.min(max, initial * 2 ** steps) + beyondMax
  return { limit, growsAt: limit < max || hasEarlier ? doublesFrom + (steps + 1) * stepTime : Infinity }
}

/** Notes that requests leave. One that leaves although a window is used up is a trial. */
export function noteSent(record: GateRecord, now: number): GateRecord {
  const isUsedUp = ({ remaining, resetAt }: GateWindow) => remaining === 0 && resetAt > now
  const windows = record.windows.map((window) => (isUsedUp(window) ? { ...window, checkedAt: now } : window))
  return { ...record, windows, breaker: startProbe(record.breaker, now) }
}

/** How a request ended. */
export interface GateResponse extends Attempt {
  readonly page: string
  /** `unreportedUnits` of the record when it left. */
  readonly unreportedBefore: number
  /** When the oldest request of the page left that is still in flight after this one (epoch ms): its new `since`. */
  readonly firstSentAt?: number | undefined
  /** How many units it frees: its own, and those of older requests, which the service has counted in what it announces. */
  readonly freedUnits: number
  /** The HTTP status, or 0 if there was no response that can be read; `undefined` if nobody knows how it ended. */
  readonly status: number | undefined
  readonly rateLimitHeaders?: RateLimitHeaders | undefined
}

export function recordResponse(
  stored: GateRecord,
  response: GateResponse,
  now: number,
  pace: CustomRate,
  processes?: number,
): GateRecord {
  const { page, status, freedUnits, rateLimitHeaders = {}, jitter } = response
  const expired = expire(stored, now, pace)
  // When a request expires, its unit is spent: it is not spent again.
  const wasInFlight = freedUnits > 0 && (expired.pages[page]?.inFlight ?? 0) > 0
  const record = { ...removeInFlight(expired, page, freedUnits, now, response.firstSentAt), updatedAt: now }
  const spend = () => (wasInFlight ? spendUnits(record, 1, now, pace) : record)
  if (status === undefined) return spend()
  const sentAt = Math.min(response.sentAt, now)
  if (status === 0) {
    // A window has units left, or had when it ended in the last minute: the failure is hardly a refusal, so it does not count.
    const { breaker, cooldownUntil } = record
    const hasUnits = record.windows.some(
      ({ resetAt, remaining }) => remaining > 0 && resetAt > cooldownUntil && resetAt + minute > now,
    )
    return { ...spend(), breaker: hasUnits ? breaker : countFailure(breaker, { ...response, sentAt }, now) }
  }

  const slack = Math.ceil(margin * (1 + jitter))
  const skew = learnClockSkew(record.skew, rateLimitHeaders, { status, sentAt, receivedAt: now }, pace)
  // The response may not report units that were spent since its request left, but it reports its own, which is among them if
  // it has expired. With 3 unreported units then, and 5 now, its own among them, `remaining` may be too large by 1.
  const isOwnAmong = freedUnits > 0 && !wasInFlight
  const unreported = Math.max(0, record.unreportedUnits - response.unreportedBefore - Number(isOwnAmong))
  const announced = announcedWindow(rateLimitHeaders, skew, now, slack, unreported)
  // A response to a request from before the cool-down's end says nothing of the quota after it, unless it is a refusal.
  const leftAfterCooldown = sentAt >= record.cooldownUntil
  const learned = { skew, breaker: closedBreaker }
  if (isRefusal(status, rateLimitHeaders)) {
    const consecutiveRefusals = leftAfterCooldown ? countRefusals(record, now) : record.consecutiveRefusals
    const end = now + cooldownLength(rateLimitHeaders, skew, consecutiveRefusals, now) + slack
    const cooldownUntil = Math.max(record.cooldownUntil, end)
    // The windows end now, and only their limits stay known: a probe has to find out what is left.
    const windows = (announced ? mergeWindow(record.windows, announced, now, sentAt) : record.windows).map(
      (window) => ({ ...window, resetAt: Math.min(window.resetAt, now) }),
    )
    return { ...record, ...learned, consecutiveRefusals, cooldownUntil, windows, concurrency: 1 }
  }
  if (!leftAfterCooldown) return { ...spend(), ...learned }
  if (announced) {
    // A trial, or a request after it, has got a quota: the plan has changed, and the used-up window no longer counts.
    const isDisproved = ({ remaining, minLength, checkedAt }: GateWindow) =>
      remaining === 0 && minLength > minute && sentAt >= checkedAt
    const kept = record.windows.filter((window) => !isDisproved(window) && now - window.resetAt < startMemory)
    // The service has counted this request in the window that it announces. A process that is cut off counts its own requests
    // there, too: it keeps to its part, whatever others take.
    const counted = wasInFlight ? takeUnits(kept, 1, processes ? undefined : announced.limit) : kept
    const windows = processes
      ? mergeWindow(counted, divideAnnounced(announced, processes), now)
      : mergeWindow(counted, announced, now, sentAt)
    return { ...record, ...learned, windows, concurrency: 1 }
  }
  // While a window is live, the count stays at 1.
  const concurrency = liveWindows(record, now).length > 0 ? 1 : record.concurrency + 1
  return { ...spend(), ...learned, concurrency }
}

/** The shortest cool-down, in ms; doubled with each refusal in a row. */
const minCooldown = 1_000
/** Refusals in a row beyond so many make no wait longer. */
export const maxRefusals = 6

/** Whether a response says that the key has to wait: a 429, or a ban with its end. */
export function isRefusal(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status === 429 || (status === 403 && (retryIn ?? retryDate) !== undefined)
}

/** Counts the cool-downs in a row before this one, less one for each calm minute; one that a success followed adds none. */
function countRefusals({ cooldownUntil, consecutiveRefusals, concurrency, windows }: GateRecord, now: number): number {
  // A refusal ends all windows, so one that ends after the cool-down comes from a success.
  const hasSucceeded = concurrency > 1 || windows.some(({ resetAt }) => resetAt > cooldownUntil)
  const calmMinutes = Math.floor((now - cooldownUntil) / minute)
  return Math.min(maxRefusals, Math.max(0, consecutiveRefusals + (hasSucceeded ? 0 : 1) - calmMinutes))
}

/** How long nothing leaves after a refusal, in ms. */
function cooldownLength(headers: RateLimitHeaders, skew: ClockSkew, refusals: number, now: number): number {
  const timeUntil = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.min - now)
  const retryAfter = Math.max(headers.retryIn ?? -1, timeUntil(headers.retryDate))
  const reset = timeUntil(headers.resetAt)
  // By the possible skews the reset is a span of time: the wait lasts until its end, if it begins within a day.
  const believable = reset > 0 && reset - (skew.max - skew.min) <= day ? reset : undefined
  // With nothing left before the reset, a shorter Retry-After would only lead to the next refusal.
  const untilReset = headers.remaining === 0 ? (believable ?? 0) : 0
  // The shortest window of the plans is a minute: a shorter guess would send during a cool-down.
  const wait = retryAfter >= 0 ? Math.max(retryAfter, untilReset) : (believable ?? minute * 2 ** refusals)
  return Math.min(day, Math.max(wait, minCooldown * 2 ** refusals))
}

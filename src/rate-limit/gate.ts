import { closedBreaker, countFailure, isOpen, probeOpensAt, probeTime, startProbe } from './breaker.ts'
import { learnClockSkew } from './rateLimitHeaders.ts'
import { type ClockSkew, type GateRecord, type GateWindow, unitsOf, withWindow } from './GateRecord.ts'
import { type CustomRate, day, minute, windowLength } from './plan.ts'
import {
  announce,
  announcedWindow,
  countInFlight,
  expire,
  firstInFlight,
  liveWindows,
  paceOpensAt,
  recentUsage,
  removeInFlight,
  spendUnits,
} from './windows.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/** User requests leave before background requests, which also leave them a reserve of the quota. */
export type Priority = 'user' | 'background'

/**
 * Why a request may not leave now. `cooling-down`: the service has refused one. `failures`: several in a row had no response
 * that can be read. `probe`: requests under way find out what is allowed. `used-up`: a window has nothing left. `reserve`:
 * the rest of it is kept for people. `pace`: no window is known, and the pace of the plan is used up. `other-tabs`: it is
 * their turn.
 */
export type RefusalReason = 'cooling-down' | 'failures' | 'probe' | 'used-up' | 'reserve' | 'pace' | 'other-tabs'

/** A request may not leave yet. */
export interface Hold {
  readonly reason: RefusalReason
  /** When it may leave (epoch ms), as far as is known. */
  readonly until: number
  /** Whether it may also be later. */
  readonly isEarliest: boolean
}

export interface GateContext {
  /** Epoch ms. */
  readonly now: number
  readonly pace: CustomRate
  /** The id of the page that asks. */
  readonly page: string
  /** A page that has had its part waits until then, for others to take theirs (epoch ms). */
  readonly turnAt: number
  /** So many processes share the quota, which this one cannot hear now: it keeps to its part, and takes turns with them. */
  readonly parts?: number | undefined
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
/** How often a person's call tries whether a long window is still used up, in ms: the plan may have changed. */
const trialGap = 10 * minute
/** A page that has had its part waits so long for the others, in ms. */
export const turnTime = 250
/** The same for a process that cannot hear the others. */
export const unheardTurnTime = 100

/** The part of a limit that background requests leave to people. */
function reserve(priority: Priority, limit: number, endsIn = Infinity): number {
  return priority === 'user' || endsIn <= releaseTime ? 0 : Math.floor(limit / 10)
}

/**
 * Says why the request at a place of the queue may not leave now, and when it may; nothing if it may. The one rule for who
 * leaves and for what people are told.
 *
 * @param record - up to date by `expire`
 * @returns a function of a request's priority, its place (while the breaker is open, among those that leave), and when its
 *   call was made, if this is its first request (epoch ms)
 */
export function createOutlook(record: GateRecord, { now, pace, page, turnAt, parts }: GateContext) {
  const { cooldownUntil, breaker, windows } = record
  const recent = recentUsage(record, now, pace)
  const inFlight = countInFlight(record)
  const live = liveWindows(record, now)
  const others = Object.entries(record.pages).filter(([id, { waitsUntil }]) => id !== page && waitsUntil > now)
  const persons = others.filter(([, { user }]) => user)
  const start = maxInFlightOf(record, now, pace, parts !== undefined)

  /** How a window lets the places leave that it has no unit for: as many as it allows, and again after its length. */
  function afterWindow({ limit, length }: GateWindow, opensAt: number, behind: number, priority: Priority): number {
    const chunk = limit > 0 ? limit - reserve(priority, limit) : Infinity
    return opensAt + Math.floor(behind / chunk) * length
  }

  function createLane(priority: Priority): (place: number, askedAt: number | undefined) => Hold | undefined {
    const heard = priority === 'user' ? persons.length : others.length
    const rivals = parts === undefined ? heard : parts - 1
    let last: Hold | undefined
    function hold(reason: RefusalReason, until: number, isEarliest = rivals > 0): Hold {
      const isSame = last?.reason === reason && last.until === until && last.isEarliest === isEarliest
      // One object for all that wait for the same time: they may be thousands.
      if (!last || !isSame) last = { reason, until, isEarliest }
      return last
    }
    const freeOf = ({ limit, remaining, resetAt }: GateWindow) =>
      remaining - inFlight - reserve(priority, limit, resetAt - now)
    // Between two windows the announced limits hold, and where none was ever announced those of the plan.
    const blindLimit = windows.length > 0 ? Math.min(...windows.map((window) => window.limit || Infinity)) : pace.limit
    const room = blindLimit - reserve(priority, blindLimit) - inFlight
    const inWindows = Math.min(...live.map(freeOf))
    const blind = Math.min(start.limit - inFlight, live.length > 0 ? Infinity : room - unitsOf(recent))
    const free = Math.min(inWindows, live.length === 0 || parts !== undefined ? blind : Infinity)
    const part = turnAt > now ? 0 : Math.max(1, Math.floor(free / (rivals + 1)))

    function inCooldown(place: number): Hold {
      const known = windows.filter(({ limit }) => limit > 0)
      const times = known.map((window) => afterWindow(window, cooldownUntil, place, priority))
      return hold('cooling-down', Math.max(cooldownUntil, ...times), rivals > 0 || known.length === 0)
    }

    function besideOthers(place: number): Hold | undefined {
      if (rivals === 0) return undefined
      const isBehind = priority === 'background' && persons.length > 0
      if (isBehind) return hold('other-tabs', Math.max(...persons.map(([, { waitsUntil }]) => waitsUntil)))
      return place < part ? undefined : hold('other-tabs', turnAt > now ? turnAt : now + turnTime)
    }

    function withoutWindow(place: number): Hold {
      if (inFlight + place >= start.limit) {
        return hold('probe', Math.min(start.growsAt, firstInFlight(record, 'until')), true)
      }
      const behind = place % pace.limit
      const until = paceOpensAt(recent, room - behind, pace, now) + Math.floor(place / pace.limit) * pace.per
      return hold('pace', until)
    }

    function inWindow(window: GateWindow, place: number): Hold | undefined {
      const units = freeOf(window)
      if (place < units) return undefined
      const { limit, remaining, resetAt, length, checkedAt } = window
      const isEarliest = rivals > 0 || limit === 0
      if (place < remaining - inFlight) return hold('reserve', resetAt - releaseTime, isEarliest)
      const mayTry = priority === 'user' && place === 0 && inFlight === 0 && length > minute
      if (mayTry && checkedAt + trialGap <= now) return undefined
      return hold('used-up', afterWindow(window, resetAt, place - Math.max(0, units), priority), isEarliest)
    }

    return (place, askedAt) => {
      if (now < cooldownUntil) return inCooldown(place)
      if (isOpen(breaker)) {
        const opensAt = place > 0 ? now + probeTime : probeOpensAt(breaker, priority === 'user' ? askedAt : undefined)
        if (now < opensAt) return hold('failures', opensAt, true)
      }
      if (place < free) return besideOthers(place)
      if (live.length === 0) return withoutWindow(place)
      let latest: Hold | undefined
      for (const window of live) {
        const held = inWindow(window, place)
        if (held && held.until >= (latest?.until ?? 0)) latest = held
      }
      const isNextUp = parts === undefined || inFlight + place < start.limit
      return latest ?? (isNextUp ? undefined : withoutWindow(place))
    }
  }

  const lanes = { user: createLane('user'), background: createLane('background') }
  return (priority: Priority, place: number, askedAt?: number): Hold | undefined => lanes[priority](place, askedAt)
}

/**
 * How many requests may be in flight where no window is known, and when that doubles because the first of them has no
 * response: after a second, or after two where the service has refused a request lately.
 *
 * @param isAlone - whether others may send whom this process does not hear: then each response is waited for
 */
function maxInFlightOf(record: GateRecord, now: number, pace: CustomRate, isAlone: boolean) {
  const { windows, cooldownUntil, maxInFlight } = record
  const wasRefused = now - cooldownUntil < refusalMemory
  const isCalm = windows.length > 0 && !wasRefused && windows.every(({ remaining }) => remaining > 0)
  const startOf = ({ limit }: GateWindow) =>
    limit === 0 ? minStart : Math.min(limit, Math.max(minStart, Math.ceil((limit * 1_000) / windowLength(limit, pace))))
  const start = isAlone ? 1 : isCalm ? Math.min(...windows.map(startOf)) : maxInFlight
  const max = Math.min(start * 2 ** maxSteps, ...windows.map(({ limit }) => limit || Infinity))
  // A request that left before the gate opened says nothing about what follows.
  const since = Math.max(firstInFlight(record, 'since'), cooldownUntil, ...windows.map(({ resetAt }) => resetAt))
  const stepTime = isCalm || (windows.length === 0 && !wasRefused) ? 1_000 : probeTime
  const steps = Math.floor(Math.max(0, now - since) / stepTime)
  const limit = Math.min(max, start * 2 ** Math.min(steps, maxSteps))
  return { limit, growsAt: limit < max ? since + (steps + 1) * stepTime : Infinity }
}

/** Notes that requests leave: as the probe of an open breaker, or to try whether a window is still used up. */
export function noteSent(record: GateRecord, now: number): GateRecord {
  const isTrial = ({ remaining, resetAt }: GateWindow) => remaining === 0 && resetAt > now
  const windows = record.windows.map((window) => (isTrial(window) ? { ...window, checkedAt: now } : window))
  return { ...record, windows, breaker: startProbe(record.breaker, now) }
}

/** How a request ended. */
export interface GateResponse {
  readonly page: string
  /** Epoch ms. */
  readonly sentAt: number
  /** `unreportedUnits` of the record when it left. */
  readonly unreportedBefore: number
  /** When the first request of the page left that is still in flight (epoch ms). */
  readonly since?: number | undefined
  /** How many requests in flight it speaks of: itself, and those before it that an announcement counts, too. */
  readonly settles: number
  /** Whether its call has sent a request before: then its failure says nothing new about the key. */
  readonly isRetry: boolean
  /** The HTTP status, or 0 if there was no response that can be read; `undefined` if nobody knows how it ended. */
  readonly status: number | undefined
  readonly rateLimitHeaders?: RateLimitHeaders | undefined
  /** 0 to 1, at random: spreads the machines that wait for the same time. */
  readonly jitter: number
}

/**
 * Records how a request ended.
 *
 * @param parts - as for a decision
 */
export function recordResponse(
  stored: GateRecord,
  response: GateResponse,
  now: number,
  pace: CustomRate,
  parts?: number,
): GateRecord {
  const { page, status, settles, rateLimitHeaders = {}, jitter } = response
  const expired = expire(stored, now, pace)
  // A request that is no longer in flight was spent when it expired.
  const holdsUnit = settles > 0 && (expired.pages[page]?.inFlight ?? 0) > 0
  const before = { ...removeInFlight(expired, page, settles, now, response.since), updatedAt: now }
  const spend = () => (holdsUnit ? spendUnits(before, 1, now, pace) : before)
  if (status === undefined) return spend()
  const sentAt = Math.min(response.sentAt, now)
  if (status === 0) {
    // While a window has units left, or had in the last minute, the service has hardly refused the request.
    const hasUnits = before.windows.some(({ resetAt, remaining }) => resetAt + minute > now && remaining > 0)
    const { breaker } = before
    return { ...spend(), breaker: hasUnits ? breaker : countFailure(breaker, { ...response, sentAt }, now) }
  }

  const slack = Math.ceil(margin * (1 + jitter))
  const skew = learnClockSkew(before.skew, { rateLimitHeaders, refused: status === 429, sentAt, receivedAt: now, pace })
  const unreported = Math.max(0, before.unreportedUnits - response.unreportedBefore - (holdsUnit ? 0 : 1))
  const announced = announcedWindow(rateLimitHeaders, skew, now, slack, unreported)
  // Nothing leaves in a cool-down, so what left earlier says nothing about the time after it.
  const isCurrent = sentAt >= before.cooldownUntil
  const known = { skew, breaker: closedBreaker }
  if (isRefusal(status, rateLimitHeaders)) {
    const consecutiveRefusals = isCurrent ? countRefusals(before, now) : before.consecutiveRefusals
    const end = now + cooldownLength(rateLimitHeaders, skew, consecutiveRefusals, now) + slack
    const cooldownUntil = Math.max(before.cooldownUntil, end)
    // Only the limits of the windows stay known: a probe has to find out what is left.
    const windows = (announced ? withWindow(before.windows, announced, now, sentAt) : before.windows).map((window) => ({
      ...window,
      resetAt: Math.min(window.resetAt, now),
    }))
    return { ...before, ...known, consecutiveRefusals, cooldownUntil, windows, maxInFlight: 1 }
  }
  if (!isCurrent) return { ...spend(), ...known }
  if (announced) {
    const isDisproved = ({ remaining, length, checkedAt }: GateWindow) =>
      remaining === 0 && length > minute && sentAt >= checkedAt
    const windows = before.windows.filter((window) => !isDisproved(window))
    const spent = { ...before, ...known, windows, maxInFlight: 1 }
    return announce(spent, announced, { sentAt, holdsUnit, parts }, now)
  }
  // Within a window it starts over, so that the requests do not all meet the next window at once.
  const maxInFlight = liveWindows(before, now).length > 0 ? 1 : before.maxInFlight + 1
  return { ...spend(), ...known, maxInFlight }
}

/** The shortest cool-down, in ms; doubled with each refusal in a row. */
const minCooldown = 1_000
/** Further refusals make no wait longer. */
export const maxRefusals = 6

/** Whether a response says that the key has to wait: a 429, or a ban with its end. */
export function isRefusal(status: number, { retryIn, retryDate }: RateLimitHeaders): boolean {
  return status === 429 || (status === 403 && (retryIn ?? retryDate) !== undefined)
}

/** How many cool-downs came before this one: one less for each minute without, and only those without a success since. */
function countRefusals({ cooldownUntil, consecutiveRefusals, maxInFlight, windows }: GateRecord, now: number): number {
  // A refusal leaves no window beyond its cool-down.
  const hasSucceeded = maxInFlight > 1 || windows.some(({ resetAt }) => resetAt > cooldownUntil)
  const calmMinutes = Math.floor((now - cooldownUntil) / minute)
  return Math.min(maxRefusals, Math.max(0, consecutiveRefusals + (hasSucceeded ? 0 : 1) - calmMinutes))
}

/** How long nothing leaves after a refusal, in ms. */
function cooldownLength(headers: RateLimitHeaders, skew: ClockSkew, refusals: number, now: number): number {
  const timeUntil = (serviceTime: number | undefined) => (serviceTime === undefined ? -1 : serviceTime - skew.min - now)
  const retryAfter = Math.max(headers.retryIn ?? -1, timeUntil(headers.retryDate))
  const reset = timeUntil(headers.resetAt)
  // The wait lasts until the latest possible reset, but the earliest possible one has to lie within a day.
  const believable = reset > 0 && reset - (skew.max - skew.min) <= day ? reset : undefined
  // With nothing left before the reset, a shorter Retry-After would only lead to the next refusal.
  const untilReset = headers.remaining === 0 ? (believable ?? 0) : 0
  // The shortest window of the plans is a minute: a shorter guess would send during a cool-down.
  const wait = retryAfter >= 0 ? Math.max(retryAfter, untilReset) : (believable ?? minute * 2 ** refusals)
  return Math.min(day, Math.max(wait, minCooldown * 2 ** refusals))
}

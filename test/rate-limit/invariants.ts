import type { GateWindow } from '../../src/rate-limit/GateRecord.ts'
import { paceOf, type SentRequest, type Trace, type TracedCall } from './simulate.ts'

/** What a look at one trace gave: how many cases it held, and the first that went wrong. */
export interface Judgement {
  readonly cases: number
  readonly wrong?: string | undefined
}

/** Each line that must hold ("The gate: what must always hold"), as it shows in a trace. */
export const invariants = {
  G3: everyTimerIsSound,
  G1: nothingIsSentInAKnownCoolDown,
  G2: theCoolDownNeverMovesEarlier,
  G5: oneProbeGoesAhead,
  G6: notMoreThanAnnouncedIsSent,
  G7: remainingNeverRisesWithinAWindow,
  G8: anEpisodeCostsOneRefusal,
  G9: anAbortedCallIsGoneAtOnce,
  G10: noCallWaitsPastItsTime,
  G11: permissionIsFresh,
  G13: peopleGoBeforeMachines,
  G14: withoutHeadersThePlanSetsThePace,
  G15: aWrongClockNeverKnocks,
  G16: everyCallEnds,
} satisfies Record<string, (trace: Trace) => Judgement>

export type Line = keyof typeof invariants

const minute = 60_000
/** For so long a request may leave on an admission from before. */
const admissionAge = 1_000
const notJudged: Judgement = { cases: 0 }

function judgeAll<Case>(cases: Iterable<Case>, wrong: (one: Case) => string | undefined): Judgement {
  let count = 0
  for (const one of cases) {
    count += 1
    const text = wrong(one)
    if (text !== undefined) return { cases: count, wrong: text }
  }
  return { cases: count }
}

function nothingIsSentInAKnownCoolDown(trace: Trace): Judgement {
  return judgeAll(pairs(refusals(trace), trace.requests), ([refused, { call, sentAt }]) => {
    const sharesGate = trace.isShared || refused.call.page === call.page
    if (!sharesGate || sentAt <= refused.knownAt + admissionAge) return undefined
    // A clock that is set forward makes time pass; one that is set back must not shorten any wait.
    const passed = sentAt - refused.receivedAt + setForward(trace, refused.receivedAt, sentAt)
    const wait = toldWait(trace, refused)
    if (passed >= wait) return undefined
    return `sent ${passed} ms after a refusal that told to wait ${wait} ms`
  })
}

function theCoolDownNeverMovesEarlier(trace: Trace): Judgement {
  if (trace.scenario.clockJumps.some(({ by }) => by < 0)) return notJudged
  return judgeAll(following(trace.records), ([before, after]) => {
    if (after.cooldownUntil < before.cooldownUntil)
      return `cooldownUntil moved from ${before.cooldownUntil} to ${after.cooldownUntil}`
    return undefined
  })
}

function everyTimerIsSound({ timers }: Trace): Judgement {
  const odd = timers.find((ms) => !(ms >= 0 && ms < 2 ** 31))
  return { cases: timers.length, wrong: odd === undefined ? undefined : `a timer was set to ${odd} ms` }
}

function oneProbeGoesAhead(trace: Trace): Judgement {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0) return notJudged
  // Also of pages that were gone before they heard that the gate knows.
  const responses = trace.requests.filter(isReceived)
  return judgeAll(trace.requests.entries(), ([index, { sentAt }]) => {
    const closings = refusals(trace).filter(({ knownAt }) => knownAt + admissionAge < sentAt)
    const closedAt = Math.max(...closings.map(({ knownAt }) => knownAt))
    // Those that left before the line was closed may still be out there.
    const underWay = trace.requests
      .slice(0, index)
      .filter((other) => other.sentAt > closedAt && leaseEnd(trace, other) > sentAt)
    if (underWay.length === 0) return undefined
    const told = responses.filter(
      (response) => response.arrival.status !== 429 && response.receivedAt <= sentAt && response.sentAt > closedAt,
    )
    if (told.length === 0) return `sent at ${sentAt} though a probe was under way`
    if (!trace.scenario.visible.limits) {
      // Each response lets one more be under way: 1, 2, 4, …
      if (underWay.length <= told.length) return undefined
      return `${underWay.length + 1} were under way at ${sentAt}, after ${told.length} responses`
    }
    const last = told.reduce((one, other) => (other.receivedAt > one.receivedAt ? other : one))
    const { knownAt = Infinity } = last
    const isExhausted = last.visible.limits && last.arrival.remaining === 0 && knownAt + admissionAge < sentAt
    const isProbe = isExhausted && underWay.every((other) => other.sentAt > knownAt + admissionAge)
    return isProbe ? `sent at ${sentAt} though a probe was under way in the new window` : undefined
  })
}

function notMoreThanAnnouncedIsSent(trace: Trace): Judgement {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0 || !isClockKnown(trace)) return notJudged
  const announcing = trace.requests
    .filter(hasResponse)
    .filter(({ visible, arrival }) => visible.limits && arrival.status !== 429)
  const refused = refusals(trace)
  // One that left before a refusal was known tells of a time that is over.
  const counting = announcing.filter(
    ({ sentAt, knownAt }) => !refused.some((other) => other.knownAt > sentAt && other.receivedAt <= knownAt),
  )
  return judgeAll(counting, ({ arrival: { at, limit, remaining, resetAt }, knownAt }) => {
    // Given up before they came there: nobody can know that they would.
    const arrived = trace.requests.filter(
      (other) =>
        other.arrival &&
        other.arrival.at > at &&
        other.arrival.at < resetAt &&
        (other.endedAt ?? Infinity) >= other.arrival.at,
    )
    // A refusal tells anew when to come.
    const until = Math.min(...refused.filter((other) => other.knownAt >= knownAt).map((other) => other.knownAt))
    const last = arrived.findLast(({ sentAt }) => sentAt > knownAt + 2 * trace.slowestUpdate && sentAt < until)
    if (!last) return undefined
    const sent = arrived.filter(({ sentAt }) => sentAt <= last.sentAt)
    if (sent.length <= remaining) return undefined
    return `${remaining} of ${limit} were announced at ${at}, and ${sent.length} came in the same window`
  })
}

function remainingNeverRisesWithinAWindow(trace: Trace): Judgement {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0) return notJudged
  return judgeAll(following(trace.records), ([before, after]) => {
    if (after.cooldownStartedAt !== before.cooldownStartedAt) return undefined
    for (const window of after.windows) {
      const known = before.windows.find((other) => isSameWindow(window, other))
      // Nothing leaves by one that is over.
      const isLive = known && known.resetAt > before.updatedAt && window.resetAt > after.updatedAt
      if (isLive && window.remaining > known.remaining) {
        return `remaining rose from ${known.remaining} to ${window.remaining} in the window that ends at ${window.reset}`
      }
    }
    return undefined
  })
}

function anEpisodeCostsOneRefusal(trace: Trace): Judgement {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0) return notJudged
  const refused = refusals(trace)
  const opened = trace.requests.filter(hasResponse).filter(({ arrival }) => arrival.status !== 429)
  return judgeAll(refused, (one) => {
    // Since the last refusal that was known when it left, has a response opened the line?
    const closings = refused.filter(({ knownAt }) => knownAt + admissionAge < one.sentAt)
    const closedAt = Math.max(...closings.map(({ knownAt }) => knownAt))
    if (
      closings.length === 0 ||
      opened.some(({ sentAt, receivedAt }) => sentAt > closedAt && receivedAt <= one.sentAt)
    ) {
      return undefined
    }
    const sameTime = refused.find(
      (other) =>
        other !== one &&
        other.sentAt > closedAt + admissionAge &&
        other.sentAt <= one.sentAt &&
        other.receivedAt > one.sentAt,
    )
    return sameTime && `two knocked at a closed door: at ${sameTime.sentAt} and ${one.sentAt}`
  })
}

function anAbortedCallIsGoneAtOnce(trace: Trace): Judgement {
  const abortedAt = (call: TracedCall) => call.lastPolledAt + (call.plan.abortAfter ?? 0)
  const aborted = living(trace).filter(
    (call) =>
      call.outcome === 'aborted' &&
      call.waits.some(({ from, until = 0 }) => from < abortedAt(call) && until >= abortedAt(call)),
  )
  return judgeAll(aborted, (call) => {
    const abortAt = abortedAt(call)
    if (call.endedAt !== abortAt) return `aborted at ${abortAt}, gone at ${call.endedAt}`
    const late = trace.requests.find((request) => request.call === call && request.sentAt > abortAt)
    if (late) return `sent at ${late.sentAt}, though aborted at ${abortAt}`
    if (!trace.isShared || trace.scenario.clockJumps.length > 0) return undefined
    // Nor does it take the place of another.
    const id = `${call.number}.${call.waits.length - 1}`
    const admitted = trace.records.find(({ inFlight }) => (inFlight[id]?.sentAt ?? 0) > abortAt)
    return admitted && `let in at ${admitted.updatedAt}, though aborted at ${abortAt}`
  })
}

function noCallWaitsPastItsTime(trace: Trace): Judgement {
  return judgeAll(living(trace), (call) => {
    for (const { toldUntil } of call.waits) {
      const tooLong = toldUntil.find((until) => until > call.deadlineLocal)
      if (tooLong !== undefined) return `waits until ${tooLong}, past its deadline ${call.deadlineLocal}`
    }
    if (call.outcome !== 'rejected') return undefined
    if (call.retryAtLocal === undefined || !Number.isFinite(call.retryAtLocal))
      return 'rejected without a time to retry'
    if (trace.scenario.clockJumps.length > 0 || call.endedAt === undefined) return undefined
    if (call.retryAtLocal < call.endedAt - 2 * trace.slowestUpdate) return `is to retry in the past`
    const isEarly = call.endedAt < call.deadlineLocal
    if (isEarly && call.retryAtLocal <= call.deadlineLocal) return 'rejected though there was time to wait'
    // What was known when it asked must have been known to it.
    const coolDown = refusals(trace).find(
      (refused) =>
        (trace.isShared || refused.call.page === call.page) &&
        refused.receivedAt + toldWait(trace, refused) > call.deadlineLocal &&
        Math.max(refused.knownAt, call.lastPolledAt) + 2 * trace.slowestUpdate + latestNews(trace) <
          (call.endedAt ?? 0) &&
        call.waits.slice(-1).some(({ from, until }) => from <= refused.knownAt && (until ?? 0) > refused.knownAt),
    )
    return coolDown && `rejected at ${call.endedAt} only, though known to be hopeless at ${coolDown.knownAt}`
  })
}

function permissionIsFresh(trace: Trace): Judgement {
  return judgeAll(trace.requests, ({ admittedAtLocal, sentAtLocal, closedFor }) => {
    const age = sentAtLocal - admittedAtLocal
    if (age > admissionAge) return `sent on an admission that was ${age} ms old`
    return closedFor > 0 && age === 0 ? `sent ${closedFor} ms before the gate was to open` : undefined
  })
}

function peopleGoBeforeMachines(trace: Trace): Judgement {
  const isPerson = (call: TracedCall, at: number) =>
    call.plan.priority === 'user' || (call.liftedAt !== undefined && call.liftedAt < at)
  const wasWaiting = (call: TracedCall, at: number) =>
    call.waits.some(({ from, until }) => from < at - 2 * trace.slowestUpdate && (until === undefined || until > at))
  const background = trace.requests.filter(({ call, sentAt }) => !isPerson(call, sentAt + 1))
  return judgeAll(background, ({ call, sentAt }) => {
    const before = sentAt - 2 * trace.slowestUpdate
    const passed = trace.calls.find(
      (other) => other.page === call.page && isPerson(other, before) && wasWaiting(other, sentAt),
    )
    return passed && `call ${call.number} of the background passed the person of call ${passed.number} at ${sentAt}`
  })
}

function withoutHeadersThePlanSetsThePace(trace: Trace): Judgement {
  const { visible, clockJumps } = trace.scenario
  const pace = paceOf(trace.scenario)
  if (!trace.isShared || visible.limits || clockJumps.length > 0) return notJudged
  const counted = trace.requests.filter(
    ({ arrival, endedAt }) => arrival && arrival.status !== 429 && (endedAt ?? Infinity) >= arrival.at,
  )
  const times = counted.map(({ arrival }) => arrival?.at ?? 0).sort((a, b) => a - b)
  return judgeAll(times.entries(), ([index, from]) => {
    const within = times.slice(index).filter((time) => time < from + pace.per).length
    return within > pace.limit ? `${within} came within ${pace.per} ms, where ${pace.limit} may` : undefined
  })
}

function aWrongClockNeverKnocks(trace: Trace): Judgement {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0 || !isWaitKnown(trace)) return notJudged
  const refused = refusals(trace)
  return judgeAll(trace.requests, ({ arrival, sentAt }) => {
    if (!arrival?.isKnock) return undefined
    const warning = refused.find(
      ({ knownAt, arrival: { openAt = 0 } }) => knownAt + admissionAge < sentAt && openAt > arrival.at,
    )
    return warning && `came at ${arrival.at}, though told to stay away until ${warning.arrival.openAt}`
  })
}

function everyCallEnds(trace: Trace): Judgement {
  if (trace.isEndless) return { cases: 1, wrong: 'it goes on for ever' }
  const isClockSteady = trace.scenario.clockJumps.length === 0
  const slack = 2 * Math.min(trace.slowestUpdate, 2_000) + longestLateness(trace) + 1_000
  return judgeAll(living(trace), (call) => {
    if (call.outcome === undefined) return `call ${call.number} hangs`
    const late = call.waits.find(
      ({ from, until }) => isClockSteady && (until ?? 0) > Math.max(from, call.deadlineLocal) + slack,
    )
    return late && `call ${call.number} waited until ${late.until}, its deadline was ${call.deadlineLocal}`
  })
}

type Received = SentRequest & { readonly arrival: NonNullable<SentRequest['arrival']>; readonly receivedAt: number }
type Responded = Received & { readonly knownAt: number }

function isReceived(request: SentRequest): request is Received {
  return request.arrival !== undefined && request.receivedAt !== undefined
}

function hasResponse(request: SentRequest): request is Responded {
  return isReceived(request) && request.knownAt !== undefined
}

function refusals(trace: Trace): Responded[] {
  return trace.requests.filter(hasResponse).filter(({ arrival }) => arrival.status === 429)
}

/** The calls whose page was not left. */
function living(trace: Trace): TracedCall[] {
  return trace.calls.filter(({ page }) => trace.pages[page]?.goneAt === undefined)
}

/** When the gate counts a request as under way no more, at the earliest: its lease began when it was admitted. */
function leaseEnd(trace: Trace, { sentAt, endedAt = Infinity }: SentRequest): number {
  return Math.min(endedAt, sentAt + trace.scenario.timeout - trace.slowestUpdate)
}

function longestLateness(trace: Trace): number {
  return 2 * Math.max(0, ...trace.scenario.lateness)
}

/** When all tabs have heard of what happened, after the store has taken it in. */
function latestNews(trace: Trace): number {
  return longestLateness(trace) + Math.max(0, ...trace.scenario.store.map(({ news }) => news))
}

function setForward(trace: Trace, from: number, until: number): number {
  const start = (trace.calls[0]?.lastPolledAt ?? 0) - (trace.calls[0]?.plan.at ?? 0)
  const jumps = trace.scenario.clockJumps.filter(({ at, by }) => by > 0 && start + at >= from && start + at <= until)
  return jumps.reduce((sum, { by }) => sum + by, 0)
}

/** Whether the gate can tell the service's time well enough to know when a window ends. */
function isClockKnown({ scenario, requests }: Trace): boolean {
  const { visible, service, clockJumps } = scenario
  if (clockJumps.length > 0) return false
  if (visible.date && requests.every((request) => request.visible.date)) return true
  // Without a date the reset and the wait are compared, which have to belong together.
  const isHonest = typeof service.retryAfter === 'string' && service.closures.length === 0
  return isHonest && Math.abs(service.clockAhead) < 2 * minute
}

/** Whether what a refusal says can be understood: how long to wait, without a clock or by one that is known. */
function isWaitKnown(trace: Trace): boolean {
  const { service, visible } = trace.scenario
  if (typeof service.retryAfter === 'object' || !visible.retryAfter) return false
  if (trace.requests.some((request) => request.arrival?.status === 429 && !request.visible.retryAfter)) return false
  return service.retryAfter !== 'http-date' || isClockKnown(trace)
}

/** How long a refusal asked to stay away at the least, in ms from when it was received. */
function toldWait(trace: Trace, { arrival, visible, receivedAt }: Responded): number {
  const { retryAfter } = trace.scenario.service
  const shortest = 1_000
  const untilOpen = isClockKnown(trace) ? Math.max(shortest, (arrival.openAt ?? 0) - receivedAt) : shortest
  const text = visible.retryAfter ? (arrival.headers['retry-after'] ?? '') : ''
  if (text && (retryAfter === 'seconds' || retryAfter === 'fractional')) return Math.max(shortest, Number(text) * 1000)
  if (text && retryAfter === 'http-date') return untilOpen
  if (text === '0' || text === '1') return shortest
  if (text === '7, 120') return 120_000
  // Nothing to go by but the reset; without that, a whole minute.
  return visible.limits ? Math.min(untilOpen, Math.max(shortest, arrival.resetAt - receivedAt)) : minute
}

function isSameWindow(one: GateWindow, other: GateWindow): boolean {
  return one.limit === other.limit && one.reset === other.reset && one.reset > 0
}

function* following<Item>(items: readonly Item[]): Generator<readonly [Item, Item]> {
  for (const [index, item] of items.entries()) {
    const next = items[index + 1]
    if (next) yield [item, next]
  }
}

function* pairs<One, Other>(ones: readonly One[], others: readonly Other[]): Generator<readonly [One, Other]> {
  for (const one of ones) for (const other of others) yield [one, other]
}

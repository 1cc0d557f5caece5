import { assumedPaceOf, type SentRequest, type Trace, type TracedCall } from './simulate.ts'

/** The result of checking one trace. */
export interface CheckResult {
  /** How many cases the invariant applied to. */
  readonly cases: number
  /** The first case that broke it. */
  readonly violation?: string | undefined
}

/** What must always hold for the gate, as checks of a trace. */
export const invariants = {
  G3: everyTimerIsValid,
  G1: noRequestLeavesInAKnownCooldown,
  G2: theCooldownNeverMovesEarlier,
  G5: oneProbeGoesAhead,
  G6: noMoreThanAnnouncedIsSent,
  G7: remainingNeverRisesWithinAWindow,
  G8: anEpisodeCostsOneRefusal,
  G9: anAbortedCallEndsAtOnce,
  G10: noCallWaitsPastItsDeadline,
  G11: permissionIsFresh,
  G13: userRequestsLeaveFirst,
  G14: withoutHeadersThePlanSetsThePace,
  G15: aWrongClockCausesNoRequestInACooldown,
  G16: everyCallEnds,
  G17: aPageKnowsItsRefusalsAtOnce,
  G20: userRequestsLeaveFirstOverAllTabs,
} satisfies Record<string, (trace: Trace) => CheckResult>

export type InvariantName = keyof typeof invariants

const minute = 60_000
/** How old an admission may be when the request leaves, in ms. */
const admissionLifetime = 1_000
/** How long the others wait for a probe without a response, in ms. */
const probeTime = 2_000
/** The result where the invariant does not apply to the trace. */
const notApplicable: CheckResult = { cases: 0 }

function checkAll<Case>(cases: Iterable<Case>, check: (one: Case) => string | undefined): CheckResult {
  let count = 0
  for (const one of cases) {
    count += 1
    const violation = check(one)
    if (violation !== undefined) return { cases: count, violation }
  }
  return { cases: count }
}

function noRequestLeavesInAKnownCooldown(trace: Trace): CheckResult {
  return checkAll(pairs(refusals(trace), trace.requests), ([refused, { call, sentAt }]) => {
    const sharesGate = trace.isShared || refused.call.page === call.page
    if (!sharesGate || sentAt <= refused.recordedAt + admissionLifetime) return undefined
    // Setting the clock forward may shorten a wait; setting it back must not.
    const passed = sentAt - refused.receivedAt + setForward(trace, refused.receivedAt, sentAt)
    const wait = announcedWait(trace, refused)
    if (passed >= wait) return undefined
    return `sent ${passed} ms after a 429 that announced a wait of ${wait} ms`
  })
}

function theCooldownNeverMovesEarlier(trace: Trace): CheckResult {
  if (trace.scenario.clockJumps.some(({ by }) => by < 0)) return notApplicable
  return checkAll(neighbors(trace.records), ([before, after]) => {
    if (after.cooldownUntil < before.cooldownUntil)
      return `cooldownUntil moved from ${before.cooldownUntil} to ${after.cooldownUntil}`
    return undefined
  })
}

function everyTimerIsValid({ timers }: Trace): CheckResult {
  const invalid = timers.find((ms) => !(ms >= 0 && ms < 2 ** 31))
  return { cases: timers.length, violation: invalid === undefined ? undefined : `a timer was set to ${invalid} ms` }
}

function oneProbeGoesAhead(trace: Trace): CheckResult {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0) return notApplicable
  // Not only recorded ones: a page may be gone before its response is recorded.
  const responses = trace.requests.filter(isReceived)
  return checkAll(trace.requests.entries(), ([index, { sentAt }]) => {
    const refused = refusals(trace).filter(({ recordedAt }) => recordedAt + admissionLifetime < sentAt)
    const closedAt = Math.max(...refused.map(({ recordedAt }) => recordedAt))
    // Requests that left before the gate closed may still be in flight.
    const later = trace.requests.slice(0, index).filter((other) => other.sentAt > closedAt)
    // G24: the next page of a tab does not wait for what the last one has left in flight.
    const isGone = ({ call }: SentRequest) => (trace.pages[call.page]?.hiddenAt ?? Infinity) <= sentAt
    const inFlight = later.filter((other) => expiryOf(trace, other) > sentAt && !isGone(other))
    if (inFlight.length === 0) return undefined
    // From `closedAt` on: with a slow store, the update that closes the gate may also admit the probe.
    const received = responses.filter(
      (response) => response.arrival.status !== 429 && response.receivedAt <= sentAt && response.sentAt >= closedAt,
    )
    // While the first request hangs, the number in flight doubles each two seconds; each second if nothing is known.
    const isUnknown = refused.length === 0 && (received.length === 0 || !trace.scenario.visible.limits)
    // A slow store lets a request leave late: requests that have ended since may have hung when the gate decided.
    const hanging = later.filter((other) => latestExpiryOf(trace, other) >= sentAt - trace.slowestUpdate)
    const grown = growthFactor(trace, hanging, sentAt, isUnknown ? 1_000 : probeTime)
    if (received.length === 0) {
      if (inFlight.length < grown) return undefined
      return `${inFlight.length + 1} were in flight at ${sentAt}, before any response`
    }
    if (!trace.scenario.visible.limits) {
      // Each response allows one more request in flight.
      if (inFlight.length < (1 + received.length) * grown) return undefined
      return `${inFlight.length + 1} were in flight at ${sentAt}, after ${received.length} responses`
    }
    const last = received.reduce((one, other) => (other.receivedAt > one.receivedAt ? other : one))
    const { recordedAt = Infinity } = last
    const isExhausted = last.visible.limits && last.arrival.remaining === 0 && recordedAt + admissionLifetime < sentAt
    const isProbe = isExhausted && inFlight.every((other) => other.sentAt > recordedAt + admissionLifetime)
    return isProbe && inFlight.length >= grown
      ? `sent at ${sentAt} though a probe was in flight in the new window`
      : undefined
  })
}

/** By which factor the number of requests in flight may have grown while the first of them has no response. */
function growthFactor(
  { slowestUpdate }: Trace,
  inFlight: readonly SentRequest[],
  now: number,
  stepTime: number,
): number {
  const since = Math.min(...inFlight.map(({ sentAt }) => sentAt)) - slowestUpdate
  return 2 ** Math.min(4, Math.floor((now - since) / stepTime))
}

function noMoreThanAnnouncedIsSent(trace: Trace): CheckResult {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0 || !isClockKnown(trace)) return notApplicable
  const announcing = trace.requests
    .filter(isRecorded)
    .filter(({ visible, arrival }) => visible.limits && arrival.status !== 429)
  const refused = refusals(trace)
  // A request that left before a 429 was known says nothing about the time after it.
  const counting = announcing.filter(
    ({ sentAt, recordedAt }) => !refused.some((other) => other.recordedAt > sentAt && other.receivedAt <= recordedAt),
  )
  return checkAll(counting, ({ arrival: { at, limit, remaining, resetAt }, receivedAt, recordedAt }) => {
    // G28: later a person's call tries whether the window is still used up.
    const end = resetAt - at > minute ? Math.min(resetAt, receivedAt + 10 * minute) : resetAt
    // Not requests that were given up before they arrived: the gate cannot know about them.
    const arrived = trace.requests.filter(
      (other) =>
        other.arrival &&
        other.arrival.at > at &&
        other.arrival.at < end &&
        (other.endedAt ?? Infinity) >= other.arrival.at &&
        // Nor those that an outage refuses although units are left: the service does not count them.
        !(other.arrival.status === 429 && other.arrival.remaining > 0),
    )
    // What leaves after the next 429 is no longer measured by this announcement.
    const until = Math.min(
      ...refused.filter((other) => other.recordedAt >= recordedAt).map((other) => other.recordedAt),
    )
    const last = arrived.findLast(({ sentAt }) => sentAt > recordedAt + 2 * trace.slowestUpdate && sentAt < until)
    if (!last) return undefined
    const sent = arrived.filter(({ sentAt }) => sentAt <= last.sentAt)
    if (sent.length <= remaining) return undefined
    return `${remaining} of ${limit} were announced at ${at}, and ${sent.length} arrived in the same window`
  })
}

function remainingNeverRisesWithinAWindow(trace: Trace): CheckResult {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0) return notApplicable
  const announcing = trace.requests.filter(isRecorded).filter(({ visible }) => visible.limits)
  const offset = trace.scenario.service.clockAhead
  return checkAll(trace.records, (record) => {
    for (const { limit, remaining, serviceReset, resetAt } of record.windows) {
      // A window that has ended admits nothing.
      if (resetAt <= record.updatedAt) continue
      const told = announcing.filter(
        ({ arrival, recordedAt }) =>
          arrival.limit === limit &&
          Math.ceil((arrival.resetAt + offset) / 1_000) * 1_000 === serviceReset &&
          recordedAt < record.updatedAt - trace.slowestUpdate,
      )
      const minAnnounced = Math.min(...told.map(({ arrival }) => arrival.remaining))
      if (remaining > minAnnounced) return `${remaining} of ${limit} are left, though ${minAnnounced} were announced`
    }
    return undefined
  })
}

function anEpisodeCostsOneRefusal(trace: Trace): CheckResult {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0) return notApplicable
  const refused = refusals(trace)
  const opened = trace.requests.filter(isRecorded).filter(({ arrival }) => arrival.status !== 429)
  return checkAll(refused, (one) => {
    // It was no probe if, before it left, a response had opened the gate again after the last known 429.
    const earlier = refused.filter(({ recordedAt }) => recordedAt + admissionLifetime < one.sentAt)
    const closedAt = Math.max(...earlier.map(({ recordedAt }) => recordedAt))
    const hasOpened = opened.some(({ sentAt, receivedAt }) => sentAt > closedAt && receivedAt <= one.sentAt)
    if (earlier.length === 0 || hasOpened) return undefined
    const sameTime = refused.filter(
      (other) =>
        other !== one &&
        other.sentAt > closedAt + admissionLifetime &&
        other.sentAt <= one.sentAt &&
        other.receivedAt > one.sentAt,
    )
    const [first] = sameTime
    // While the first probe hangs, which may be lost, more of them leave.
    const later = trace.requests.filter(({ sentAt }) => sentAt > closedAt && sentAt <= one.sentAt)
    const hanging = later.filter((other) => latestExpiryOf(trace, other) >= one.sentAt - trace.slowestUpdate)
    if (!first || sameTime.length < growthFactor(trace, hanging, one.sentAt, probeTime)) return undefined
    return `${sameTime.length + 1} probes met the same cool-down: at ${first.sentAt} and ${one.sentAt}`
  })
}

function anAbortedCallEndsAtOnce(trace: Trace): CheckResult {
  const abortedAt = (call: TracedCall) => call.startedAt + (call.plan.abortAfter ?? 0)
  const aborted = callsOfOpenPages(trace).filter(
    (call) =>
      call.outcome === 'aborted' &&
      call.waits.some(({ from, until = 0 }) => from < abortedAt(call) && until >= abortedAt(call)),
  )
  return checkAll(aborted, (call) => {
    const abortAt = abortedAt(call)
    if (call.endedAt !== abortAt) return `aborted at ${abortAt}, ended at ${call.endedAt}`
    const late = trace.requests.find((request) => request.call === call && request.sentAt > abortAt)
    return late && `sent at ${late.sentAt}, though aborted at ${abortAt}`
  })
}

function noCallWaitsPastItsDeadline(trace: Trace): CheckResult {
  return checkAll(callsOfOpenPages(trace), (call) => {
    for (const { told, deadline } of call.waits) {
      // A call that waits past its deadline for the key's first response is never told a time in the future.
      const tooLong = told.find(({ at, until }) => until > Math.max(at, deadline))
      if (tooLong) return `was told ${tooLong.until}, past its deadline ${deadline}`
    }
    if (call.outcome !== 'rejected') return undefined
    if (call.retryAtLocal === undefined || !Number.isFinite(call.retryAtLocal))
      return 'rejected without a time to retry'
    if (trace.scenario.clockJumps.length > 0 || call.endedAt === undefined) return undefined
    if (call.retryAtLocal < call.endedAt - 2 * trace.slowestUpdate) return 'retryAt lies in the past'
    const isEarly = call.endedAt < call.deadlineLocal
    if (isEarly && call.retryAtLocal <= call.deadlineLocal) return 'rejected though there was time to wait'
    // A cool-down that was known while the call waited must have rejected it.
    const cooldown = refusals(trace).find(
      (refused) =>
        (trace.isShared || refused.call.page === call.page) &&
        refused.receivedAt + announcedWait(trace, refused) > call.deadlineLocal &&
        Math.max(refused.recordedAt, call.startedAt) + 2 * trace.slowestUpdate + notificationDelay(trace) <
          (call.endedAt ?? 0) &&
        call.waits.slice(-1).some(({ from, until }) => from <= refused.recordedAt && (until ?? 0) > refused.recordedAt),
    )
    return cooldown && `rejected only at ${call.endedAt}, though the cool-down was known at ${cooldown.recordedAt}`
  })
}

function permissionIsFresh(trace: Trace): CheckResult {
  return checkAll(trace.requests, ({ closedFor }) =>
    closedFor > 0 ? `sent ${closedFor} ms before the gate was to open` : undefined,
  )
}

function userRequestsLeaveFirst(trace: Trace): CheckResult {
  const isUser = (call: TracedCall, at: number) =>
    call.plan.priority === 'user' || (call.prioritizedAt !== undefined && call.prioritizedAt < at)
  // A call past its last moment no longer comes first: the next decision rejects it.
  const wasWaiting = (call: TracedCall, at: number) =>
    call.waits.some(
      ({ from, until = Infinity, deadline }) =>
        from < at - 2 * trace.slowestUpdate && until > at && lastMoment(from, deadline) >= at,
    )
  const background = trace.requests.filter(({ call, sentAt }) => !isUser(call, sentAt + 1))
  return checkAll(background, ({ call, sentAt }) => {
    const before = sentAt - 2 * trace.slowestUpdate
    const passed = trace.calls.find(
      (other) => other.page === call.page && isUser(other, before) && wasWaiting(other, sentAt),
    )
    return passed && `background call ${call.number} left before user call ${passed.number} at ${sentAt}`
  })
}

function withoutHeadersThePlanSetsThePace(trace: Trace): CheckResult {
  const { visible, clockJumps } = trace.scenario
  const pace = assumedPaceOf(trace.scenario)
  if (!trace.isShared || visible.limits || clockJumps.length > 0) return notApplicable
  const counted = trace.requests.filter(
    ({ arrival, endedAt }) => arrival && arrival.status !== 429 && (endedAt ?? Infinity) >= arrival.at,
  )
  const times = counted.map(({ arrival }) => arrival?.at ?? 0).sort((a, b) => a - b)
  return checkAll(times.entries(), ([index, from]) => {
    const within = times.slice(index).filter((time) => time < from + pace.per).length
    return within > pace.limit ? `${within} arrived within ${pace.per} ms, and ${pace.limit} may` : undefined
  })
}

function aWrongClockCausesNoRequestInACooldown(trace: Trace): CheckResult {
  if (!trace.isShared || trace.scenario.clockJumps.length > 0 || !isWaitKnown(trace)) return notApplicable
  const refused = refusals(trace)
  return checkAll(trace.requests, ({ arrival, sentAt }) => {
    if (!arrival?.isDuringCooldown) return undefined
    const warning = refused.find(
      ({ recordedAt, arrival: { openAt = 0 } }) => recordedAt + admissionLifetime < sentAt && openAt > arrival.at,
    )
    return warning && `arrived at ${arrival.at}, in a cool-down until ${warning.arrival.openAt}`
  })
}

function everyCallEnds(trace: Trace): CheckResult {
  if (trace.isEndless) return { cases: 1, violation: 'the simulation does not end' }
  const { violation } = noRequestLeavesAfterItsCallHasEnded(trace)
  if (violation !== undefined) return { cases: 1, violation }
  const slack = 2 * Math.min(trace.slowestUpdate, 2_000) + maxLateness(trace) + 1_000
  // Until the key's first response, every call may wait five seconds for it.
  const firstRecordedAt = Math.min(...trace.requests.map(({ recordedAt = Infinity }) => recordedAt))
  const grace = (from: number) => (trace.isShared && from > firstRecordedAt ? 0 : 5_000)
  return checkAll(callsOfOpenPages(trace), (call) => {
    if (call.outcome === undefined) return `call ${call.number} hangs`
    const late = call.waits.find(
      ({ from, until, deadline }) => (until ?? 0) > Math.max(from + grace(from), deadline) + slack,
    )
    return late && `call ${call.number} waited until ${late.until}, its deadline was ${late.deadline}`
  })
}

/** When a request that waits since `from` may leave at the latest: all may wait 5 s for the key's first response. */
const lastMoment = (from: number, deadline: number) => Math.max(deadline, from + 5_000)

/** Holds however late timers and stores are. */
function noRequestLeavesAfterItsCallHasEnded(trace: Trace): CheckResult {
  return checkAll(trace.requests, ({ call, attempt, sentAt }) => {
    const { from = Infinity, deadline = Infinity } = call.waits[attempt] ?? {}
    return sentAt > lastMoment(from, deadline) ? `left at ${sentAt}, its call's deadline was ${deadline}` : undefined
  })
}

function aPageKnowsItsRefusalsAtOnce(trace: Trace): CheckResult {
  if (trace.scenario.clockJumps.length > 0) return notApplicable
  return checkAll(pairs(refusals(trace), trace.requests), ([refused, { call, sentAt }]) => {
    const { receivedAt } = refused
    if (refused.call.page !== call.page || sentAt <= receivedAt) return undefined
    const wait = announcedWait(trace, refused)
    if (sentAt >= receivedAt + wait) return undefined
    return `sent ${sentAt - receivedAt} ms after the page received a 429 that announced a wait of ${wait} ms`
  })
}

function userRequestsLeaveFirstOverAllTabs(trace: Trace): CheckResult {
  const { clockJumps, reloads, lateness } = trace.scenario
  const isQuick = trace.slowestUpdate + notificationDelay(trace) <= 500
  if (!trace.isShared || !isQuick || clockJumps.length + reloads.length + lateness.length > 0) return notApplicable
  const background = trace.requests.filter(({ call }) => call.plan.priority === 'background' && !call.prioritizedAt)
  return checkAll(background, ({ call, sentAt }) => {
    // Other tabs know of a call only once it has waited for a while: a second is enough.
    const passed = trace.calls.find(
      (other) =>
        other.page !== call.page &&
        other.plan.priority === 'user' &&
        other.waits.some(({ from, until = Infinity }) => from < sentAt - 1_000 && until > sentAt + 1_000),
    )
    return passed && `background call ${call.number} left before user call ${passed.number} at ${sentAt}`
  })
}

type Received = SentRequest & { readonly arrival: NonNullable<SentRequest['arrival']>; readonly receivedAt: number }
type Recorded = Received & { readonly recordedAt: number }

function isReceived(request: SentRequest): request is Received {
  return request.arrival !== undefined && request.receivedAt !== undefined
}

function isRecorded(request: SentRequest): request is Recorded {
  return isReceived(request) && request.recordedAt !== undefined
}

function refusals(trace: Trace): Recorded[] {
  return trace.requests.filter(isRecorded).filter(({ arrival }) => arrival.status === 429)
}

/** The calls whose page was not reloaded. */
function callsOfOpenPages(trace: Trace): TracedCall[] {
  return trace.calls.filter(({ page }) => trace.pages[page]?.goneAt === undefined)
}

/** The earliest time at which a request may count as no longer in flight: its time-out may count from its admission. */
function expiryOf(trace: Trace, request: SentRequest): number {
  return Math.min(endOf(request), request.sentAt + trace.scenario.timeout - trace.slowestUpdate)
}

/** When it no longer is in flight for the gate, at the latest: `expiresAfter` of the simulation is a second longer. */
function latestExpiryOf(trace: Trace, request: SentRequest): number {
  return Math.min(endOf(request), request.sentAt + trace.scenario.timeout + 1_000 + trace.slowestUpdate)
}

function endOf({ status, recordedAt, endedAt = Infinity }: SentRequest): number {
  // A failure is recorded only 100 ms later, since the page may turn out to be unloading.
  return status === 0 ? (recordedAt ?? endedAt) : endedAt
}

/** How late something may be that takes two timers, in ms. */
function maxLateness(trace: Trace): number {
  return 2 * Math.max(0, ...trace.scenario.lateness)
}

/** How long after an update all tabs know of it, at most, in ms. */
function notificationDelay(trace: Trace): number {
  return maxLateness(trace) + Math.max(0, ...trace.scenario.storeUpdates.map(({ notifyDelay }) => notifyDelay))
}

/** By how many ms the machine's clock was set forward in this time. */
function setForward(trace: Trace, from: number, until: number): number {
  const start = (trace.calls[0]?.startedAt ?? 0) - (trace.calls[0]?.plan.at ?? 0)
  const jumps = trace.scenario.clockJumps.filter(({ at, by }) => by > 0 && start + at >= from && start + at <= until)
  return jumps.reduce((sum, { by }) => sum + by, 0)
}

/** Whether the gate knows the service's clock well enough to know when a window ends. */
function isClockKnown({ scenario, requests }: Trace): boolean {
  const { visible, service, clockJumps } = scenario
  if (clockJumps.length > 0) return false
  if (visible.date && requests.every((request) => request.visible.date)) return true
  // Without a Date the gate learns the clock from Retry-After and reset, if they name one instant: not in an outage.
  const isHonest = typeof service.retryAfter === 'string' && service.outages.length === 0
  return isHonest && Math.abs(service.clockAhead) < 2 * minute
}

/** Whether the gate can understand the wait that a 429 announces. */
function isWaitKnown(trace: Trace): boolean {
  const { service, visible } = trace.scenario
  if (typeof service.retryAfter === 'object' || !visible.retryAfter) return false
  if (trace.requests.some((request) => request.arrival?.status === 429 && !request.visible.retryAfter)) return false
  return service.retryAfter !== 'http-date' || isClockKnown(trace)
}

/** The shortest wait that a 429 announces, in ms from when it was received. */
function announcedWait(trace: Trace, { arrival, visible, receivedAt }: Recorded): number {
  const { retryAfter } = trace.scenario.service
  const shortest = 1_000
  const untilOpen = isClockKnown(trace) ? Math.max(shortest, (arrival.openAt ?? 0) - receivedAt) : shortest
  const text = visible.retryAfter ? (arrival.headers['retry-after'] ?? '') : ''
  if (text && (retryAfter === 'seconds' || retryAfter === 'fractional')) return Math.max(shortest, Number(text) * 1000)
  if (text && retryAfter === 'http-date') return untilOpen
  if (text === '0' || text === '1') return shortest
  if (text === '7, 120') return 120_000
  // Without Retry-After the reset counts, and without both a whole minute.
  return visible.limits ? Math.min(untilOpen, Math.max(shortest, arrival.resetAt - receivedAt)) : minute
}

function* neighbors<Item>(items: readonly Item[]): Generator<readonly [Item, Item]> {
  for (const [index, item] of items.entries()) {
    const next = items[index + 1]
    if (next) yield [item, next]
  }
}

function* pairs<One, Other>(ones: readonly One[], others: readonly Other[]): Generator<readonly [One, Other]> {
  for (const one of ones) for (const other of others) yield [one, other]
}

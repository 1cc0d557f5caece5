import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { expire } from '../../src/rate-limit/expire.ts'
import { rebaseAfterClockRollback } from '../../src/rate-limit/rebaseAfterClockRollback.ts'
import { isRefusal, maxConsecutiveRefusals } from '../../src/rate-limit/cooldown.ts'
import { admit, type Priority, recordResponse } from '../../src/rate-limit/gate.ts'
import { type ClockSkew, emptyRecord, type GateRecord, unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'
import { mergeRecords } from '../../src/rate-limit/mergeRecords.ts'
import { readRecord } from '../../src/rate-limit/readRecord.ts'
import { day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import { type RateLimitHeaders, readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { countInFlight } from '../../src/rate-limit/inFlight.ts'
import { learnClockSkew } from '../../src/rate-limit/clockSkew.ts'
import { drain } from '../../src/rate-limit/drain.ts'
import { createRequestQueue, type QueuedRequest, type RequestQueue } from '../../src/rate-limit/requestQueue.ts'
import { liveWindows } from '../../src/rate-limit/windows.ts'
import { runs, timeout } from './runs.ts'

const begin = Date.UTC(2026, 0, 1)
const pace = paceOf('free')
const holdFor = 31_000
const minWait = (consecutiveRefusals: number) => 1_000 * 2 ** consecutiveRefusals
/** The most that is added to a wait, jitter included, in ms. */
const maxSlack = 1_000

function property(name: string, check: fc.IRawProperty<unknown>): void {
  it(name, () => fc.assert(check, runs), timeout)
}

const upTo = (max: number) => fc.nat({ max })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.oneof(fc.constant(undefined), value)
const jitter = fc.constantFrom(0, 0.3, 0.999)

const validHeaders: fc.Arbitrary<RateLimitHeaders> = fc.record(
  {
    limit: fc.constantFrom(5, 60, 1_000),
    remaining: upTo(60),
    resetAt: upTo(200).map((seconds) => begin + seconds * 1_000),
    retryIn: upTo(200_000),
    retryDate: upTo(200).map((seconds) => begin + seconds * 1_000),
    date: upTo(200).map((seconds) => begin + seconds * 1_000),
  },
  { requiredKeys: [] },
)

/** What can happen to a record. */
type Event =
  | { readonly type: 'request'; readonly after: number; readonly priority: Priority }
  | {
      readonly type: 'response'
      readonly after: number
      readonly which: number
      readonly rateLimitHeaders: RateLimitHeaders | undefined
      readonly status: number
      readonly jitter: number
    }
  | { readonly type: 'clock rollback'; readonly after: number; readonly by: number }
  | { readonly type: 'merge'; readonly after: number; readonly which: number }

const after = fc.oneof({ weight: 3, arbitrary: upTo(1_000) }, { weight: 1, arbitrary: upTo(200_000) })
const requestEvent = fc.record({
  type: fc.constant('request' as const),
  after,
  priority: fc.constantFrom<Priority>('user', 'background'),
})
const responseEvent = fc.record({
  type: fc.constant('response' as const),
  after,
  which: upTo(20),
  rateLimitHeaders: fc.oneof({ weight: 5, arbitrary: validHeaders }, { weight: 1, arbitrary: fc.constant(undefined) }),
  status: fc.constantFrom(200, 200, 200, 429, 429, 503, 0),
  jitter,
})
const clockRollbackEvent = fc.record({ type: fc.constant('clock rollback' as const), after, by: upTo(7_200_000) })
const mergeEvent = fc.record({ type: fc.constant('merge' as const), after, which: upTo(20) })

const events = (...more: readonly fc.Arbitrary<Event>[]): fc.Arbitrary<readonly Event[]> =>
  fc.array<Event>(fc.oneof(requestEvent, responseEvent, ...more), { maxLength: 25 })

/** One event, with the record before and after it. */
interface Step {
  readonly event: Event
  readonly now: number
  readonly before: GateRecord
  readonly after: GateRecord
  readonly isAdmitted: boolean
}

function* play(all: readonly Event[]): Generator<Step> {
  let now = begin
  let record = emptyRecord
  const past: GateRecord[] = []
  const sent: { readonly batch: string; readonly sentAt: number; readonly lostUnitsBefore: number }[] = []
  for (const [index, event] of all.entries()) {
    now += event.after
    const before = record
    let isAdmitted = false
    if (event.type === 'request') {
      const batch = String(Math.floor(index / 3))
      const decision = admit(record, { batch, priority: event.priority, holdFor }, now, pace)
      record = decision.record
      isAdmitted = decision.admitted
      if (isAdmitted) sent.push({ batch, sentAt: now, lostUnitsBefore: record.lostUnits })
    } else if (event.type === 'response') {
      const [request] = sent.splice(event.which % Math.max(1, sent.length), 1)
      const status = event.rateLimitHeaders && event.status
      const unknown = { batch: 'unknown', sentAt: now - 10_000, lostUnitsBefore: 0 }
      record = recordResponse(record, { ...event, status, ...(request ?? unknown) }, now, pace)
    } else if (event.type === 'clock rollback') {
      now -= event.by
      record = expire(record, now, pace)
    } else {
      // With an earlier record, as a tab has it that has missed every change since.
      const other = past[event.which % Math.max(1, past.length)] ?? record
      record = mergeRecords(rebaseAfterClockRollback(record, now), rebaseAfterClockRollback(other, now))
    }
    past.push(record)
    yield { event, now, before, after: record, isAdmitted }
  }
}

const invalidNumber = fc.oneof(
  fc.constantFrom(0, -1, 1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY, 0.5),
  fc.integer({ min: begin - day, max: begin + 3 * day }),
)
const invalidValue = fc.oneof(invalidNumber, fc.constantFrom<unknown>(null, 'text', [], {}, true))
const invalidRecord = fc.record(
  {
    updatedAt: invalidNumber,
    cooldownUntil: invalidValue,
    cooldownStartedAt: invalidValue,
    consecutiveRefusals: invalidValue,
    consecutiveFailures: invalidValue,
    maxInFlight: invalidValue,
    windows: fc.oneof(
      invalidValue,
      fc.array(
        fc.record({ limit: invalidValue, remaining: invalidValue, reset: invalidValue, resetAt: invalidValue }),
        { maxLength: 3 },
      ),
    ),
    localUsage: fc.oneof(
      invalidValue,
      fc.array(fc.record({ at: invalidValue, count: invalidValue }), { maxLength: 3 }),
    ),
    inFlight: fc.oneof(
      invalidValue,
      fc.dictionary(
        fc.constantFrom('a', 'b', '__proto__'),
        fc.record({ count: invalidValue, since: invalidValue, until: invalidValue }),
      ),
    ),
    lostUnits: invalidValue,
    waiting: fc.oneof(
      invalidValue,
      fc.dictionary(
        fc.constantFrom('a', 'b', '__proto__'),
        fc.record({ user: fc.boolean(), background: fc.boolean(), from: invalidValue, served: invalidValue }),
      ),
    ),
    skew: fc.oneof(invalidValue, fc.record({ min: invalidValue, max: invalidValue })),
  },
  { requiredKeys: [] },
)

property(
  'G2: cooldownUntil never moves earlier, is at most a day ahead, and follows a clock that is set back; consecutiveRefusals is capped and decays',
  fc.property(events(clockRollbackEvent, mergeEvent), (all) => {
    for (const { event, now, before, after: record } of play(all)) {
      expect(record.consecutiveRefusals).toBeLessThanOrEqual(maxConsecutiveRefusals)
      if (event.type === 'clock rollback') {
        // The wait that was left when the record was last written is left now, and never more than a day.
        expect(record.cooldownUntil).toBeLessThanOrEqual(now + day + maxSlack)
        const isRollback = before.updatedAt - now > 1_000
        const expected = isRollback ? Math.max(0, before.cooldownUntil - before.updatedAt + now) : before.cooldownUntil
        expect(record.cooldownUntil).toBe(Math.min(expected, now + day + maxSlack))
        continue
      }
      expect(record.cooldownUntil).toBeGreaterThanOrEqual(before.cooldownUntil)
      expect(record.cooldownUntil).toBeLessThanOrEqual(Math.max(before.cooldownUntil, now + day + maxSlack))
      if (record.cooldownStartedAt === before.cooldownStartedAt || record.consecutiveFailures > 0) continue
      const calmMinutes = Math.floor((now - before.cooldownUntil) / minute)
      expect(record.consecutiveRefusals).toBeLessThanOrEqual(before.consecutiveRefusals + 1)
      if (before.cooldownStartedAt > 0 && calmMinutes > before.consecutiveRefusals)
        expect(record.consecutiveRefusals).toBe(0)
    }
  }),
)

property(
  'G2: no value in a store blocks an app for ever',
  fc.property(invalidRecord, (stored) => {
    let record = readRecord(stored)
    let now = begin
    for (let tries = 0; tries < 50; tries += 1) {
      const decision = admit(record, { batch: 'new', priority: 'user', holdFor }, now, pace)
      if (decision.admitted) break
      record = decision.record
      now = Math.max(now + 1, decision.wakeAt)
    }
    // A day for the cool-down, a day for requests in flight, and the window of the pace.
    expect(now).toBeLessThanOrEqual(begin + 2 * day + 2 * minute)
  }),
)

const headerText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', ' ', '2, 2', '2026-01-01', '-1', '0x10', '1e3', 'Infinity', 'NaN', '1.5', '99999999999999999999'),
  fc.integer({ min: -2, max: 9 }).map(String),
  fc.integer({ min: -10, max: 100_000 }).map(String),
  fc.integer({ min: -200, max: 200 }).map((seconds) => String(begin / 1_000 + seconds)),
  fc.integer({ min: -200, max: 200_000 }).map((seconds) => new Date(begin + seconds * 1_000).toUTCString()),
)
const headerNames = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'date'] as const

property(
  'G3: any header text gives a finite wait, not shorter than the minimum',
  fc.property(
    fc.dictionary(fc.constantFrom(...headerNames), headerText),
    upTo(maxConsecutiveRefusals),
    maybe(upTo(600_000)),
    jitter,
    (headers, consecutiveRefusals, calm, random) => {
      const cooldownUntil = calm === undefined ? 0 : begin - calm
      const stored = {
        ...emptyRecord,
        updatedAt: begin,
        consecutiveRefusals,
        cooldownUntil,
        cooldownStartedAt: Math.max(0, cooldownUntil - 1),
      }
      const { record: sent } = admit(stored, { batch: 'a', priority: 'user', holdFor }, begin, pace)
      const now = begin + 250
      const rateLimitHeaders = readRateLimitHeaders({ get: (name) => headers[name] ?? null }, now)
      const ended = { batch: 'a', sentAt: begin, lostUnitsBefore: 0, rateLimitHeaders, jitter: random }
      const record = recordResponse(sent, { ...ended, status: 429 }, now, pace)
      const wait = record.cooldownUntil - now
      expect(wait).toBeGreaterThanOrEqual(minWait(record.consecutiveRefusals))
      expect(wait).toBeLessThanOrEqual(day + maxSlack)
      const { retryIn, retryDate, resetAt } = rateLimitHeaders
      if (retryIn === undefined && retryDate === undefined && resetAt === undefined) {
        expect(wait).toBeGreaterThanOrEqual(Math.min(day, minute * 2 ** record.consecutiveRefusals))
      }
      // No response brings an invalid number into the record.
      const succeeded = recordResponse(sent, { ...ended, status: 200 }, now, pace)
      for (const one of [record, succeeded]) expect(readRecord(JSON.parse(JSON.stringify(one)))).toEqual(one)
    },
  ),
)

const invalidText = fc.constantFrom(
  'soon',
  '-5',
  '+5',
  '1e3',
  '0x10',
  '5s',
  'NaN',
  'Infinity',
  '2026-01-01T00:00:00Z',
  '',
)
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The three forms of an HTTP-date. */
const dateForms: readonly ((time: number) => string)[] = [
  (time) => new Date(time).toUTCString(),
  (time) => {
    const [, date = '', month = '', year = '', clock = ''] = new Date(time).toUTCString().split(/[ ]/)
    return `${days[new Date(time).getUTCDay()]}, ${date}-${month}-${year.slice(2)} ${clock} GMT`
  },
  (time) => {
    const [name = '', date = '', month = '', year = '', clock = ''] = new Date(time).toUTCString().split(/[ ,]+/)
    return `${name} ${month} ${date.replace(/^0/, ' ')} ${clock} ${year}`
  },
]

/** One item of a Retry-After: its text, and the seconds or the date that it means. */
const retryItem: fc.Arbitrary<{ readonly text: string; readonly seconds?: number; readonly date?: number }> = fc.oneof(
  upTo(100_000).map((seconds) => ({ text: String(seconds), seconds })),
  upTo(100_000).map((thousandths) => ({ text: (thousandths / 1_000).toFixed(3), seconds: thousandths / 1_000 })),
  fc.record({ seconds: upTo(90_000), form: upTo(2) }).map(({ seconds, form }) => {
    const date = begin + seconds * 1_000
    return { text: dateForms[form]?.(date) ?? '', date }
  }),
  invalidText.map((text) => ({ text })),
)

property(
  'G4: the real wait is at least the announced one, the longest of a list; jitter only adds',
  fc.property(
    fc.array(retryItem, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(', ', ','),
    fc.integer({ min: -day, max: day }),
    upTo(3_000),
    upTo(3_000),
    (items, separator, clockAhead, requestDelay, responseDelay) => {
      const sentAt = begin - clockAhead
      const arrivedAt = sentAt + requestDelay
      const now = arrivedAt + responseDelay
      const text = items.map((item) => item.text).join(separator)
      const headers = new Map([
        ['retry-after', text],
        ['date', new Date(arrivedAt + clockAhead).toUTCString()],
      ])
      const rateLimitHeaders = readRateLimitHeaders({ get: (name) => headers.get(name) ?? null }, now)
      const { record: sent } = admit(emptyRecord, { batch: 'a', priority: 'user', holdFor }, sentAt, pace)
      const waitWith = (random: number) => {
        const ended = { batch: 'a', sentAt, lostUnitsBefore: 0, rateLimitHeaders, status: 429, jitter: random }
        return recordResponse(sent, ended, now, pace).cooldownUntil - now
      }
      const waits = items.map(({ seconds, date }) => {
        if (seconds !== undefined) return seconds * 1_000
        return date === undefined ? 0 : date - clockAhead - now
      })
      const announced = Math.min(day, Math.max(...waits))
      expect(waitWith(0)).toBeGreaterThanOrEqual(announced + 500)
      expect(waitWith(0.3)).toBeGreaterThanOrEqual(waitWith(0))
      expect(waitWith(0.999)).toBeGreaterThanOrEqual(waitWith(0.3))
      // It is not much longer either: by the uncertainty of the clock, the minimum, and the slack.
      const isAnnounced = items.some(({ seconds, date }) => seconds !== undefined || (date ?? 0) - clockAhead > now)
      if (isAnnounced) {
        const uncertainty = requestDelay + responseDelay
        expect(waitWith(0.999)).toBeLessThanOrEqual(Math.max(announced, 1_000) + uncertainty + 2_000)
      }
    },
  ),
)

property(
  'G5: one probe leaves after a 429 or a window, then 1, 2, 4, … where nothing is announced',
  fc.property(events(), (all) => {
    let allowed = 1
    for (const { event, now, before, after: record, isAdmitted } of play(all)) {
      const isOpen = liveWindows(record, now).length > 0
      if (isAdmitted && !isOpen) expect(countInFlight(record)).toBeLessThanOrEqual(allowed)
      if (event.type !== 'response' || !event.rateLimitHeaders || event.status === 0) {
        if (record.cooldownStartedAt > before.cooldownStartedAt) allowed = 1
        continue
      }
      // In a window, and after a 429, the steps start over.
      allowed =
        isOpen || isRefusal(event.status, event.rateLimitHeaders) || record.cooldownStartedAt > before.cooldownStartedAt
          ? 1
          : allowed + 1
    }
  }),
)

/** What can happen to the requests of one window. */
type WindowEvent = {
  readonly type: 'send' | 'arrive' | 'response' | 'response without headers' | 'loss'
  readonly which: number
}
const windowEvents = fc.array(
  fc.record<WindowEvent>({
    type: fc.constantFrom('send', 'send', 'arrive', 'arrive', 'response', 'response without headers', 'loss'),
    which: upTo(20),
  }),
  { maxLength: 60 },
)

/** One window without other users, in which requests and responses arrive in any order. */
function* playWindow(limit: number, all: readonly WindowEvent[]) {
  interface Sent {
    readonly batch: string
    readonly lostUnitsBefore: number
    announced: number | undefined
  }
  const resetAt = begin + 50_000
  let now = begin
  let record: GateRecord = emptyRecord
  let left = limit
  let inFlight: Sent[] = []
  for (const [index, { type, which }] of all.entries()) {
    now += 10
    const before = record
    const candidates = inFlight.filter(({ announced }) => (announced === undefined) === (type === 'arrive'))
    const chosen = candidates[which % Math.max(1, candidates.length)]
    if (type === 'send') {
      const batch = String(Math.floor(index / 3))
      const decision = admit(record, { batch, priority: 'user', holdFor }, now, pace)
      record = decision.record
      if (decision.admitted) inFlight.push({ batch, lostUnitsBefore: record.lostUnits, announced: undefined })
    } else if (chosen && type === 'arrive') {
      left -= 1
      chosen.announced = left
    } else if (chosen) {
      inFlight = inFlight.filter((sent) => sent !== chosen)
      const announced = { limit, remaining: Math.max(0, chosen.announced ?? 0), resetAt, date: begin }
      const withoutHeaders = type === 'response without headers' ? {} : undefined
      const rateLimitHeaders = type === 'response' ? announced : withoutHeaders
      record = recordResponse(record, { ...chosen, sentAt: now, rateLimitHeaders, status: 200, jitter: 0 }, now, pace)
    }
    yield { before, record, now, uncounted: left - inFlight.filter(({ announced }) => announced === undefined).length }
  }
}

property(
  'G18: a Retry-After on any 4xx or 5xx closes the gate for its time, and one probe leaves at its end',
  fc.property(
    fc.integer({ min: 400, max: 599 }),
    upTo(200_000),
    upTo(5),
    maybe(upTo(60)),
    jitter,
    (status, retryIn, waiting, remaining, random) => {
      const request = (id: number, at: number, record: GateRecord) =>
        admit(record, { batch: String(id), priority: 'user', holdFor }, at, pace)
      const now = begin + 250
      const rateLimitHeaders = { retryIn, remaining, limit: 60, resetAt: begin + 30_000 }
      const { record: sent } = request(0, begin, emptyRecord)
      let record = recordResponse(
        sent,
        { batch: '0', sentAt: begin, lostUnitsBefore: 0, rateLimitHeaders, status, jitter: random },
        now,
        pace,
      )
      expect(record.cooldownUntil).toBeGreaterThanOrEqual(now + retryIn)
      let admitted = 0
      for (let id = 1; id <= waiting + 1; id += 1) {
        expect(request(id, record.cooldownUntil - 1, record).admitted).toBe(false)
        const decision = request(id, record.cooldownUntil, record)
        record = decision.record
        if (decision.admitted) admitted += 1
      }
      expect(admitted).toBe(1)
    },
  ),
)

property(
  'G18: without a readable response one request leaves at a time, after pauses that grow to a minute, in any window',
  fc.property(
    fc.array(fc.record({ status: fc.constantFrom(0, 502, 503, 504), after: upTo(5_000) }), {
      minLength: 2,
      maxLength: 15,
    }),
    maybe(upTo(50)),
    (failures, remaining) => {
      let now = begin
      const window = { limit: 60, remaining: remaining ?? 0, reset: begin + day, resetAt: begin + day }
      let record: GateRecord = { ...emptyRecord, windows: remaining === undefined ? [] : [window] }
      const sent: number[] = []
      for (const { status, after: ms } of failures) {
        const decision = admit(record, { batch: 'a', priority: 'user', holdFor }, now, pace)
        if (!decision.admitted) {
          expect(decision.notBefore).toBe(begin + day) // the window is used up
          return
        }
        sent.push(now)
        if (sent.length > 2) {
          const other = admit(decision.record, { batch: 'b', priority: 'user', holdFor }, now, pace)
          expect(other.admitted).toBe(false)
        }
        const sentAt = now
        now += ms
        const ended = { batch: 'a', sentAt, lostUnitsBefore: 0, rateLimitHeaders: {}, status, jitter: 0 }
        record = recordResponse(decision.record, ended, now, pace)
        const pause = record.cooldownUntil - now
        if (sent.length === 1) expect(record.cooldownUntil).toBe(0)
        else expect(pause).toBe(Math.min(minute, 1_000 * 4 ** (sent.length - 2)) + 500)
        now = Math.max(now, record.cooldownUntil)
      }
    },
  ),
)

property(
  'G6: within a window no more requests leave than announced, whatever is in flight, lost or out of order',
  fc.property(fc.integer({ min: 1, max: 12 }), windowEvents, (limit, all) => {
    for (const { record, now, uncounted } of playWindow(limit, all)) {
      if (liveWindows(record, now).length === 0) continue
      const free = Math.min(...record.windows.map(({ remaining }) => remaining)) - countInFlight(record)
      // The units that the gate would still admit are free at the service.
      expect(Math.max(0, free)).toBeLessThanOrEqual(Math.max(0, uncounted))
    }
  }),
)

property(
  'G7: responses out of order never raise remaining within a window',
  fc.property(fc.integer({ min: 1, max: 12 }), windowEvents, (limit, all) => {
    for (const { before, record } of playWindow(limit, all)) {
      const [known] = before.windows
      if (known) expect(record.windows[0]?.remaining).toBeLessThanOrEqual(known.remaining)
    }
  }),
)

interface WaitingRequest {
  readonly priority: Priority
  readonly maxWait: number
}

function queueOf(queuedRequests: readonly WaitingRequest[], now: number): RequestQueue<QueuedRequest> {
  const queue = createRequestQueue()
  for (const [order, { priority, maxWait }] of queuedRequests.entries()) {
    const deadline = now + maxWait
    queue.enqueue({ id: `queued-${order}`, priority, order, deadline, enteredAt: now - 10_000, holdFor })
  }
  return queue
}

const sortedRequests = ({ user, background }: RequestQueue<QueuedRequest>) => [
  ...user.byOrder(),
  ...background.byOrder(),
]

/** Drains a queue without limiting what the requests wait for. */
function drainAt(queue: RequestQueue<QueuedRequest>, record: GateRecord, now: number) {
  const result = drain(queue, record, { now, monotonicNow: now, pace, page: 'page', inFlight: 0 })
  const settled = new Set([...result.admitted, ...result.rejected.map(({ request }) => request)])
  return { ...result, waiting: sortedRequests(queue).filter((request) => !settled.has(request)) }
}

const queuedRequests = fc.array(
  fc.record<WaitingRequest>({
    priority: fc.constantFrom('user', 'background'),
    maxWait: fc.constantFrom(-5, 0, 1_000, 65_000, 300_000, Number.POSITIVE_INFINITY),
  }),
  { maxLength: 12 },
)

property(
  'G10: exactly the requests that would wait past their deadline are rejected at once, with the time to retry',
  fc.property(events(), queuedRequests, (all, waiting) => {
    const { now, after: record } = [...play(all)].at(-1) ?? { now: begin, after: emptyRecord }
    const queue = queueOf(waiting, now)
    const { admitted, rejected, refusals, waiting: stillQueued, wakeAt } = drainAt(queue, record, now)
    expect(admitted.length + rejected.length + stillQueued.length).toBe(waiting.length)
    if (stillQueued.length === 0) expect(wakeAt).toBe(Number.POSITIVE_INFINITY)
    const opensAt = Math.max(now, record.cooldownUntil)
    for (const { request, retryAt } of rejected) {
      expect(retryAt).toBeGreaterThanOrEqual(opensAt)
      expect(retryAt).toBeLessThanOrEqual(now + day + maxSlack + minute)
      if (request.deadline > now) expect(retryAt).toBeGreaterThan(request.deadline)
    }
    for (const { priority, deadline } of stillQueued) {
      expect(deadline).toBeGreaterThan(now)
      expect(deadline).toBeGreaterThanOrEqual(
        Math.max(opensAt, refusals.get(priority)?.notBefore ?? Number.POSITIVE_INFINITY),
      )
      // The queue is drained again before the deadline.
      expect(wakeAt).toBeLessThanOrEqual(deadline)
      expect(wakeAt).toBeGreaterThan(now)
    }
  }),
)

property(
  'G13: user requests leave first, each in its order; background requests leave them a tenth of the quota, one unit at its end',
  fc.property(events(), queuedRequests, (all, waiting) => {
    const { now, after: record } = [...play(all)].at(-1) ?? { now: begin, after: emptyRecord }
    const queue = queueOf(waiting, now)
    const { admitted, waiting: stillQueued, rejected, record: drained } = drainAt(queue, record, now)
    const passedOver = [...stillQueued, ...rejected.map(({ request }) => request)]
    for (const { priority, order } of admitted) {
      for (const other of passedOver) {
        expect(other.priority === 'user' && priority === 'background').toBe(false)
        if (other.priority === priority) expect(other.order).toBeGreaterThan(order)
      }
    }
    if (!admitted.some(({ priority }) => priority === 'background')) return
    for (const { limit, remaining, resetAt, contradictions = 0 } of liveWindows(drained, now)) {
      // Of a window that may belong to a former plan, one request at a time finds out more.
      if (contradictions > 0) continue
      const part = Math.floor(limit / 10)
      expect(remaining - countInFlight(drained)).toBeGreaterThanOrEqual(
        resetAt - now < 10_000 ? Math.min(1, part) : part,
      )
    }
  }),
)

property(
  'G14: without headers no more requests leave than the pace allows, in any window of its length',
  fc.property(
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom(1_000, minute, day),
    fc.array(fc.record({ after: upTo(100), isResponse: fc.boolean(), which: upTo(20) }), { maxLength: 60 }),
    (limit, per, all) => {
      let now = begin
      let record = emptyRecord
      const sent: number[] = []
      for (const [index, { after: hundredths, isResponse, which }] of all.entries()) {
        now += Math.round((hundredths * per) / 500)
        if (isResponse) {
          const ids = Object.keys(record.inFlight)
          const id = ids[which % Math.max(1, ids.length)]
          if (id)
            record = recordResponse(
              record,
              { batch: id, sentAt: now, lostUnitsBefore: 0, rateLimitHeaders: {}, status: 200, jitter: 0 },
              now,
              {
                limit,
                per,
              },
            )
          continue
        }
        const decision = admit(record, { batch: String(index), priority: 'user', holdFor }, now, { limit, per })
        record = decision.record
        if (!decision.admitted) continue
        sent.push(now)
        expect(sent.filter((at) => at > now - per).length).toBeLessThanOrEqual(limit)
      }
    },
  ),
)

const contains = ({ min, max }: ClockSkew, clockAhead: number) => min <= clockAhead && clockAhead <= max

property(
  'G15: the skew always contains the true difference of the clocks, and a Date tells it to the second',
  fc.property(
    fc.oneof(fc.integer({ min: -day, max: day }), fc.integer({ min: 119_000, max: 122_000 })),
    fc.boolean(),
    fc.array(
      fc.record({
        after: upTo(100_000),
        requestDelay: upTo(3_000),
        responseDelay: upTo(3_000),
        refusedBy: fc.constantFrom('nobody', 'the window', 'another limit'),
        otherWait: upTo(60),
        hasDate: fc.boolean(),
        rounding: fc.constantFrom(Math.floor, Math.ceil),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    (anyClock, isFarOff, responses) => {
      const clockAhead = isFarOff ? anyClock : anyClock % 120_000
      let now = begin
      let skew = unknownClockSkew
      for (const { after: ms, requestDelay, responseDelay, refusedBy, otherWait, hasDate, rounding } of responses) {
        const sentAt = now + ms
        const serviceTime = sentAt + requestDelay + clockAhead
        now = sentAt + requestDelay + responseDelay
        const resetAt = (Math.floor(serviceTime / minute) + 1) * minute
        const refused = refusedBy !== 'nobody'
        const seconds = refusedBy === 'the window' ? Math.ceil((resetAt - serviceTime) / 1_000) : otherWait
        const rateLimitHeaders: RateLimitHeaders = {
          limit: 60,
          remaining: refusedBy === 'the window' ? 0 : 5,
          resetAt: rounding(resetAt / 1_000) * 1_000,
          ...(refused && { retryIn: seconds * 1_000 }),
          ...(hasDate && { date: Math.floor(serviceTime / 1_000) * 1_000 }),
        }
        skew = learnClockSkew(skew, { rateLimitHeaders, refused, sentAt, receivedAt: now, pace })
        if (!isFarOff || hasDate) expect(contains(skew, clockAhead)).toBe(true)
        if (hasDate) expect(skew.max - skew.min).toBeLessThanOrEqual(1_000 + requestDelay + responseDelay)
        if (isFarOff && !hasDate) break // only a Date corrects a clock that is further off than assumed
      }
    },
  ),
)

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/base/Clock.ts'
import { isTripped, probeTime } from '../../src/rate-limit/breaker.ts'
import { learnClockSkew } from '../../src/rate-limit/rateLimitHeaders.ts'
import {
  type ClockSkew,
  emptyRecord,
  type GateRecord,
  joinRecords,
  readRecord,
  rebaseAfterClockRollback,
  unknownClockSkew,
} from '../../src/rate-limit/GateRecord.ts'
import {
  createOutlook,
  type GateResponse,
  maxRefusals,
  noteSent,
  type Priority,
  recordResponse,
} from '../../src/rate-limit/gate.ts'
import type { PendingRequest } from '../../src/rate-limit/pendingRequest.ts'
import { type CustomRate, day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import { addInFlight, countInFlight, expire, liveWindows } from '../../src/rate-limit/windows.ts'
import { type RateLimitHeaders, readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { createRequestQueue, decide, hasUnknownEnd } from '../../src/rate-limit/requestQueue.ts'
import { runs, timeout } from './runs.ts'

const begin = Date.UTC(2026, 0, 1)
const pace = paceOf('free')
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

/** How a request of page `a` ended, without status and headers. */
const anEnd = { page: 'a', isRetry: false, unreportedBefore: 0, freedUnits: 1, jitter: 0 }

interface AskedRequest {
  readonly page?: string
  readonly priority?: Priority
  readonly isRetry?: boolean
  readonly expiresAfter?: number
}

/** Lets one request leave, if it may. */
function admit(
  stored: GateRecord,
  now: number,
  { page = 'a', priority = 'user', isRetry = false, expiresAfter = 31_000 }: AskedRequest = {},
  plan: CustomRate = pace,
) {
  const record = expire(stored, now, plan)
  const outlook = createOutlook(record, { now, pace: plan, page, yieldsUntil: 0 })
  const hold = outlook(priority, 0, isRetry ? undefined : now)
  if (hold) return { record, isAdmitted: false, wakeAt: hold.until }
  const sent = addInFlight(noteSent(record, now), page, 1, expiresAfter, now)
  return { record: { ...sent, updatedAt: now }, isAdmitted: true, wakeAt: now }
}

/** What can happen to a record. */
type Event =
  | {
      readonly type: 'request'
      readonly after: number
      readonly priority: Priority
      readonly isRetry: boolean
    }
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
  isRetry: fc.boolean(),
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
  const sent: Pick<GateResponse, 'isRetry' | 'sentAt' | 'unreportedBefore'>[] = []
  for (const event of all) {
    now += event.after
    const before = record
    let isAdmitted = false
    if (event.type === 'request') {
      const { priority, isRetry } = event
      ;({ record, isAdmitted } = admit(record, now, { priority, isRetry }))
      if (isAdmitted) sent.push({ isRetry, sentAt: now, unreportedBefore: record.unreportedUnits })
    } else if (event.type === 'response') {
      const [request] = sent.splice(event.which % Math.max(1, sent.length), 1)
      const status = event.rateLimitHeaders && event.status
      // Where nothing is in flight: the response of a page that the record does not know.
      const unknown = { page: 'unknown', sentAt: now - 10_000 }
      const firstSentAt = sent[0]?.sentAt
      record = recordResponse(record, { ...event, ...anEnd, status, firstSentAt, ...(request ?? unknown) }, now, pace)
    } else if (event.type === 'clock rollback') {
      now -= event.by
      record = expire(record, now, pace)
    } else {
      // Joins an earlier record, which a tab still has that missed every change since.
      const other = past[event.which % Math.max(1, past.length)] ?? record
      record = joinRecords(rebaseAfterClockRollback(record, now), rebaseAfterClockRollback(other, now), 'a')
    }
    past.push(record)
    yield { event, now, before, after: record, isAdmitted }
  }
}

const anyNumber = fc.oneof(
  fc.constantFrom(0, -1, 1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY, 0.5),
  fc.integer({ min: begin - day, max: begin + 3 * day }),
)
const anyValue = fc.oneof(anyNumber, fc.constantFrom<unknown>(null, 'text', [], {}, true))
const listOf = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(anyValue, fc.array(fc.record(fields), { maxLength: 3 }))
const anyRecord = fc.record(
  {
    updatedAt: anyNumber,
    resets: anyValue,
    cooldownUntil: anyValue,
    consecutiveRefusals: anyValue,
    windows: listOf({
      limit: anyValue,
      remaining: anyValue,
      serviceReset: anyValue,
      resetAt: anyValue,
      minLength: anyValue,
      checkedAt: anyValue,
    }),
    concurrency: anyValue,
    localUsage: listOf({ at: anyValue, count: anyValue }),
    unreportedUnits: anyValue,
    pages: fc.oneof(
      anyValue,
      fc.dictionary(
        fc.constantFrom('a', 'b', '__proto__'),
        fc.record({
          inFlight: anyValue,
          since: anyValue,
          expiresAt: anyValue,
          waitsUntil: anyValue,
          hasUserRequest: fc.boolean(),
        }),
      ),
    ),
    skew: fc.oneof(anyValue, fc.record({ min: anyValue, max: anyValue })),
    breaker: fc.oneof(anyValue, fc.record({ failures: anyValue, since: anyValue, until: anyValue })),
  },
  { requiredKeys: [] },
)

property(
  'G18: while the breaker is open, new calls of people leave at least two seconds apart',
  fc.property(fc.constantFrom(1, 4, 16, 60), fc.array(upTo(4_000), { minLength: 30 }), (seconds, gaps) => {
    const pause = seconds * 1_000
    let record: GateRecord = { ...emptyRecord, breaker: { failures: 2, since: begin, until: begin + pause } }
    let now = begin
    let opensAt = begin + Math.min(pause, 10_000)
    for (const gap of gaps) {
      now += gap
      const asked = admit(record, now, { expiresAfter: 1_000 })
      record = asked.record
      if (!asked.isAdmitted) continue
      expect(now).toBeGreaterThanOrEqual(opensAt)
      opensAt = now + probeTime
    }
  }),
)

property(
  'G2: cooldownUntil never moves earlier, is at most a day ahead, and follows a clock that is set back; consecutiveRefusals is capped and decays',
  fc.property(events(clockRollbackEvent, mergeEvent), (all) => {
    for (const { event, now, before, after: record } of play(all)) {
      expect(record.consecutiveRefusals).toBeLessThanOrEqual(maxRefusals)
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
      if (record.cooldownUntil === before.cooldownUntil) continue
      const calmMinutes = Math.floor((now - before.cooldownUntil) / minute)
      expect(record.consecutiveRefusals).toBeLessThanOrEqual(before.consecutiveRefusals + 1)
      if (before.cooldownUntil > 0 && calmMinutes > before.consecutiveRefusals)
        expect(record.consecutiveRefusals).toBe(0)
    }
  }),
)

property(
  'G2: whatever a store holds, a request may leave within about two days',
  fc.property(anyRecord, (stored) => {
    let record = readRecord(stored)
    let now = begin
    for (let tries = 0; tries < 50; tries += 1) {
      const decision = admit(record, now)
      if (decision.isAdmitted) break
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
  'G3: after a 429 with any header text the wait is finite, and not shorter than the minimum',
  fc.property(
    fc.dictionary(fc.constantFrom(...headerNames), headerText),
    upTo(maxRefusals),
    maybe(upTo(600_000)),
    jitter,
    (headers, consecutiveRefusals, sinceCooldown, random) => {
      const cooldownUntil = sinceCooldown === undefined ? 0 : begin - sinceCooldown
      const stored = { ...emptyRecord, updatedAt: begin, consecutiveRefusals, cooldownUntil }
      const { record: sent } = admit(stored, begin)
      const now = begin + 250
      const rateLimitHeaders = readRateLimitHeaders({ get: (name) => headers[name] ?? null }, now)
      const ended = { ...anEnd, sentAt: begin, rateLimitHeaders, jitter: random }
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
  '5x',
  'NaN',
  'Infinity',
  '2026-01-01T00:00:00',
  '',
)
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The three forms of an HTTP-date, and ISO 8601. */
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
  (time) => new Date(time).toISOString(),
]

/** One item of a Retry-After: its text, and the seconds or the date that it means. */
const retryItem: fc.Arbitrary<{ readonly text: string; readonly seconds?: number; readonly date?: number }> = fc.oneof(
  upTo(100_000).map((seconds) => ({ text: String(seconds), seconds })),
  upTo(100_000).map((thousandths) => ({ text: (thousandths / 1_000).toFixed(3), seconds: thousandths / 1_000 })),
  upTo(100_000).map((seconds) => ({ text: `${seconds}s`, seconds })),
  fc.record({ seconds: upTo(90_000), form: upTo(3) }).map(({ seconds, form }) => {
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
      const { record: sent } = admit(emptyRecord, sentAt)
      const waitWith = (random: number) => {
        const ended = { ...anEnd, sentAt, rateLimitHeaders, status: 429 }
        return recordResponse(sent, { ...ended, jitter: random }, now, pace).cooldownUntil - now
      }
      const waits = items.map(({ seconds, date }) => {
        if (seconds !== undefined) return seconds * 1_000
        return date === undefined ? 0 : date - clockAhead - now
      })
      const announced = Math.min(day, Math.max(...waits))
      expect(waitWith(0)).toBeGreaterThanOrEqual(announced + 500) // the gate's margin
      expect(waitWith(0.3)).toBeGreaterThanOrEqual(waitWith(0))
      expect(waitWith(0.999)).toBeGreaterThanOrEqual(waitWith(0.3))
      // The wait is not much longer either: only by the uncertainty of the clock, the minimum, and the slack.
      const isAnnounced = items.some(({ seconds, date }) => seconds !== undefined || (date ?? 0) - clockAhead > now)
      if (isAnnounced) {
        const uncertainty = requestDelay + responseDelay
        expect(waitWith(0.999)).toBeLessThanOrEqual(Math.max(announced, 1_000) + uncertainty + 2_000)
      }
    },
  ),
)

/** Lets as many requests leave as may at this time, up to 200. Returns how many are in flight then. */
function admitAll(record: GateRecord, now: number, priority: Priority = 'user', plan = pace) {
  let admitted = record
  for (let count = 0; count < 200; count += 1) {
    const decision = admit(admitted, now, { priority, expiresAfter: 120_000 }, plan)
    if (!decision.isAdmitted) break
    admitted = decision.record
  }
  return { record: admitted, inFlight: countInFlight(admitted) }
}

/** Lets one request leave, and records how it ended. */
function exchange(
  record: GateRecord,
  sentAt: number,
  receivedAt: number,
  response: Pick<GateResponse, 'status' | 'rateLimitHeaders'>,
): GateRecord {
  const { record: sent } = admit(record, sentAt, { page: 'exchange' })
  const ended = { ...anEnd, page: 'exchange', sentAt, unreportedBefore: sent.unreportedUnits }
  return recordResponse(sent, { ...ended, ...response }, receivedAt, pace)
}

/** Why the gate was closed. */
const reasons = fc.constantFrom('a refusal', 'a refusal without a time', 'a refusal an hour ago', 'a used-up window')

/** A record whose gate was closed for this reason, and when it opens: now (`begin`) if the refusal was an hour ago. */
function closedBy(
  reason: typeof reasons extends fc.Arbitrary<infer Reason> ? Reason : never,
  limit: number,
  before = emptyRecord,
) {
  const headers = { limit, remaining: 0, resetAt: begin + 20_000, date: begin }
  if (reason === 'a used-up window') {
    const record = exchange(before, begin, begin, { status: 200, rateLimitHeaders: headers })
    return { record, opensAt: begin + 20_500 }
  }
  const retryIn = reason === 'a refusal without a time' ? {} : { retryIn: 7_000 }
  const refusedAt = reason === 'a refusal an hour ago' ? begin - 59 * minute : begin
  const record = exchange(before, refusedAt, refusedAt, { status: 429, rateLimitHeaders: retryIn })
  return { record, opensAt: Math.max(begin, record.cooldownUntil) }
}

property(
  'G5: after a refusal or a used-up window, a request from before that hangs counts as the probe for two seconds',
  fc.property(reasons, fc.integer({ min: 2, max: 60 }), upTo(9_999), (reason, limit, time) => {
    const hanging = admit(emptyRecord, begin - 30_000, { expiresAfter: 120_000 })
    const { record, opensAt } = closedBy(reason, limit, hanging.record)
    if (opensAt === begin) return // the refusal is older than the request
    let open = record
    for (let passed = 0; passed <= time; passed += 100) {
      const { record: more, inFlight } = admitAll(open, opensAt + passed)
      const known = record.windows[0]?.limit ?? Infinity
      expect(inFlight).toBe(Math.min(16, known, 2 ** Math.floor(passed / 2_000)))
      open = more
    }
  }),
)

property(
  'G5: after a refusal or a used-up window one probe leaves; while it hangs, twice as many may be in flight each two seconds',
  fc.property(reasons, fc.integer({ min: 1, max: 60 }), upTo(30_000), upTo(9_999), (reason, limit, late, hangs) => {
    const { record, opensAt } = closedBy(reason, limit)
    if (opensAt > begin) expect(admitAll(record, opensAt - 1).inFlight).toBe(0)
    const probedAt = opensAt + late
    const probing = admitAll(record, probedAt)
    expect(probing.inFlight).toBe(1)
    let open = probing.record
    for (let time = 0; time <= hangs; time += 100) {
      const { record: more, inFlight } = admitAll(open, probedAt + time)
      const known = record.windows[0]?.limit ?? Infinity
      expect(inFlight).toBe(Math.min(16, known, 2 ** Math.floor(time / 2_000)))
      open = more
    }
  }),
)

property(
  'G5: after the head of the probe as many requests leave as it announces, or one more for each head that announces nothing',
  fc.property(
    reasons,
    fc.integer({ min: 1, max: 60 }),
    upTo(60),
    upTo(1_900),
    fc.boolean(),
    (reason, limit, left, hangs, isReadable) => {
      const { record, opensAt } = closedBy(reason, limit)
      const remaining = Math.min(left, limit - 1)
      const now = opensAt + hangs
      const announced = { limit, remaining, resetAt: opensAt + 40_000, date: now }
      const headers = isReadable ? announced : {}
      const opened = exchange(record, opensAt, now, { status: 200, rateLimitHeaders: headers })
      if (isReadable) expect(admitAll(opened, now).inFlight).toBe(remaining)
      if (isReadable) return
      let open = opened
      for (let heads = 1; heads <= 6; heads += 1) {
        const { record: sent, inFlight } = admitAll(open, now + heads)
        // Each head has spent a unit of the limit.
        expect(inFlight).toBe(Math.min(heads + 1, Math.max(0, (record.windows[0]?.limit ?? Infinity) - heads)))
        // The next head arrives. All other requests hang.
        const ended = { ...anEnd, sentAt: now + heads, firstSentAt: now + heads, rateLimitHeaders: {}, status: 200 }
        open = recordResponse(sent, ended, now + heads, pace)
      }
    },
  ),
)

property(
  'G6: for a key that was never seen one request leaves; while it hangs, one, two, four, eight more in each further second',
  fc.property(
    upTo(120_000),
    fc.array(fc.constantFrom<Priority>('user', 'background'), { minLength: 1 }),
    (hangs, priorities) => {
      let open = emptyRecord
      // Six seconds in small steps, then some in large ones.
      for (let time = 0, index = 0; time <= hangs && index < 80; time += index < 60 ? 100 : 5_000, index += 1) {
        const priority = priorities[index % priorities.length]
        const { record, inFlight } = admitAll(open, begin + time, priority)
        expect(inFlight).toBe(2 ** Math.min(4, Math.floor(time / 1_000)))
        open = record
      }
    },
  ),
)

property(
  'G6: at least eight leave at once where the last window ended with units left and no refusal was heard for an hour, and never more than the known limit',
  fc.property(
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 1, max: 100 }),
    upTo(3 * 60),
    fc.oneof(fc.constant(undefined), fc.integer({ min: 61, max: 300 })),
    upTo(6_000),
    (limit, percent, minutes, refusedAgo, hangs) => {
      const plan = { limit: Math.max(60, limit), per: minute }
      const remaining = Math.max(1, Math.floor((limit * percent) / 100))
      const now = begin + minutes * minute + 1_000
      // The cool-down itself takes a part of the two minutes.
      const refusedAt = refusedAgo === undefined ? undefined : now - (refusedAgo + 2) * minute
      const refused =
        refusedAt === undefined
          ? emptyRecord
          : exchange(emptyRecord, refusedAt, refusedAt, { status: 429, rateLimitHeaders: { retryIn: 1_000 } })
      const headers = { limit, remaining, resetAt: now - 30_000, date: now - 60_000 }
      const ended = exchange(refused, now - 60_000, now - 60_000, { status: 200, rateLimitHeaders: headers })
      let open = ended
      for (let time = 0; time <= hangs; time += 500) {
        const { record, inFlight } = admitAll(open, now + time, 'user', plan)
        expect(inFlight).toBeGreaterThanOrEqual(Math.min(8, limit))
        expect(inFlight).toBeLessThanOrEqual(limit)
        if (time === 0) expect(inFlight).toBeLessThanOrEqual(Math.max(8, Math.floor(remaining / 10)))
        open = record
      }
      // What the first head announces counts from then on.
      const left = Math.max(0, remaining - 1)
      const announced = { limit, remaining: left, resetAt: now + hangs + 40_000, date: now + hangs }
      const response = { ...anEnd, sentAt: now, rateLimitHeaders: announced, status: 200 }
      const known = recordResponse(open, response, now + hangs, plan)
      const before = countInFlight(known)
      const { inFlight } = admitAll(known, now + hangs, 'user', plan)
      expect(inFlight).toBe(Math.max(before, Math.min(left, before + 200)))
    },
  ),
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
    readonly sentAt: number
    readonly unreportedBefore: number
    /** The `remaining` of its response; `undefined` until it has arrived at the service. */
    announced: number | undefined
  }
  const resetAt = begin + 50_000
  let now = begin
  let record: GateRecord = emptyRecord
  let left = limit
  let minAnnounced = limit
  let inFlight: Sent[] = []
  for (const { type, which } of all) {
    now += 10
    const candidates = inFlight.filter(({ announced }) => (announced === undefined) === (type === 'arrive'))
    const chosen = candidates[which % Math.max(1, candidates.length)]
    if (type === 'send') {
      const decision = admit(record, now)
      record = decision.record
      if (decision.isAdmitted)
        inFlight.push({ sentAt: now, unreportedBefore: record.unreportedUnits, announced: undefined })
    } else if (chosen && type === 'arrive') {
      left -= 1
      chosen.announced = left
    } else if (chosen) {
      inFlight = inFlight.filter((sent) => sent !== chosen)
      const announced = { limit, remaining: Math.max(0, chosen.announced ?? 0), resetAt, date: begin }
      const withoutHeaders = type === 'response without headers' ? {} : undefined
      const rateLimitHeaders = type === 'response' ? announced : withoutHeaders
      const ended = { ...anEnd, ...chosen, rateLimitHeaders, status: 200 }
      if (type === 'response') minAnnounced = Math.min(minAnnounced, announced.remaining)
      record = recordResponse(record, ended, now, pace)
    }
    const underWay = inFlight.filter(({ announced }) => announced === undefined).length
    yield { record, now, minAnnounced, freeAtService: left - underWay }
  }
}

property(
  'G6: within a window no more requests leave than announced, whatever is in flight, lost or out of order',
  fc.property(fc.integer({ min: 1, max: 12 }), windowEvents, (limit, all) => {
    for (const { record, now, freeAtService } of playWindow(limit, all)) {
      if (liveWindows(record, now).length === 0) continue
      const free = Math.min(...record.windows.map(({ remaining }) => remaining)) - countInFlight(record)
      expect(Math.max(0, free)).toBeLessThanOrEqual(Math.max(0, freeAtService))
    }
  }),
)

property(
  'G7: responses out of order never raise remaining within a window',
  fc.property(fc.integer({ min: 1, max: 12 }), windowEvents, (limit, all) => {
    for (const { record, minAnnounced } of playWindow(limit, all)) {
      for (const { remaining } of record.windows) expect(remaining).toBeLessThanOrEqual(minAnnounced)
    }
  }),
)

interface WaitingRequest {
  readonly priority: Priority
  readonly maxWait: number
  readonly isRetry: boolean
  /** How long the request has waited, in ms. */
  readonly waited: number
}

const nothing = () => {}
/** Decides for page `page` about a queue of requests. */
function decideOn(waiting: readonly WaitingRequest[], record: GateRecord, now: number, isBrief = false) {
  const queue = createRequestQueue()
  for (const [order, { maxWait, priority, isRetry, waited }] of waiting.entries()) {
    const request: PendingRequest = {
      ...{ callId: `queued-${order}`, operation: '', order, priority, isRetry, rank: 0 },
      ...{ deadline: now + maxWait, enteredAt: now - waited },
      ...{ signal: new AbortController().signal, permit: nothing, reject: nothing, abort: nothing },
    }
    queue.add(request)
  }
  return decide(queue.inOrder(), record, {
    now,
    pace,
    page: 'page',
    yieldsUntil: 0,
    expiresAfter: 31_000,
    isBrief,
    clock: { ...systemClock, monotonic: () => now },
  })
}

const queuedRequests = fc.array(
  fc.record<WaitingRequest>({
    priority: fc.constantFrom('user', 'background'),
    maxWait: fc.constantFrom(-5, 0, 1_000, 65_000, 300_000, Number.POSITIVE_INFINITY),
    isRetry: fc.boolean(),
    waited: fc.constantFrom(0, 5_000, 30_000),
  }),
  { maxLength: 12 },
)

property(
  'G10: exactly the requests that would wait past their deadline are rejected at once, with the time to retry',
  fc.property(events(), queuedRequests, (all, requests) => {
    const { now, after: record } = [...play(all)].at(-1) ?? { now: begin, after: emptyRecord }
    const { admitted, rejected, waiting, wakeAt } = decideOn(requests, record, now)
    expect(admitted.length + rejected.size + waiting.length).toBe(requests.length)
    if (waiting.length === 0) expect(wakeAt).toBe(Number.POSITIVE_INFINITY)
    for (const [{ deadline }, hold] of rejected) {
      expect(hold.until).toBeGreaterThanOrEqual(Math.max(now, hasUnknownEnd(hold.reason) ? 0 : record.cooldownUntil))
      // At most a day for each request that leaves before.
      expect(hold.until).toBeLessThanOrEqual(now + (1 + waiting.length) * (day + maxSlack + minute))
      if (deadline > now) expect(hold.until).toBeGreaterThan(deadline)
    }
    for (const [{ deadline }, hold] of waiting) {
      if (!hasUnknownEnd(hold.reason))
        expect(deadline).toBeGreaterThanOrEqual(Math.max(hold.until, record.cooldownUntil))
      // It decides again by the deadline, or within the five seconds that all may wait for the key's first response.
      expect(wakeAt).toBeLessThanOrEqual(Math.max(deadline, now + 5_000))
      expect(wakeAt).toBeGreaterThan(now)
    }
  }),
)

property(
  'G22: a brief decision, which ends where no further request can leave, lets the same requests leave as a complete one',
  fc.property(events(), queuedRequests, (all, requests) => {
    const { now, after: record } = [...play(all)].at(-1) ?? { now: begin, after: emptyRecord }
    const breaker = { failures: 3, since: now - 15_000, until: now + 20_000 }
    for (const known of [record, { ...record, breaker }]) {
      const [brief, complete] = [decideOn(requests, known, now, true), decideOn(requests, known, now)]
      expect(brief.admitted.map(({ callId }) => callId)).toEqual(complete.admitted.map(({ callId }) => callId))
      expect(brief.record).toEqual(complete.record)
      if (!isTripped(known.breaker)) expect(brief.waiting.length).toBe(Math.min(1, complete.waiting.length))
    }
  }),
)

property(
  'G13: user requests leave first, each in its order; background requests leave them a tenth of the quota until 10 s before its end',
  fc.property(events(), queuedRequests, (all, requests) => {
    const { now, after: record } = [...play(all)].at(-1) ?? { now: begin, after: emptyRecord }
    const { admitted, rejected, waiting, record: decided } = decideOn(requests, record, now)
    // While the breaker is open, the first requests of calls leave before retries, even before those of people.
    const isProbe = record.breaker.until > 0
    for (const { priority, order } of admitted) {
      for (const other of [...waiting.map(([request]) => request), ...rejected.keys()]) {
        if (isProbe || other.deadline < now) continue
        expect([priority, other.priority]).not.toEqual(['background', 'user'])
        if (other.priority === priority) expect(other.order).toBeGreaterThan(order)
      }
    }
    if (!admitted.some(({ priority }) => priority === 'background')) return
    for (const { limit, remaining, resetAt } of liveWindows(decided, now)) {
      if (resetAt - now <= 10_000) continue
      expect(remaining - countInFlight(decided)).toBeGreaterThanOrEqual(Math.floor(limit / 10))
    }
  }),
)

property(
  'G14: without headers no more requests leave than the pace allows in any time of its length, also if there were headers before',
  fc.property(
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom(1_000, minute, day),
    fc.boolean(),
    fc.array(fc.record({ after: upTo(100), isResponse: fc.boolean() }), { maxLength: 60 }),
    (limit, per, wasAnnounced, all) => {
      const rateLimitHeaders = { limit, remaining: limit - 1, resetAt: begin + per, date: begin }
      let now = wasAnnounced ? begin + per + minute : begin
      let record = wasAnnounced ? exchange(emptyRecord, begin, begin, { status: 200, rateLimitHeaders }) : emptyRecord
      const sent: number[] = []
      // A step is a 500th of the window.
      for (const { after: steps, isResponse } of all) {
        now += Math.round((steps * per) / 500)
        if (isResponse) {
          const ended = { ...anEnd, sentAt: now, rateLimitHeaders: {}, status: 200 }
          if (countInFlight(record) > 0) record = recordResponse(record, ended, now, { limit, per })
          continue
        }
        const decision = admit(record, now, {}, { limit, per })
        record = decision.record
        if (!decision.isAdmitted) continue
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
        skew = learnClockSkew(skew, rateLimitHeaders, { status: refused ? 429 : 200, sentAt, receivedAt: now }, pace)
        if (!isFarOff || hasDate) expect(contains(skew, clockAhead)).toBe(true)
        if (hasDate) expect(skew.max - skew.min).toBeLessThanOrEqual(1_000 + requestDelay + responseDelay)
        if (isFarOff && !hasDate) break // only a Date corrects a clock that is further off than assumed
      }
    },
  ),
)

import { describe, expect, test } from 'vitest'
import { emptyRecord, type GateRecord, joinRecords, rebaseAfterClockRollback } from '../../src/rate-limit/GateRecord.ts'
import { createOutlook, noteSent, recordResponse } from '../../src/rate-limit/gate.ts'
import { day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import { addInFlight, countInFlight, expire, forgetPage, liveWindows } from '../../src/rate-limit/windows.ts'
import { isDeep } from './runs.ts'

/*
 * Every order of events of a small world, breadth first, on the pure functions of the gate: two pages, three calls, a window
 * of two units. Requests are lost, responses late or heard twice, the clock is set back, the store loses the record.
 */

const start = Date.UTC(2026, 0, 1)
const pace = paceOf('free')
const limit = 2
const pages = ['a', 'b'] as const
/** How much may pass in one step, in ms: a moment, the wait for a probe, longer than a request takes, and a window. */
const steps = [10, 2_100, 7_600, minute] as const

interface Sent {
  readonly page: string
  readonly sentAt: number
  readonly unreportedBefore: number
  /** The response of the service, if the request has arrived. */
  readonly response?: { readonly status: number; readonly remaining: number } | undefined
}

interface State {
  readonly now: number
  /** When the service's window ends, in epoch ms. */
  readonly windowEndsAt: number
  /** How many units are left in it. */
  readonly left: number
  readonly record: GateRecord
  /** What each page remembers: the record as of its last use of the store. */
  readonly known: Readonly<Record<string, GateRecord>>
  readonly callsLeft: number
  readonly inFlight: readonly Sent[]
  /** How many of the events were faults; `maxFaults` may be. */
  readonly faults: number
  /** Whether the store has lost the record, or the clock was set back: then no page knows the window for sure. */
  readonly isForgetful: boolean
  /** The end of the last cool-down of which a page has heard; 0 if of none. */
  readonly closedUntil: number
  readonly path: readonly string[]
}

const initial: State = {
  now: start,
  windowEndsAt: start + minute,
  left: limit,
  record: emptyRecord,
  known: { a: emptyRecord, b: emptyRecord },
  callsLeft: 3,
  inFlight: [],
  faults: 0,
  isForgetful: false,
  closedUntil: 0,
  path: [],
}

/** A page changes the record. If the store has lost the record, what the page remembers is joined with it. */
function update(state: State, page: string, change: (record: GateRecord) => GateRecord): State {
  const known = rebaseAfterClockRollback(state.known[page] ?? emptyRecord, state.now)
  const read = rebaseAfterClockRollback(state.record, state.now)
  const hasLost = read.updatedAt < known.updatedAt && read.cooldownUntil <= known.cooldownUntil
  const record = change(hasLost ? joinRecords(read, known, page) : read)
  return { ...state, record, known: { ...state.known, [page]: record } }
}

function send(state: State, page: string): State | undefined {
  let sent: Sent | undefined
  const next = update(state, page, (stored) => {
    const record = expire(stored, state.now, pace)
    const outlook = createOutlook(record, { now: state.now, pace, page, yieldsUntil: 0 })
    if (outlook('user', 0, state.now)) return record
    sent = { page, sentAt: state.now, unreportedBefore: record.unreportedUnits }
    return { ...addInFlight(noteSent(record, state.now), page, 1, 31_000, state.now), updatedAt: state.now }
  })
  return sent && { ...next, callsLeft: state.callsLeft - 1, inFlight: [...state.inFlight, sent] }
}

/** A request reaches the service within five seconds, or never. Its response may take any time. */
const mayArrive = ({ sentAt }: Sent, now: number) => now - sentAt < 5_000

function arrive(state: State, sent: Sent): State {
  const isServed = state.left > 0
  const left = Math.max(0, state.left - 1)
  const response = { status: isServed ? 200 : 429, remaining: left }
  const inFlight = state.inFlight.map((one) => (one === sent ? { ...sent, response } : one))
  return { ...state, left, inFlight }
}

/** The page hears how its request ended, or gives it up. With `isTwice` it will hear the same once more. */
function end(state: State, sent: Sent, isHeard: boolean, isTwice = false): State {
  const { now } = state
  const heard = isHeard ? sent.response : undefined
  const resetAt = Math.ceil(state.windowEndsAt / 1_000) * 1_000
  const headers = heard && { limit, remaining: heard.remaining, resetAt, date: Math.floor(now / 1_000) * 1_000 }
  const refusal = heard?.status === 429 ? { retryIn: state.windowEndsAt - now } : {}
  const { page, sentAt, unreportedBefore } = sent
  const others = state.inFlight.filter((one) => one !== sent)
  const firstSentAt = others.find((one) => one.page === page)?.sentAt
  const ended = { page, sentAt, unreportedBefore, isRetry: false, freedUnits: isTwice ? 0 : 1, firstSentAt, jitter: 0 }
  const next = update(state, page, (record) =>
    recordResponse(
      record,
      { ...ended, status: heard?.status, rateLimitHeaders: headers && { ...headers, ...refusal } },
      now,
      pace,
    ),
  )
  const closedUntil = heard?.status === 429 ? Math.max(state.closedUntil, state.windowEndsAt) : state.closedUntil
  return { ...next, closedUntil, inFlight: isTwice ? state.inFlight : others }
}

function pass(state: State, ms: number): State {
  const now = state.now + ms
  const isNext = now >= state.windowEndsAt
  return { ...state, now, left: isNext ? limit : state.left, windowEndsAt: isNext ? now + minute : state.windowEndsAt }
}

const maxFaults = 2

/** Every event that may come next, with the state after it. */
function* follow(state: State): Generator<readonly [name: string, next: State]> {
  for (const page of pages) {
    const sent = state.callsLeft > 0 ? send(state, page) : undefined
    if (sent) yield [`${page} sends`, sent]
  }
  for (const [index, sent] of state.inFlight.entries()) {
    if (!sent.response && mayArrive(sent, state.now)) yield [`${index} arrives`, arrive(state, sent)]
    if (sent.response) yield [`${index} is heard`, end(state, sent, true)]
  }
  for (const ms of steps) yield [`${ms} ms pass`, pass(state, ms)]
  if (state.faults >= maxFaults) return
  const faulty = { ...state, faults: state.faults + 1 }
  for (const [index, sent] of state.inFlight.entries()) {
    yield [`${index} is lost`, end(faulty, sent, false)]
    if (sent.response) yield [`${index} is heard twice`, end(faulty, sent, true, true)]
  }
  yield ['the store loses the record', { ...faulty, isForgetful: true, record: emptyRecord }]
  yield ['the clock is set back', { ...setBack(faulty, 30_000), isForgetful: true }]
  const [{ page: gone } = {}] = state.inFlight
  if (gone) {
    const inFlight = state.inFlight.filter(({ page }) => page !== gone)
    // In a browser, the next page of the tab forgets it.
    const other = gone === 'a' ? 'b' : 'a'
    const next = update({ ...faulty, inFlight }, other, (record) => forgetPage(record, gone, state.now, pace))
    yield [`${gone} is gone`, { ...next, known: { ...next.known, [gone]: emptyRecord } }]
  }
}

/** All times are by the machine's clock, so those of the service and of sent requests move back, too. */
function setBack(state: State, by: number): State {
  const inFlight = state.inFlight.map((sent) => ({ ...sent, sentAt: sent.sentAt - by }))
  const closedUntil = state.closedUntil === 0 ? 0 : state.closedUntil - by
  return { ...state, now: state.now - by, windowEndsAt: state.windowEndsAt - by, inFlight, closedUntil }
}

/** What must hold in each step. */
function check(before: State, name: string, after: State): string | undefined {
  const { record, now } = after
  const known = before.record
  const isSent = name.endsWith('sends')
  const mayOpenEarlier = name.startsWith('the store') || name.startsWith('the clock')
  if (isSent && now < Math.max(known.cooldownUntil, before.closedUntil)) return 'G1: sent in a cool-down'
  if (!mayOpenEarlier && record.cooldownUntil < known.cooldownUntil && record.updatedAt >= known.updatedAt)
    return 'G2: the cool-down has moved earlier'
  if (record.cooldownUntil > now + day + 1_000) return 'G2: closed for more than a day'
  if (countInFlight(record) < 0) return 'G6: a negative number of requests in flight'
  for (const { remaining } of liveWindows(record, now)) if (remaining < 0) return 'G6: a negative number of units left'
  const underWay = after.inFlight.filter((sent) => !sent.response && mayArrive(sent, now))
  if (isSent && !before.isForgetful && underWay.length > before.left) {
    const isKnown = liveWindows(known, before.now).length > 0
    if (isKnown) return 'G6: more requests than units, though the window is known'
  }
  return undefined
}

/** Whatever has happened, the gate opens within a day. */
function opens(state: State): boolean {
  let { now } = state
  let record = expire(rebaseAfterClockRollback(state.record, now), now, pace)
  for (let tries = 0; tries < 50; tries += 1) {
    const hold = createOutlook(record, { now, pace, page: 'c', yieldsUntil: 0 })('user', 0)
    if (!hold) return true
    now = Math.max(now + 1, hold.until)
    record = expire(record, now, pace)
  }
  return false
}

/** States with the same key behave the same. Large numbers are times, which count from now. */
function keyOf(state: State): string {
  return JSON.stringify({ ...state, path: undefined }, (_name, value: unknown) =>
    typeof value === 'number' && value > start / 2 ? value - state.now : value,
  )
}

function search(maxStates: number): { readonly states: number; readonly finding: string | undefined } {
  const seen = new Set([keyOf(initial)])
  let level: readonly State[] = [initial]
  while (level.length > 0 && seen.size < maxStates) {
    const next: State[] = []
    for (const state of level) {
      for (const [name, followed] of follow(state)) {
        const after = { ...followed, path: [...state.path, name] }
        const broken = check(state, name, after) ?? (opens(after) ? undefined : 'G16: the gate never opens')
        if (broken) return { states: seen.size, finding: `${broken}: ${after.path.join(', ')}` }
        const key = keyOf(after)
        if (seen.has(key) || seen.size >= maxStates) continue
        seen.add(key)
        next.push(after)
      }
    }
    level = next
  }
  return { states: seen.size, finding: undefined }
}

describe('every order of events of a small world', () => {
  test('G1, G2, G6, G16 hold', { timeout: 600_000 }, () => {
    const { states, finding } = search(isDeep ? 200_000 : 5_000)
    expect(finding).toBeUndefined()
    expect(states).toBeGreaterThan(1_000)
  })
})

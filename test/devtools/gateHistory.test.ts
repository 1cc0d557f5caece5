import { describe, expect, test } from 'vitest'
import type { PetstoreEvent } from '../../src/client.ts'
import type { GateRecord } from '../../src/devtools.ts'
import { callTimes, isQueued } from '../../src/devtools/callTraces.ts'
import { addEvent, addInspection, emptyGateHistory, type GateHistory } from '../../src/devtools/gateHistory.ts'
import { causeOf, slotLength } from '../../src/devtools/timeline.ts'
import { inspectionOf, now, pageWith, waitingCall, windowWith } from './inspection.setup.ts'

type CallEvent = Exclude<PetstoreEvent, { readonly callId?: undefined }>
type Details = CallEvent extends infer Event
  ? Event extends CallEvent
    ? Omit<Event, 'operation' | 'callId'>
    : never
  : never

const eventOf = (details: Details, callId = 'a') =>
  ({ operation: 'listCategories', callId, ...details }) as PetstoreEvent

const play = (events: readonly PetstoreEvent[], history: GateHistory = emptyGateHistory) =>
  events.reduce(addEvent, history)

/** A look at a gate at which so many calls wait. */
const lookAt = (history: GateHistory, at: number, record: Partial<GateRecord>, waiting = 0) => {
  const calls = Array.from({ length: waiting }, (_, index) => waitingCall('cooling-down', { callId: String(index) }))
  return addInspection(history, inspectionOf(record, calls, at))
}

const queued = (at: number, attempt = 1, duration = 0) =>
  ({ type: 'queued', at, attempt, duration, priority: 'user' }) as const
const request = (at: number, attempt = 1, waited = 0) => ({ type: 'request', at, attempt, waited }) as const
const response = (at: number, status: number, attempt = 1) =>
  ({ type: 'response', at, attempt, status, rateLimitHeaders: {}, duration: 80, bodyDuration: 30 }) as const

describe('a call', () => {
  test('is told from its events, with where its time went', () => {
    const history = play([
      eventOf(queued(now + 5, 1, 5)),
      eventOf(request(now + 15, 1, 10)),
      eventOf({ type: 'rate-limited', at: now + 65, until: now + 1_065 }),
      eventOf(response(now + 95, 429)),
      eventOf(queued(now + 95, 2, 95)),
      eventOf({ type: 'waiting', at: now + 95, until: now + 1_065, reason: 'rate-limit' }),
      eventOf({ type: 'retry', at: now + 1_065, attempt: 2, reason: 'rate-limit' }),
      eventOf(request(now + 1_065, 2, 970)),
      eventOf(response(now + 1_145, 200, 2)),
      eventOf({ type: 'settled', at: now + 1_150, result: 'success', duration: 1_150 }),
    ])
    const [call] = history.calls
    expect(history.calls).toHaveLength(1)
    expect(call).toMatchObject({ startedAt: now, attempts: [{ attempt: 1 }, { attempt: 2, result: { status: 200 } }] })
    expect(call?.end).toEqual({ at: now + 1_150, result: 'success', duration: 1_150 })
    expect(call && callTimes(call, 0)).toEqual({ key: 5, queue: 980, network: 100, reading: 60 })
  })

  test('waits until its request leaves', () => {
    const waits = play([eventOf(queued(now))])
    expect(waits.calls.map(isQueued)).toEqual([true])
    expect(play([eventOf(request(now + 10))], waits).calls.map(isQueued)).toEqual([false])
    const settled = eventOf({ type: 'settled', at: now + 10, result: 'rate-limit', duration: 10 })
    expect(play([settled], waits).calls.map(isQueued)).toEqual([false])
    const [call] = waits.calls
    expect(call && callTimes(call, now + 12_000)).toMatchObject({ queue: 12_000 })
  })

  test('whose beginning was missed is shown from where it was met', () => {
    const [call] = play([eventOf({ type: 'failure', at: now, attempt: 2, kind: 'timeout', duration: 30_000 })]).calls
    expect(call?.attempts).toMatchObject([{ attempt: 2, result: { failure: 'timeout' } }])
    expect(play([eventOf({ type: 'recovered', at: now })]).calls).toEqual([])
  })
})

describe('the history is bounded', () => {
  test('by number: the oldest that have ended go first', () => {
    const waiting = eventOf(queued(now - 100), 'waits')
    const ended = Array.from({ length: 300 }, (_, index) => [
      eventOf(queued(now + index), String(index)),
      eventOf({ type: 'settled', at: now + index, result: 'success', duration: 0 }, String(index)),
    ]).flat()
    const { calls } = play([waiting, ...ended])
    expect(calls).toHaveLength(200)
    expect(calls[0]?.callId).toBe('waits')
    expect(calls.at(-1)?.callId).toBe('299')
    expect(calls[1]?.callId).toBe('101')
  })

  test('by time: five minutes', () => {
    let history = play([
      eventOf(queued(now), 'old'),
      eventOf(request(now), 'old'),
      eventOf({ type: 'settled', at: now, result: 'success', duration: 0 }, 'old'),
    ])
    history = lookAt(history, now + 299_000, {})
    expect(history.calls).toHaveLength(1)
    expect(history.timeline.slots).toHaveLength(1)
    history = lookAt(history, now + 310_000, {})
    expect(history.calls).toEqual([])
    expect(history.timeline.slots).toEqual([])
  })
})

describe('the timeline', () => {
  test('counts the requests of this tab, and refusals once each', () => {
    const { timeline } = play([
      eventOf(request(now)),
      eventOf(request(now + 100)),
      eventOf(request(now + slotLength)),
      eventOf({ type: 'rate-limited', at: now + slotLength + 50, until: now + 60_000 }),
      eventOf(response(now + slotLength + 80, 429)),
    ])
    expect(timeline.slots).toEqual([
      { start: now, sent: 2, elsewhere: 0, refused: 0, held: 0 },
      { start: now + slotLength, sent: 1, elsewhere: 0, refused: 1, held: 0 },
    ])
  })

  const sumOf = ({ timeline }: GateHistory, field: 'sent' | 'elsewhere') =>
    timeline.slots.reduce((total, slot) => total + slot[field], 0)

  test('counts the requests of others, which only the record shows', () => {
    let history = lookAt(emptyGateHistory, now, { windows: [windowWith(50)] })
    // One request of this tab, and three of others.
    history = play([eventOf(request(now + 100))], history)
    history = lookAt(history, now + 1_000, {
      windows: [windowWith(48)],
      pages: { a: pageWith(2) },
    })
    history = lookAt(history, now + 2_000, { windows: [windowWith(46)] })
    expect([sumOf(history, 'sent'), sumOf(history, 'elsewhere')]).toEqual([1, 3])
  })

  test('does not take a request for another’s whose event is still to come', () => {
    let history = lookAt(emptyGateHistory, now, { windows: [windowWith(50)] })
    history = lookAt(history, now + 100, {
      windows: [windowWith(50)],
      pages: { a: pageWith(1) },
    })
    history = play([eventOf(request(now + 101))], history)
    history = lookAt(history, now + 200, { windows: [windowWith(49)] })
    history = lookAt(history, now + 300, { windows: [windowWith(49)] })
    expect([sumOf(history, 'sent'), sumOf(history, 'elsewhere')]).toEqual([1, 0])
  })

  test('counts the requests of others where no quota is known', () => {
    let history = lookAt(emptyGateHistory, now, { localUsage: [{ at: now - 500, count: 2 }] })
    for (const later of [100, 200]) {
      history = lookAt(history, now + later, {
        localUsage: [
          { at: now - 500, count: 3 },
          { at: now, count: 1 },
        ],
      })
    }
    expect(sumOf(history, 'elsewhere')).toBe(2)
  })

  test('compares nothing across windows and resets', () => {
    let history = lookAt(emptyGateHistory, now, { windows: [windowWith(50)] })
    for (const later of [100, 200]) {
      history = lookAt(history, now + later, { windows: [{ ...windowWith(20), reset: now + 120_000 }] })
    }
    for (const later of [300, 400]) history = lookAt(history, now + later, { resets: 1 })
    expect(sumOf(history, 'elsewhere')).toBe(0)
  })

  test('shows how many calls waited, also between two looks', () => {
    let history = lookAt(emptyGateHistory, now, {}, 3)
    history = lookAt(history, now + 3 * slotLength, {}, 1)
    history = lookAt(history, now + 3 * slotLength + 100, {}, 0)
    expect(history.timeline.slots.map(({ held }) => held)).toEqual([3, 3, 3, 3])
    history = lookAt(history, now + 4 * slotLength, {}, 0)
    expect(history.timeline.slots).toHaveLength(4)
  })

  test('shows cool-downs, and ends one when the gate is reset', () => {
    let history = lookAt(emptyGateHistory, now, { cooldownUntil: now + 20_000 })
    history = lookAt(history, now + 100, { cooldownUntil: now + 42_000 })
    expect(history.timeline.cooldowns).toEqual([{ from: now, until: now + 42_000 }])
    history = lookAt(history, now + 1_000, { resets: 1 })
    expect(history.timeline.cooldowns).toEqual([{ from: now, until: now + 1_000 }])
    history = lookAt(history, now + 5_000, { cooldownUntil: now + 9_000 })
    expect(history.timeline.cooldowns).toHaveLength(2)
  })

  test('knows which response of this tab started a cool-down, by its end', () => {
    const { timeline } = play([
      eventOf({ type: 'rate-limited', at: now, until: now + 60_000 }),
      eventOf(response(now + 230, 404)),
    ])
    const cause = (cooldownUntil: number) => causeOf(timeline, inspectionOf({ cooldownUntil }))
    expect(cause(now + 60_000)).toMatchObject({ at: now, status: 429 })
    // Another tab has met a longer one.
    expect(cause(now + 90_000)).toBeUndefined()
  })

  test('knows which failure of this tab started a pause', () => {
    const { timeline } = play([
      eventOf({ type: 'failure', at: now + 9_000, attempt: 1, kind: 'network', duration: 10 }),
    ])
    const cause = (since: number) =>
      causeOf(timeline, inspectionOf({ breaker: { failures: 1, since, until: since + 1_000 } }))
    expect(cause(now + 9_100)).toMatchObject({ at: now + 9_000, status: undefined })
    expect(cause(now + 3_000)).toBeUndefined()
  })
})

test('a failure of the store is known until it works again', () => {
  const failed = play([{ type: 'rate-limit-store', at: now, status: 'failed' }])
  expect(failed.hasStoreFailed).toBe(true)
  expect(play([{ type: 'rate-limit-store', at: now, status: 'recovered' }], failed).hasStoreFailed).toBe(false)
})

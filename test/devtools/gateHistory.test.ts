import { describe, expect, test } from 'vitest'
import type { PetstoreEvent } from '../../src/client.ts'
import { callTimes, isQueued } from '../../src/devtools/callTraces.ts'
import { addEvent, emptyGateHistory, type GateHistory } from '../../src/devtools/gateHistory.ts'
import { now } from './inspection.setup.ts'

type CallEvent = Exclude<PetstoreEvent, { readonly callId?: undefined }>
/** A call event without what `eventOf` adds. Each type of the union by itself: `Omit` of the union would merge them. */
type Details = CallEvent extends infer Event
  ? Event extends CallEvent
    ? Omit<Event, 'operation' | 'callId'>
    : never
  : never

const eventOf = (details: Details, callId = 'a') =>
  ({ operation: 'listCategories', callId, ...details }) as PetstoreEvent

const play = (events: readonly PetstoreEvent[], history: GateHistory = emptyGateHistory) =>
  events.reduce(addEvent, history)

const queued = (at: number, attempt = 1, duration = 0) =>
  ({ type: 'queued', at, attempt, duration, priority: 'user' }) as const
const request = (at: number, attempt = 1, waited = 0) => ({ type: 'request', at, attempt, waited }) as const
const response = (at: number, status: number, attempt = 1) =>
  ({ type: 'response', at, attempt, status, rateLimitHeaders: {}, duration: 80, bodyDuration: 30 }) as const

describe('a call', () => {
  test('is put together from its events, with the time of each part', () => {
    const history = play([
      eventOf(queued(now + 5, 1, 5)),
      eventOf(request(now + 15, 1, 10)),
      eventOf(response(now + 95, 429)),
      eventOf(queued(now + 95, 2, 95)),
      eventOf({ type: 'waiting', at: now + 95, until: now + 1_065, reason: 'rate-limit' }),
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

  test('waits until its request leaves, or until it has ended', () => {
    const history = play([eventOf(queued(now))])
    expect(history.calls.map(isQueued)).toEqual([true])
    expect(play([eventOf(request(now + 10))], history).calls.map(isQueued)).toEqual([false])
    const settled = eventOf({ type: 'settled', at: now + 10, result: 'rate-limit', duration: 10 })
    expect(play([settled], history).calls.map(isQueued)).toEqual([false])
    const [call] = history.calls
    expect(call && callTimes(call, now + 12_000)).toMatchObject({ queue: 12_000 })
  })
})

describe('the history is bounded', () => {
  test('to 200 calls: the oldest calls that have ended are dropped first', () => {
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
})

test('a failure of the store is known until it works again', () => {
  const failed = play([{ type: 'rate-limit-store', at: now, status: 'failed' }])
  expect(failed.hasStoreFailed).toBe(true)
  expect(play([{ type: 'rate-limit-store', at: now, status: 'recovered' }], failed).hasStoreFailed).toBe(false)
})

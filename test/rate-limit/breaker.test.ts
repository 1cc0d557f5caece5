import { describe, expect, test } from 'vitest'
import {
  type Breaker,
  closedBreaker,
  countFailure,
  isTripped,
  probeOpensAt,
  startProbe,
} from '../../src/rate-limit/breaker.ts'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import { exchange, headersOf, holdOf, now, recordWith, windowWith } from './gate.setup.ts'

const failure = { sentAt: now, isRetry: false, jitter: 0 }
const open = countFailure(countFailure(closedBreaker, failure, now), failure, now)

/** The probe leaves as soon as it may, and fails. */
function failProbe(breaker: Breaker): Breaker {
  const sentAt = breaker.until
  return countFailure(startProbe(breaker, sentAt), { ...failure, sentAt }, sentAt + 10)
}

/** Open for a minute, the longest pause. */
const openForMinute = failProbe(failProbe(failProbe(open)))

describe('G18: the closed breaker', () => {
  test('is opened by two failed calls in a row, and by no retry', () => {
    const once = countFailure(closedBreaker, failure, now)
    expect(isTripped(once)).toBe(false)
    expect(isTripped(countFailure(once, { ...failure, isRetry: true }, now))).toBe(false)
    expect(open).toEqual({ failures: 2, since: now, until: now + 1_000 })
  })

  test('counts no failure while a window has units left, or had some when it ended in the last minute', () => {
    const windows = [windowWith(1, { resetAt: now - 59_000 })]
    let record = recordWith({ windows })
    for (let calls = 0; calls < 20; calls += 1) record = exchange(record, { status: 0 })
    expect(isTripped(record.breaker)).toBe(false)
    const usedUp = recordWith({ windows: [windowWith(0)] })
    expect(isTripped(exchange(exchange(usedUp, { status: 0 }), { status: 0 }).breaker)).toBe(true)
  })

  test('counts failures after a 429, whatever the window had left', () => {
    const rateLimitHeaders = { ...headersOf(39), retryIn: 2_000 }
    const refused = exchange(recordWith({ windows: [windowWith(40)] }), { status: 429, rateLimitHeaders })
    const later = refused.cooldownUntil
    const once = exchange(refused, { status: 0 }, later)
    expect(isTripped(exchange(once, { status: 0 }, later + 200).breaker)).toBe(true)
  })

  test.each([200, 404, 500, 503])('stays closed if a readable %d comes between two failures', (status) => {
    const record = exchange(exchange(exchange(emptyRecord, { status: 0 }), { status }), { status: 0 })
    expect(isTripped(record.breaker)).toBe(false)
  })

  test('does not count a request of which nobody knows how it ended', () => {
    const record = exchange(exchange(emptyRecord, { status: undefined }), { status: undefined })
    expect(record.breaker).toEqual(closedBreaker)
  })
})

describe('G18: the open breaker', () => {
  test('lets nothing leave before its pause is over', () => {
    const record = recordWith({ breaker: open })
    expect(holdOf(record)).toMatchObject({ reason: 'failures', until: now + 1_000 })
    expect(holdOf(record, 0, now + 1_000)).toBeUndefined()
  })

  test('makes pauses of 1, 4, 16 and then 60 s', () => {
    const lengths = []
    let breaker = open
    for (let pauses = 0; pauses < 5; pauses += 1) {
      lengths.push(breaker.until - breaker.since)
      breaker = failProbe(breaker)
    }
    expect(lengths).toEqual([1_000, 4_000, 16_000, 60_000, 60_000])
  })

  test('makes a short pause again if the last one ended long before the next call', () => {
    const second = failProbe(open)
    const later = second.until + 60_000
    const next = countFailure(startProbe(second, later), { ...failure, sentAt: later }, later + 10)
    expect(next.until - next.since).toBe(1_000)
  })

  test('lets a new call of a person leave as the probe ten seconds after the pause began', () => {
    const { since, until } = openForMinute
    expect(probeOpensAt(openForMinute, since + 1, since + 1)).toBe(since + 10_000)
    // Neither a call that has waited since before the pause, nor one in the background, nor a retry.
    expect(probeOpensAt(openForMinute, since, since + 1)).toBe(until)
    expect(probeOpensAt(openForMinute, undefined, since + 1)).toBe(until)
  })

  test('makes other calls of people wait for the response to that probe, two seconds at most', () => {
    const sentAt = openForMinute.since + 10_000
    const record = recordWith({ breaker: startProbe(openForMinute, sentAt) })
    expect(holdOf(record, 0, sentAt + 10)).toMatchObject({ reason: 'failures', until: sentAt + 2_000 })
    expect(holdOf(record, 0, sentAt + 2_000)).toBeUndefined()
  })

  test('is not changed by the failure of a request that left before the pause', () => {
    expect(countFailure(open, { ...failure, sentAt: now - 1 }, now + 500)).toBe(open)
  })
})

describe('G18: the half-open breaker', () => {
  test('makes all other requests wait for the probe, two seconds at most', () => {
    expect(holdOf(recordWith({ breaker: open }), 1, now + 1_000)).toMatchObject({ reason: 'failures' })
    const record = recordWith({ breaker: startProbe(open, now + 1_000) })
    expect(holdOf(record, 0, now + 1_010)).toMatchObject({ reason: 'failures' })
    expect(holdOf(record, 0, now + 3_000)).toBeUndefined()
  })

  test('is closed by any readable response', () => {
    const record = exchange(recordWith({ breaker: open }), { status: 502 }, now + 1_000)
    expect(record.breaker).toEqual(closedBreaker)
    const announced = exchange(recordWith({ breaker: open }), { rateLimitHeaders: headersOf(9) }, now + 1_000)
    expect(announced.breaker).toEqual(closedBreaker)
  })
})

import { describe, expect, test } from 'vitest'
import type { GateRecord, WaitingCall, WaitingCallReason } from '../../src/devtools.ts'
import { describeRecord, explainWait } from '../../src/devtools/describeRecord.ts'
import { inspectionOf, now, pageWith, waitingCall, windowWith } from './inspection.setup.ts'

test('the description of an empty record says what is not known', () => {
  expect(describeRecord(inspectionOf({}))).toEqual([
    'No cool-down.',
    'No request limit is announced now: requests are sent at the pace of the last limit, or of the plan.',
    'No request is in flight.',
    'The service’s clock is between 2 min 0 s behind and 2 min 0 s ahead.',
  ])
})

test('the description of a full record says all that it knows', () => {
  const record = {
    cooldownUntil: now + 20_000,
    consecutiveRefusals: 1,
    windows: [windowWith(12), windowWith(900, 1_000)],
    unreportedUnits: 2,
    pages: { a: { ...pageWith(2, now - 1_000), waitsUntil: now + 1_000, hasUserRequest: true }, b: pageWith(1) },
    skew: { min: 0, max: 0 },
  }
  expect(describeRecord(inspectionOf(record))).toEqual([
    'Cool-down until 14:03:20 (20 seconds): the service refused a request. It is number 2 in a row.',
    '12 of 60 requests left until 14:04:00, those in flight included.',
    '900 of 1,000 requests left until 14:04:00, those in flight included.',
    '3 requests in flight, over all tabs. The first counts as lost at 14:03:30.',
    '2 requests had no response that reports the request limit. They count as spent.',
    'Calls wait in 1 tab.',
    'The service’s clock is right.',
  ])
})

test('the description names failures, with and without a pause, and what left without a known limit', () => {
  const pause = { breaker: { failures: 2, since: now, until: now + 4_000 } }
  expect(describeRecord(inspectionOf(pause))[0]).toBe(
    'Pause until 14:03:04 (4 seconds), after calls without a response that can be read.',
  )
  expect(describeRecord(inspectionOf({ breaker: { failures: 1, since: 0, until: 0 } }))[0]).toBe(
    'No cool-down, but 1 call without a response in a row.',
  )
  expect(describeRecord(inspectionOf({ localUsage: [{ at: now, count: 3 }] }))).toContain(
    '3 requests sent while no request limit was announced.',
  )
})

interface Case {
  readonly record?: Partial<GateRecord>
  readonly call?: Partial<WaitingCall>
  readonly sentence: string
}

const cooldown = { cooldownUntil: now + 20_000 }

const cases: Readonly<Record<WaitingCallReason, readonly Case[]>> = {
  'cooling-down': [
    {
      record: cooldown,
      sentence: 'Cool-down until 14:03:20: the service refused a request.',
    },
    {
      record: { ...cooldown, cooldownUntil: now + 86_400_000 },
      sentence: 'Cool-down until 7 May 2030, 14:03:00: the service refused a request.',
    },
  ],
  failures: [
    {
      record: { breaker: { failures: 2, since: now, until: now + 20_000 } },
      sentence: 'Pause until 14:03:20, after calls without a response that can be read.',
    },
  ],
  probe: [{ sentence: 'Waits for a response: requests under way find out what the service allows.' }],
  'used-up': [
    {
      record: { windows: [windowWith(0)] },
      sentence: 'All 60 requests are used until 14:04:00.',
    },
    {
      record: { windows: [windowWith(0, 0)] },
      sentence: 'All requests are used until 14:04:00.',
    },
  ],
  reserve: [
    {
      record: { windows: [windowWith(6)] },
      sentence: '6 of 60 requests are kept for people, and this call is in the background.',
    },
    {
      record: { windows: [windowWith(1)] },
      sentence: '1 of 60 requests is kept for people, and this call is in the background.',
    },
  ],
  pace: [
    {
      sentence:
        'No request limit is announced now, and as many requests were sent as the last one, or the plan, allows.',
    },
  ],
  'other-tabs': [{ sentence: 'Other tabs have their turn.' }],
  store: [{ sentence: 'May leave. The decision is being stored.' }],
}

const all = Object.entries(cases).flatMap(([reason, list]) =>
  list.map((item) => [reason as WaitingCallReason, item] as const),
)

describe('each reason has a sentence with its cause', () => {
  test.each(all)('%s: $sentence', (reason, { record = {}, call = {}, sentence }) => {
    const waiting = waitingCall(reason, call)
    expect(explainWait(waiting, inspectionOf(record, [waiting]))).toBe(sentence)
  })
})

import { describe, expect, test } from 'vitest'
import type { GateRecord, WaitingCall, HoldReason } from '../../src/devtools.ts'
import { explainWait } from '../../src/devtools/describeRecord.ts'
import { inspectionOf, now, waitingCall, windowWith } from './inspection.setup.ts'

interface Case {
  readonly record?: Partial<GateRecord>
  readonly call?: Partial<WaitingCall>
  readonly sentence: string
}

const cooldown = { cooldownUntil: now + 20_000 }

const cases: Readonly<Record<HoldReason, readonly Case[]>> = {
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
  probe: [{ sentence: 'Waits for the probe: one request under way finds out what the service allows.' }],
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
      call: { priority: 'background', retryAt: now + 50_000 },
      sentence: '6 of 60 requests are kept for people, and this call is in the background.',
    },
    {
      record: { windows: [windowWith(1)] },
      call: { priority: 'background' },
      sentence: '1 of 60 requests is kept for people, and this call is in the background.',
    },
  ],
  pace: [
    {
      call: { retryAt: now + 5_000 },
      sentence: 'No quota is known, so requests leave at the pace of the plan, which is used up.',
    },
  ],
  'other-tabs': [{ sentence: 'Other tabs have their turn.' }],
  store: [{ sentence: 'May leave. The decision is being stored.' }],
}

const all = Object.entries(cases).flatMap(([reason, list]) => list.map((item) => [reason as HoldReason, item] as const))

describe('each reason has a sentence with its cause and its time', () => {
  test.each(all)('%s: $sentence', (reason, { record = {}, call = {}, sentence }) => {
    const waiting = waitingCall(reason, call)
    expect(explainWait(waiting, inspectionOf(record, [waiting]))).toBe(sentence)
  })
})

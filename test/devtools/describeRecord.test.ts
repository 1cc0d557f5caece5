import { expect, test } from 'vitest'
import { describeRecord } from '../../src/devtools/describeRecord.ts'
import { noFailures } from '../../src/rate-limit/GateRecord.ts'
import { inspectionOf, now, windowWith } from './inspection.setup.ts'

test('of an empty record says what is not known', () => {
  expect(describeRecord(inspectionOf({}), undefined)).toEqual([
    'No cool-down.',
    'No quota is known: requests leave at the pace of the plan, at most 1 at a time.',
    'No request is in flight.',
    "The service's clock is between 2 min 0 s behind and 2 min 0 s ahead.",
  ])
})

test('says all that a record knows', () => {
  const record = {
    clearedAt: now - 60_000,
    cooldownStartedAt: now,
    cooldownUntil: now + 20_000,
    consecutiveRefusals: 1,
    windows: [windowWith(12), { ...windowWith(900, 1_000), contradictions: 1 }],
    inFlight: {
      a: { count: 2, since: now - 1_000, until: now + 30_000 },
      b: { count: 1, since: now, until: now + 31_000 },
    },
    lostUnits: 2,
    waiting: {
      a: { user: true, background: false, from: now, served: 0 },
      b: { user: false, background: false, from: now, served: 3 },
    },
    skew: { min: 0, max: 0 },
  }
  expect(describeRecord(inspectionOf(record), { at: now, status: 429 })).toEqual([
    'Cool-down until 14:03:20 (20 seconds), after a 429 in this tab. It is number 2 in a row.',
    '12 of 60 requests left until 14:04:00, those in flight included.',
    '900 of 1,000 requests left until 14:04:00, those in flight included. A response contradicted this, so one request at a time finds out more.',
    '3 requests in flight, over all tabs. The first counts as lost at 14:03:30.',
    '2 requests had no response that reports the quota. They count as spent.',
    'Calls wait in 1 tab.',
    "The service's clock is right.",
    'The gate was last reset at 14:02:00.',
  ])
})

test('names a pause after failures, and failures that have not led to one', () => {
  const pause = { failures: { ...noFailures, count: 3, pausedAt: now, pauseUntil: now + 4_000 } }
  expect(describeRecord(inspectionOf(pause), undefined)[0]).toBe(
    'Pause until 14:03:04 (4 seconds), after 3 failures without an explanation, and no success since.',
  )
  expect(describeRecord(inspectionOf({ failures: { ...noFailures, count: 1 } }), undefined)[0]).toBe(
    'No cool-down, but 1 failure without an explanation, and no success since.',
  )
  expect(describeRecord(inspectionOf({ localUsage: [{ at: now, count: 3 }] }), undefined)).toContain(
    '3 requests left while no quota was known.',
  )
})

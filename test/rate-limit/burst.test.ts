import { expect, it } from 'vitest'
import { simulate } from './simulate.ts'

it('300 calls at once on the free plan, from three tabs: all responded within five windows, none refused', async () => {
  const burst = { at: 0, count: 100, priority: 'user' as const, maxWait: Number.POSITIVE_INFINITY }
  const trace = await simulate({
    startsAt: 20_000,
    service: {
      plan: [
        { limit: 60, per: 60_000 },
        { limit: 1_000, per: 86_400_000 },
      ],
      retryAfter: 'seconds',
      clockAhead: 0,
      usedBefore: 0,
      closures: [],
      strangers: [],
    },
    visible: { limits: true, retryAfter: true, date: true },
    isPlanKnown: false,
    timeout: 30_000,
    calls: [0, 1, 2].map((tab) => ({ ...burst, tab })),
    trips: [{ there: 50, back: 50 }],
    store: [],
    storeBreaks: [],
    reloads: [],
    clockJumps: [],
    lateness: [],
    jitter: [0.5],
  })
  expect(trace.calls.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 300 }, () => 'succeeded'))
  expect(trace.ledger.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, () => 200))
  const begun = Date.UTC(2026, 0, 1) + 20_000
  const took = Math.max(...trace.calls.map(({ endedAt = 0 }) => endedAt)) - begun
  // The first window has 40 s left, three follow, and the last 60 go at the beginning of the fifth.
  expect(took).toBeLessThan(40_000 + 3 * 60_000 + 2_000)
})

import { expect, it } from 'vitest'
import { calmScenario } from './calmScenario.ts'
import { simulate } from './simulate.ts'

it('300 calls at once from three tabs on the free plan all succeed within five windows, without a 429', async () => {
  const burst = { at: 0, count: 100, priority: 'user' as const, maxWait: Number.POSITIVE_INFINITY }
  const trace = await simulate({
    ...calmScenario,
    startsAt: 20_000,
    service: {
      ...calmScenario.service,
      plan: [
        { limit: 60, per: 60_000 },
        { limit: 1_000, per: 86_400_000 },
      ],
    },
    calls: [0, 1, 2].map((tab) => ({ ...burst, tab })),
    trips: [{ requestDelay: 50, responseDelay: 50 }],
  })
  expect(trace.calls.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 300 }, () => 'succeeded'))
  expect(trace.arrivals.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, () => 200))
  const start = Date.UTC(2026, 0, 1) + 20_000
  const duration = Math.max(...trace.calls.map(({ endedAt = 0 }) => endedAt)) - start
  // 40 s are left of the first window; three more follow; the last 60 calls leave at the start of the fifth.
  expect(duration).toBeLessThan(40_000 + 3 * 60_000 + 2_000)
})

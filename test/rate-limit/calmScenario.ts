import type { Scenario } from './simulate.ts'

/** A scenario in which nothing happens and nothing goes wrong: 60 requests a minute, and no calls. */
export const calmScenario: Scenario = {
  startsAt: 0,
  service: {
    plan: [{ limit: 60, per: 60_000 }],
    retryAfter: 'seconds',
    clockAhead: 0,
    usedBefore: 0,
    outages: [],
    otherUsage: [],
  },
  visible: { limits: true, retryAfter: true, date: true },
  isPlanKnown: false,
  timeout: 30_000,
  calls: [],
  trips: [{ requestDelay: 0, responseDelay: 0 }],
  storeUpdates: [],
  storeBreaks: [],
  reloads: [],
  clockJumps: [],
  lateness: [],
  jitter: [0.5],
}

import * as fc from 'fast-check'
import type { UpdateBehavior } from './sharedStore.ts'
import type { CallPlan, Scenario } from './simulate.ts'

const minute = 60_000
const day = 86_400_000

/** Mostly an empty list, sometimes up to `max` values. */
function few<Value>(value: fc.Arbitrary<Value>, max: number, weight = 1): fc.Arbitrary<Value[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Value[]>([]) },
    { weight, arbitrary: fc.array(value, { maxLength: max }) },
  )
}

const upTo = (max: number) => fc.nat({ max })
const latency = fc.oneof({ weight: 6, arbitrary: upTo(400) }, { weight: 1, arbitrary: upTo(4_000) })

const plans = fc.oneof(
  fc.record({ limit: fc.integer({ min: 1, max: 12 }), per: fc.constant(minute) }).map((window) => [window]),
  fc
    .record({ limit: fc.integer({ min: 1, max: 8 }), daily: fc.integer({ min: 1, max: 30 }) })
    .map(({ limit, daily }) => [
      { limit, per: minute },
      { limit: Math.max(daily, limit + 1), per: day },
    ]),
  fc.constant([
    { limit: 60, per: minute },
    { limit: 1_000, per: day },
  ]),
)

const calls: fc.Arbitrary<CallPlan> = fc.record({
  at: fc.oneof(upTo(2_000), upTo(150_000)),
  tab: upTo(2),
  count: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }) }, { weight: 1, arbitrary: upTo(12) }),
  priority: fc.constantFrom('user', 'background'),
  maxWait: fc.constantFrom(65_000, 0, 1_000, 20_000, 300_000, Number.POSITIVE_INFINITY),
  abortAfter: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: upTo(1_000) },
    { weight: 1, arbitrary: upTo(90_000) },
  ),
  prioritizeAfter: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: upTo(60_000) }),
})

const trips = fc.record({
  requestDelay: latency,
  responseDelay: latency,
  lost: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('before', 'after') },
  ),
  hidesHeaders: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.boolean() }),
})

const quick: fc.Arbitrary<UpdateBehavior> = fc.constant({ changeDelay: 0, resolveDelay: 0, notifyDelay: 0 })
/** The update resolves late: the page is busy or asleep. */
const frozen: fc.Arbitrary<UpdateBehavior> = fc.record({
  changeDelay: fc.constant(0),
  resolveDelay: fc.integer({ min: 900, max: 1_900 }),
  notifyDelay: upTo(20),
})

/** A store that is quick, slow, quick but sometimes `frozen`, or so slow that updates time out. */
const updateBehaviors: fc.Arbitrary<UpdateBehavior[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<UpdateBehavior[]>([]) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.record({ changeDelay: upTo(60), resolveDelay: upTo(60), notifyDelay: upTo(200), isRepeated: fc.boolean() }),
      { minLength: 1, maxLength: 5 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof({ weight: 3, arbitrary: quick }, { weight: 1, arbitrary: frozen }), {
      minLength: 2,
      maxLength: 5,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        changeDelay: fc.oneof(upTo(60), upTo(5_000)),
        resolveDelay: fc.oneof(upTo(60), upTo(3_000)),
        notifyDelay: upTo(2_000),
        isRepeated: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  },
)

const clockAhead = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: -3_600_000, max: 3_600_000 }),
)

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  startsAt: upTo(minute),
  service: fc.record({
    plan: plans,
    retryAfter: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('seconds', 'fractional', 'http-date') },
      {
        weight: 1,
        arbitrary: fc.record({
          text: fc.constantFrom('', 'soon', '0', '1', '-5', '7, 120', '2026-01-01', '1e3', 'NaN'),
        }),
      },
    ),
    clockAhead,
    usedBefore: fc.oneof(fc.constant(0), upTo(60)),
    outages: few(fc.record({ at: upTo(120_000), length: fc.oneof(upTo(5_000), upTo(90_000)) }), 2),
    otherUsage: few(fc.record({ at: upTo(150_000), units: fc.integer({ min: 1, max: 12 }) }), 3, 2),
  }),
  visible: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ limits: true, retryAfter: true, date: true }) },
    { weight: 2, arbitrary: fc.constant({ limits: true, retryAfter: true, date: false }) },
    { weight: 1, arbitrary: fc.constant({ limits: true, retryAfter: false, date: false }) },
    { weight: 2, arbitrary: fc.constant({ limits: false, retryAfter: false, date: false }) },
  ),
  isPlanKnown: fc.boolean(),
  timeout: fc.constantFrom(30_000, 5_000),
  calls: fc.array(calls, { minLength: 1, maxLength: 6 }),
  trips: fc.array(trips, { minLength: 1, maxLength: 6 }),
  storeUpdates: updateBehaviors,
  storeBreaks: few(fc.record({ at: upTo(100_000), tab: upTo(2) }), 2),
  reloads: few(
    fc.record({
      at: upTo(120_000),
      tab: upTo(2),
      ends: fc.constantFrom(undefined, 'crash' as const, 'pagehide' as const, 'pagehide, stored' as const),
    }),
    3,
  ),
  clockJumps: few(
    fc.record({
      at: upTo(120_000),
      by: fc.oneof(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: -7_200_000, max: 7_200_000 })),
    }),
    2,
  ),
  lateness: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(upTo(2_000), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(upTo(60_000), { maxLength: 3 }) },
  ),
  jitter: fc.array(fc.constantFrom(0, 0.5, 0.999), { minLength: 1, maxLength: 3 }),
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chargeQuota, plans, type Quota, type QuotaWindow, untouchedQuota, viewQuota } from '../../src/testing/quota.ts'

const plan = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 5 }), per: fc.integer({ min: 1, max: 1000 }) }), {
  minLength: 1,
  maxLength: 3,
})
/** Times between requests: bursts, short pauses and long pauses. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 2000 })), {
  maxLength: 60,
})

/** Simulates requests. Returns for each one when requests were admitted, without and with it, and the quota view. */
function play(windows: readonly QuotaWindow[], pauses: readonly number[]) {
  let quota: Quota = untouchedQuota
  let now = 1_800_000_000_123
  let admittedSoFar: readonly number[] = []
  return pauses.map((pause) => {
    now += pause
    const charged = chargeQuota(windows, quota, now)
    const admittedBefore = admittedSoFar
    if (charged) admittedSoFar = [...admittedSoFar, now]
    quota = charged ?? quota
    return { now, passed: charged !== undefined, view: viewQuota(windows, quota, now), admittedBefore, admittedSoFar }
  })
}

const inWindowOf = (now: number, per: number) => (time: number) => Math.floor(time / per) === Math.floor(now / per)

test('a request is admitted if and only if no window is used up', () => {
  fc.assert(
    fc.property(plan, gaps, (windows, pauses) => {
      for (const { now, passed, admittedBefore } of play(windows, pauses)) {
        const usedUp = windows.some(({ limit, per }) => admittedBefore.filter(inWindowOf(now, per)).length >= limit)
        expect(passed).toBe(!usedUp)
      }
    }),
  )
})

test('the announced window has the fewest requests left, and resets last among equals', () => {
  fc.assert(
    fc.property(plan, gaps, (windows, pauses) => {
      for (const { now, view, admittedSoFar } of play(windows, pauses)) {
        const left = windows.map(({ limit, per }) => ({
          limit,
          remaining: limit - admittedSoFar.filter(inWindowOf(now, per)).length,
          resetAt: (Math.floor(now / per) + 1) * per,
        }))
        expect(view.remaining).toBe(Math.min(...left.map((window) => window.remaining)))
        expect(left).toContainEqual(view)
        const later = left.filter((window) => window.remaining === view.remaining && window.resetAt > view.resetAt)
        expect(later).toEqual([])
      }
    }),
  )
})

test.each([
  ['free', 60, 1000],
  ['pro', 300, 10_000],
  ['business', 1000, 100_000],
] as const)('the plan %s admits %i requests a minute and %i a day', (name, perMinute, perDay) => {
  let quota: Quota = untouchedQuota
  const admitted: number[] = []
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    let count = -1 // the first round below admits nothing yet
    for (let next: Quota | undefined = quota; next; next = chargeQuota(plans[name], quota, minute * 60_000)) {
      quota = next
      count += 1
    }
    admitted.push(count)
  }
  expect(admitted[0]).toBe(perMinute)
  expect(admitted.reduce((sum, count) => sum + count)).toBe(perDay)
})

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

/** Simulates arrivals. Returns the times of admitted requests, and the announcement after each request. */
function play(windows: readonly QuotaWindow[], pauses: readonly number[]) {
  let quota: Quota = untouchedQuota
  let now = 1_800_000_000_123
  const admitted: number[] = []
  const arrivals = pauses.map((pause) => {
    now += pause
    const charged = chargeQuota(windows, quota, now)
    if (charged) admitted.push(now)
    quota = charged ?? quota
    return { now, passed: charged !== undefined, view: viewQuota(windows, quota, now), admittedSoFar: [...admitted] }
  })
  return { admitted, arrivals, quota, now }
}

const inWindowOf = (now: number, per: number) => (time: number) => Math.floor(time / per) === Math.floor(now / per)

test('no window admits more than its limit', () => {
  fc.assert(
    fc.property(plan, gaps, (windows, pauses) => {
      const { admitted } = play(windows, pauses)
      for (const { limit, per } of windows) {
        for (const time of admitted) expect(admitted.filter(inWindowOf(time, per)).length).toBeLessThanOrEqual(limit)
      }
    }),
  )
})

test('a request is refused only if a window is used up', () => {
  fc.assert(
    fc.property(plan, gaps, (windows, pauses) => {
      for (const { now, passed, admittedSoFar } of play(windows, pauses).arrivals) {
        const usedUp = windows.some(({ limit, per }) => admittedSoFar.filter(inWindowOf(now, per)).length >= limit)
        expect(passed || usedUp).toBe(true)
      }
    }),
  )
})

test('the announcement is that of a window with the fewest requests left', () => {
  fc.assert(
    fc.property(plan, gaps, (windows, pauses) => {
      for (const { now, view, admittedSoFar } of play(windows, pauses).arrivals) {
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

test('a client that waits for the announced reset is admitted if nobody else sends', () => {
  fc.assert(
    fc.property(plan, gaps, (windows, pauses) => {
      const { quota, now } = play(windows, pauses)
      const { remaining, resetAt } = viewQuota(windows, quota, now)
      expect(resetAt).toBeGreaterThan(now)
      expect(chargeQuota(windows, quota, now) !== undefined).toBe(remaining > 0)
      expect(chargeQuota(windows, quota, resetAt)).toBeDefined()
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
    let count = -1
    for (let next: Quota | undefined = quota; next; next = chargeQuota(plans[name], quota, minute * 60_000)) {
      quota = next
      count += 1
    }
    admitted.push(count)
  }
  expect(admitted[0]).toBe(perMinute)
  expect(admitted.reduce((sum, count) => sum + count)).toBe(perDay)
})

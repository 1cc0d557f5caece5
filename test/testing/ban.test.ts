import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CoolDown, afterArrival, afterRefusal, isBanned, noCoolDown } from '../../src/testing/admission.ts'

const rules = { after: 3, grace: 1000, duration: 60_000, status: 403 }

/** A cool-down from 0 to 10,000, with requests at these times. */
const arrivals = (...times: readonly number[]): CoolDown =>
  times.reduce((coolDown, now) => afterArrival(coolDown, rules, now), afterRefusal(noCoolDown, 10_000, 0))

test('a ban ends by itself, is never extended, and resets the count', () => {
  const banned = arrivals(2000, 3000, 4000, 5000)
  expect(banned).toMatchObject({ bannedUntil: 65_000, attemptsDuringCooldown: 0 })
  expect(afterArrival(banned, rules, 6000)).toBe(banned)
  expect(isBanned(banned, 64_999)).toBe(true)
  expect(isBanned(banned, 65_000)).toBe(false)
})

test('a refusal during a cool-down does not start another one', () => {
  const coolDown = arrivals(2000)
  expect(afterRefusal(coolDown, 10_000, 5000)).toBe(coolDown)
  expect(afterRefusal(coolDown, 20_000, 10_000)).toMatchObject({
    since: 10_000,
    until: 20_000,
    attemptsDuringCooldown: 0,
  })
})

test('a key is banned exactly when one cool-down has more requests than tolerated', () => {
  const times = fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 12 })
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3000 }), (unsorted, after, grace) => {
      const sorted = unsorted.toSorted((a, b) => a - b)
      const lasting = { after, grace, duration: 1_000_000, status: 403 }
      const end = sorted.reduce(
        (coolDown, now) => afterArrival(coolDown, lasting, now),
        afterRefusal(noCoolDown, 10_000, 0),
      )
      const held = sorted.filter((time) => time > grace && time < 10_000).length
      expect(isBanned(end, 12_000)).toBe(held > after)
    }),
  )
})

import { expect, it } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'
import { day, minute, paceOf, windowLength } from '../../src/rate-limit/plan.ts'

it('knows the requests per minute of each plan in the interface document; free is the default', () => {
  expect(paceOf('free')).toEqual({ limit: 60, per: 60_000 })
  expect(paceOf('pro')).toEqual({ limit: 300, per: 60_000 })
  expect(paceOf('business')).toEqual({ limit: 1_000, per: 60_000 })
  expect(paceOf()).toEqual(paceOf('free'))
})

it('accepts a rate that was agreed individually', () => {
  expect(paceOf({ limit: 5, per: 1_000 })).toEqual({ limit: 5, per: 1_000 })
  expect(paceOf({ limit: 1, per: day })).toEqual({ limit: 1, per: day })
})

it.each([
  { limit: 0, per: 1_000 },
  { limit: -1, per: 1_000 },
  { limit: 1.5, per: 1_000 },
  { limit: Number.NaN, per: 1_000 },
  { limit: Number.POSITIVE_INFINITY, per: 1_000 },
  { limit: 1, per: 0 },
  { limit: 1, per: -5 },
  { limit: 1, per: Number.NaN },
  { limit: 1, per: day + 1 },
])('refuses the plan %j', (plan) => {
  expect(() => paceOf(plan)).toThrow(TypeError)
  expect(() => paceOf(plan)).toThrow('"free", "pro", "business", or { limit, per }')
})

it.each(['enterprise', 'toString', ''])('refuses the plan name %j', (plan) => {
  // Untyped code may pass any plan.
  const options: object = { baseUrl: 'https://petstore.test/v1', plan }
  expect(() => createPetstoreClient(options as { baseUrl: string })).toThrow('"free", "pro", "business"')
})

it('a window with the limit of `pace` is as long, else a minute if its limit is only one of a minute, else a day at most', () => {
  const pace = { limit: 20, per: 5_000 }
  expect(windowLength(60, pace)).toBe(minute)
  expect(windowLength(300, pace)).toBe(minute)
  expect(windowLength(1_000, pace)).toBe(day)
  expect(windowLength(undefined, pace)).toBe(day)
  expect(windowLength(20, pace)).toBe(5_000)
  expect(windowLength(1_000, paceOf('business'))).toBe(minute)
})

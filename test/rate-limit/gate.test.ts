import { describe, expect, test } from 'vitest'
import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { noteSent } from '../../src/rate-limit/gate.ts'
import { day, minute } from '../../src/rate-limit/plan.ts'
import { addInFlight, expire, removeInFlight } from '../../src/rate-limit/windows.ts'
import { exchange, headersOf, holdOf, now, pace, recordWith, windowWith } from './gate.setup.ts'

describe('G18: only a 429, or a 403 with Retry-After, closes the gate of the key', () => {
  test.each([400, 401, 403, 404, 408, 500, 502, 503, 504])('a %d starts no cool-down', (status) => {
    const retryIn = status === 403 ? undefined : 600_000 // only a 403 with Retry-After is a refusal
    const record = exchange(emptyRecord, { status, rateLimitHeaders: { retryIn } })
    expect(record.cooldownUntil).toBe(0)
  })

  test.each([429, 403])('a %d with Retry-After starts a cool-down of that time and half a second', (status) => {
    const record = exchange(emptyRecord, { status, rateLimitHeaders: { retryIn: 7_000 } })
    expect(record.cooldownUntil).toBe(now + 100 + 7_500)
    expect(holdOf(record, 0, now + 200)).toMatchObject({ reason: 'cooling-down', until: record.cooldownUntil })
  })
})

describe('G28: a used-up window longer than a minute', () => {
  const dayWindow = windowWith(0, {
    limit: 1_000,
    serviceReset: now + 8 * 60 * minute,
    resetAt: now + 8 * 60 * minute,
    minLength: day,
  })
  const record = recordWith({ windows: [dayWindow] })
  const later = now + 10 * minute

  test('lets one call of a person through every ten minutes', () => {
    expect(holdOf(record, 0, later - 1)).toMatchObject({ reason: 'used-up', until: dayWindow.resetAt })
    expect(holdOf(record, 0, later)).toBeUndefined()
    const tried = noteSent(record, later)
    expect(holdOf(tried, 0, later + 1)).toMatchObject({ reason: 'used-up' })
    expect(holdOf(tried, 0, later + 10 * minute)).toBeUndefined()
  })

  test('lets no call of the background through, nor a second one of a person at the same time', () => {
    expect(holdOf(record, 0, later, 'background')).toMatchObject({ reason: 'used-up' })
    expect(holdOf(record, 1, later)).toMatchObject({ reason: 'used-up' })
  })

  test('ends with a response that announces another limit: the plan has changed', () => {
    const tried = noteSent(record, later)
    const headers = { limit: 5_000, remaining: 4_000, resetAt: dayWindow.resetAt, date: later }
    const known = exchange(tried, { rateLimitHeaders: headers }, later)
    expect(known.windows.map(({ limit }) => limit)).toEqual([5_000])
  })

  test('lets no call through while another request is in flight: its response may show a new plan, too', () => {
    const sent = addInFlight(recordWith({ windows: [{ ...dayWindow, remaining: 1 }] }), 'b', 1, 31_000, later)
    expect(holdOf(sent, 0, later)).toMatchObject({ reason: 'used-up' })
  })

  test('lets a call through, too, if it only seems to be that long, since the service’s clock is slow and unknown', () => {
    // The reset is 30 s ahead by a clock that is five minutes slow. 1,000 is the limit of a minute or of a day.
    const headers = { limit: 1_000, remaining: 0, resetAt: now - 5 * minute + 30_000 }
    const known = exchange(emptyRecord, { rateLimitHeaders: headers })
    expect(holdOf(known, 0, later)).toMatchObject({ reason: 'used-up' })
    expect(holdOf(known, 0, later + 100)).toBeUndefined()
  })

  test('lets no call through in a cool-down', () => {
    const closed = recordWith({ windows: [dayWindow], cooldownUntil: now + day })
    expect(holdOf(closed, 0, later)).toMatchObject({ reason: 'cooling-down' })
  })
})

describe('G26: the time that a request is told is', () => {
  test('the reset if its place is beyond the units of the window, and a window later for each further 60 places', () => {
    const record = recordWith({ windows: [windowWith(2)] })
    const untilOf = (place: number) => holdOf(record, place)?.until
    expect([0, 1].map(untilOf)).toEqual([undefined, undefined])
    expect([2, 61, 62].map(untilOf)).toEqual([now + minute, now + minute, now + 2 * minute])
  })

  test('beyond the next window, a window of the plan later if it has this limit, else `minLength` later at the earliest', () => {
    const record = recordWith({ windows: [windowWith(0, { resetAt: now + 20_000, minLength: 20_000 })] })
    expect(holdOf(record, 60)).toMatchObject({ until: now + 80_000, isEarliest: false })
    const other = recordWith({ windows: [windowWith(0, { limit: 50, resetAt: now + 20_000, minLength: 20_000 })] })
    expect(holdOf(other, 49)).toMatchObject({ until: now + 20_000, isEarliest: false })
    expect(holdOf(other, 50)).toMatchObject({ until: now + 40_000, isEarliest: true })
    // The background may use 45 of the 50 units: a tenth is kept for people.
    expect(holdOf(other, 44, now, 'background')).toMatchObject({ until: now + 20_000, isEarliest: false })
    expect(holdOf(other, 45, now, 'background')).toMatchObject({ until: now + 40_000, isEarliest: true })
  })

  test('after a window that named no limit, as the limit of the plan allows, for people and the background', () => {
    const record = recordWith({ windows: [windowWith(0, { limit: 0, resetAt: now })], concurrency: 100 })
    expect(holdOf(record, 59)).toBeUndefined()
    expect(holdOf(record, 60)).toMatchObject({ reason: 'pace' })
    expect(holdOf(record, 0, now, 'background')).toBeUndefined()
  })

  test('for the background, ten seconds before the reset if the unit is kept for people until then', () => {
    const record = recordWith({ windows: [windowWith(6)] })
    expect(holdOf(record, 0, now, 'background')).toMatchObject({ reason: 'reserve', until: now + 50_000 })
    expect(holdOf(record, 0, now + 50_000, 'background')).toBeUndefined()
  })

  test('only the earliest one if another page waits, too', () => {
    const pages = { b: { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: now + 1_000, hasUserRequest: true } }
    const record = recordWith({ windows: [windowWith(1)], pages })
    expect(holdOf(record, 1)).toMatchObject({ isEarliest: true })
  })

  test('only the earliest one in a cool-down that ends before the window, except for the probe', () => {
    const record = recordWith({ windows: [windowWith(19, { resetAt: now })], cooldownUntil: now + 2_500 })
    const known = { ...record, skew: { min: 0, max: 0 } }
    expect([0, 1].map((place) => holdOf(known, place)?.isEarliest)).toEqual([false, true])
  })
})

describe('G26: the time that a request of the background is told is', () => {
  test('before the reset for each unit that is kept for people, so that 54 more places leave at the reset', () => {
    const record = recordWith({ windows: [windowWith(6)] })
    expect(holdOf(record, 5, now, 'background')).toMatchObject({ reason: 'reserve', until: now + 50_000 })
    expect(holdOf(record, 59, now, 'background')).toMatchObject({ reason: 'used-up', until: now + minute })
  })

  test('where no window is known, as if the limit of the plan were 54: a tenth is kept for people', () => {
    const record = recordWith({ concurrency: 100, localUsage: [{ at: now - 30_000, count: 60 }] })
    expect(holdOf(record, 53, now, 'background')).toMatchObject({ reason: 'pace', until: now + 30_000 })
    expect(holdOf(record, 54, now, 'background')).toMatchObject({ reason: 'pace', until: now + 90_000 })
  })
})

describe('G20: over all tabs', () => {
  const other = (hasUserRequest: boolean) => ({
    b: { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: now + 1_000, hasUserRequest },
  })

  test('the background waits for a person on another page, but a person does not wait for the background there', () => {
    const record = recordWith({ windows: [windowWith(30)], pages: other(true) })
    expect(holdOf(record, 0, now, 'background')).toMatchObject({ reason: 'other-tabs' })
    expect(holdOf(recordWith({ windows: [windowWith(30)], pages: other(false) }))).toBeUndefined()
  })

  test('while another page waits, a page sends at most its even part of the units: five of ten', () => {
    const record = recordWith({ windows: [windowWith(10)], pages: other(true) })
    expect(holdOf(record, 4)).toBeUndefined()
    expect(holdOf(record, 5)).toMatchObject({ reason: 'other-tabs' })
  })
})

test('a refusal after a success counts as the first in a row, also when the window of the success has ended', () => {
  const refuse = (record: GateRecord, at: number) => exchange(record, { status: 429 }, at)
  const lengthOf = ({ cooldownUntil }: GateRecord, at: number) => Math.round((cooldownUntil - at) / minute)
  const refused = refuse(emptyRecord, now)
  expect(lengthOf(refused, now)).toBe(1)
  const later = refused.cooldownUntil + 40_000
  expect(lengthOf(refuse(refused, later), later)).toBe(2)
  const resetAt = refused.cooldownUntil + 20_000
  const rateLimitHeaders = { limit: 60, remaining: 59, resetAt, date: refused.cooldownUntil }
  const succeeded = exchange(refused, { rateLimitHeaders }, refused.cooldownUntil)
  expect(lengthOf(refuse(succeeded, later), later)).toBe(1)
})

describe('what the gate learns from the end of a request', () => {
  test('G7: `remaining` rises if a later request is told more than the gate thought was left, and never out of order', () => {
    const lost = exchange(exchange(recordWith({ windows: [windowWith(20)] }), { status: 502 }), { status: 502 })
    expect(lost.windows[0]?.remaining).toBe(18)
    const inOrder = exchange(lost, { rateLimitHeaders: headersOf(19) }, now + 1_000)
    expect(inOrder.windows[0]?.remaining).toBe(19)
    const outOfOrder = exchange(inOrder, { rateLimitHeaders: headersOf(40) }, now + 500)
    expect(outOfOrder.windows[0]?.remaining).toBe(19)
  })

  test.each([
    ['has no response', 0],
    ['is aborted', undefined],
    ['has a response without headers', 502],
  ])('G6: a request that %s spends a unit of the live window, or of the pace where there is none', (_, status) => {
    expect(exchange(recordWith({ windows: [windowWith(20)] }), { status }).windows[0]?.remaining).toBe(19)
    expect(exchange(emptyRecord, { status }).localUsage).toMatchObject([{ count: 1 }])
  })

  test('G6: the announced `remaining` already counts the request itself, which spends a unit of all other windows, too', () => {
    const dayWindow = windowWith(500, { limit: 1_000, serviceReset: now + day, resetAt: now + day, minLength: day })
    const record = recordWith({ windows: [windowWith(20), dayWindow] })
    const announced = exchange(record, { rateLimitHeaders: headersOf(19) })
    expect(new Map(announced.windows.map(({ limit, remaining }) => [limit, remaining]))).toEqual(
      new Map([
        [60, 19],
        [1_000, 499],
      ]),
    )
  })

  test('G5: `since` of a page is never later than now, so that a clock set back delays no doubling of the concurrency', () => {
    const hung = addInFlight(emptyRecord, 'a', 2, minute, now)
    expect(removeInFlight(hung, 'a', 1, now, now + 60 * minute).pages).toMatchObject({ a: { inFlight: 1, since: now } })
  })

  test('G5: beside 16 requests of the last window that hang, the most that may, one leaves ten seconds after the reset', () => {
    const hung = addInFlight(recordWith({ windows: [windowWith(0)] }), 'b', 16, 10 * minute, now)
    // Each step takes two seconds. Four of them double the concurrency from 1 to 16, and each further one adds one.
    const fifthStep = now + minute + 5 * 2_000
    expect(holdOf(hung, 0, fifthStep - 1)).toMatchObject({ reason: 'probe', until: fifthStep })
    expect([0, 1].map((place) => holdOf(hung, place, fifthStep)?.reason)).toEqual([undefined, 'probe'])
  })

  test('G5: the limit of an earlier plan is forgotten an hour after its window', () => {
    const earlier = windowWith(0, { limit: 1_000, resetAt: now - 60 * minute })
    const known = exchange(recordWith({ windows: [earlier] }), { rateLimitHeaders: headersOf(50) })
    expect(known.windows).toMatchObject([{ limit: 60 }])
  })

  test('G6: an announcement without a reset is one of the known window, which keeps its end', () => {
    const headers = { limit: 60, remaining: 40, date: now }
    const [window] = exchange(recordWith({ windows: [windowWith(59)] }), { rateLimitHeaders: headers }).windows
    expect(window).toMatchObject({ remaining: 40, resetAt: now + minute })
  })

  test('G6: the announced `remaining` is reduced by the unreported units that were spent since its request left', () => {
    const record = exchange(recordWith({ unreportedUnits: 3 }), {
      unreportedBefore: 1,
      rateLimitHeaders: headersOf(19),
    })
    expect(record.windows[0]?.remaining).toBe(17)
  })

  test('a reset that is more than a day away does not count, so the window is taken to end in a minute', () => {
    const headers = { limit: 60, remaining: 3, resetAt: now + 40 * day, date: now }
    const [window] = exchange(emptyRecord, { rateLimitHeaders: headers }).windows
    expect(window?.resetAt).toBeLessThan(now + 2 * minute)
  })

  test('the copy of a cache announces no window, and its Date bounds the skew to two seconds', () => {
    const record = exchange(emptyRecord, { rateLimitHeaders: { date: now, dateError: 2_000 } })
    expect(record.windows).toEqual([])
    expect(record.skew.max - record.skew.min).toBeLessThanOrEqual(2_100)
  })
})

test('G24: a page that is gone while it waits is forgotten at its `waitsUntil`', () => {
  const pages = { b: { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: now + 1_000, hasUserRequest: true } }
  const record = recordWith({ pages })
  expect(expire(record, now + 999, pace)).toBe(record)
  expect(expire(record, now + 1_000, pace).pages).toEqual({})
})

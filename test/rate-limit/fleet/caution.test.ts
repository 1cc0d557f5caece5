import { beforeEach, expect, test } from 'vitest'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { createCaution } from '../../../src/rate-limit/fleet/quotaPart.ts'
import { addInFlight } from '../../../src/rate-limit/windows.ts'

const start = 1_000_000
const end = start + 3_000
let caution: ReturnType<typeof createCaution>

beforeEach(() => {
  caution = createCaution()
})

const withRemaining = (remaining: number): GateRecord => ({
  ...emptyRecord,
  updatedAt: start,
  windows: [{ limit: 320, remaining, reset: end, resetAt: end }],
})
/** What one of four processes holds back of a record, which it has been alone with since the start. */
const look = (record: GateRecord, now: number, others: Partial<Parameters<typeof caution.holdBack>[2]> = {}) =>
  caution.holdBack(
    record,
    record,
    { processes: 4, cutOffAt: start, haveWaited: false, keepParts: false, ...others },
    now,
  )
const remainingOf = ({ windows }: GateRecord) => windows[0]?.remaining

test('one request finds out what is left; then a process takes a small part of it at once, and one unit at least', () => {
  const takes = (remaining: number) => {
    caution = createCaution()
    const first = remainingOf(look(withRemaining(remaining + 1), start))
    caution.count(1)
    return [first, remainingOf(look(withRemaining(remaining), start + 20))]
  }
  expect([319, 64, 20, 1, 0].map(takes)).toEqual([
    [1, 9],
    [1, 2],
    [1, 1],
    [1, 1],
    [1, 0],
  ])
})

test('after another loss in the same window, one request finds out again', () => {
  look(withRemaining(320), start)
  caution.count(1)
  expect(remainingOf(look(withRemaining(319), start + 20))).toBe(9)
  expect(remainingOf(look(withRemaining(319), start + 500, { cutOffAt: start + 400 }))).toBe(1)
})

test('what is left of the window of the loss belongs to others whose requests waited for it', () => {
  const haveWaited = true
  expect(look(withRemaining(200), start, { haveWaited }).windows[0]).toMatchObject({ remaining: 0, resetAt: end })
  expect(remainingOf(look(withRemaining(199), end - 1, { haveWaited }))).toBe(0)
  expect(look(withRemaining(199), end, { haveWaited }).windows[0]).toMatchObject({ resetAt: end + 1_250 })
})

test('its requests in flight keep their units', () => {
  const request = { batch: 'a', holdFor: 9_000 }
  let record = withRemaining(64)
  for (let count = 0; count < 5; count += 1) record = addInFlight(record, request, start)
  expect(remainingOf(look(record, start))).toBe(5)
})

test('it pauses when others take much, and not when they take their part', () => {
  look(withRemaining(320), start)
  caution.count(1)
  expect(remainingOf(look(withRemaining(319), start + 10))).toBe(9)
  caution.count(9)
  expect(remainingOf(look(withRemaining(280), start + 20))).toBe(8)
  expect(look(withRemaining(120), start + 40).windows[0]).toMatchObject({ remaining: 0, resetAt: start + 1_290 })
  expect(remainingOf(look(withRemaining(120), start + 1_289))).toBe(0)
  // It does not know what they have taken meanwhile.
  expect(remainingOf(look(withRemaining(120), start + 1_290))).toBe(1)
  caution.count(1)
  expect(remainingOf(look(withRemaining(119), start + 1_310))).toBe(3)
})

test('it looks into a new window when its turn is over, with one request', () => {
  const record = withRemaining(200)
  expect(look(record, end).windows[0]).toMatchObject({ remaining: 0, resetAt: end + 1_250 })
  // A window that has ended with nothing left begins with one request.
  const begun = { maxInFlight: 1, windows: [{ remaining: 0, resetAt: end }] }
  expect(look(record, end + 1_250)).toMatchObject(begun)
  // Others that keep to their parts are without the store, too.
  expect(look(record, end, { keepParts: true })).toMatchObject(begun)
})

test('a window that it hears of before its own look belongs to the others until then', () => {
  look(withRemaining(0), start)
  const next = { limit: 320, remaining: 319, reset: end + 3_000, resetAt: end + 3_000 }
  const heardOf = { ...emptyRecord, updatedAt: end, windows: [next] }
  expect(look(heardOf, end + 30).windows[0]).toMatchObject({ remaining: 0, resetAt: end + 1_280 })
  expect(remainingOf(look(heardOf, end + 1_280))).toBe(1)
  // Also if it had the store in the window between.
  const later = { ...next, reset: end + 9_000, resetAt: end + 9_000 }
  expect(remainingOf(look({ ...heardOf, windows: [later] }, end + 6_500))).toBe(0)
})

test('of a window that it has looked into itself it takes its part at once', () => {
  look(withRemaining(0), start)
  look(withRemaining(0), end + 1_250)
  const next = { limit: 320, remaining: 200, reset: end + 3_000, resetAt: end + 3_000 }
  expect(remainingOf(look({ ...emptyRecord, updatedAt: end, windows: [next] }, end + 1_300))).toBe(6)
  // The next one is not its own, however soon it comes.
  const later = { ...next, reset: end + 6_000, resetAt: end + 6_000 }
  expect(remainingOf(look({ ...emptyRecord, updatedAt: end, windows: [later] }, end + 2_400))).toBe(0)
})

test.each([
  ['until they use it', end + 1_350, 310, 9],
  ['and for a while if they do not', end + 2_549, 317, 1],
  ['and then no longer', end + 2_550, 317, 9],
])('a window that others may begin late is used one by one, %s', (_name, later, remaining, expected) => {
  look(withRemaining(0), start)
  look(withRemaining(0), end + 1_250)
  caution.count(1)
  const begun = (left: number): GateRecord => {
    const window = { limit: 320, remaining: left, reset: end + 3_000, resetAt: end + 3_000 }
    return { ...emptyRecord, updatedAt: end, windows: [window] }
  }
  expect(remainingOf(look(begun(319), end + 1_300))).toBe(1)
  caution.count(1)
  expect(remainingOf(look(begun(317), end + 1_340))).toBe(1) // one unit is of one of the others
  expect(remainingOf(look(begun(remaining), later))).toBe(expected)
})

test('so does one that has begun for the service, but not yet by its own clock', () => {
  look(withRemaining(1), end - 300)
  caution.count(1)
  const next = { limit: 320, remaining: 319, reset: end + 3_000, resetAt: end + 3_000 }
  const responded = { ...emptyRecord, updatedAt: end, windows: [next] }
  expect(look(responded, end - 270).windows[0]).toMatchObject({ remaining: 0, resetAt: end + 980 })
  expect(remainingOf(look(responded, end + 980))).toBe(1)
})

test('windows of two limits are not taken for each other', () => {
  const day = { limit: 1_000, remaining: 900, reset: end + 9_000_000, resetAt: end + 9_000_000 }
  const both = (remaining: number, ofDay: number): GateRecord => {
    const minute = { limit: 320, remaining, reset: end, resetAt: end }
    return { ...emptyRecord, updatedAt: start, windows: [minute, { ...day, remaining: ofDay }] }
  }
  look(both(64, 900), start)
  look(both(63, 899), start + 10)
  const [minute, other] = look(both(63, 899), start + 2_000).windows
  expect([minute?.remaining, other?.remaining]).toEqual([1, 28])
})

test('it waits four times as long after a refusal of its own, but 10 s more at most', () => {
  const refused = (from: number, until: number) => ({
    ...withRemaining(0),
    cooldownStartedAt: from,
    cooldownUntil: until,
  })
  expect(look(refused(start, start + 2_000), start).cooldownUntil).toBe(start + 8_000)
  expect(look(refused(start, start + 60_000), start).cooldownUntil).toBe(start + 70_000)
  // The others know of a refusal before the outage.
  expect(look(refused(start - 1, start + 2_000), start).cooldownUntil).toBe(start + 2_000)
})

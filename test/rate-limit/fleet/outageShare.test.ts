import { expect, test } from 'vitest'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { createOutageShare, dividePace } from '../../../src/rate-limit/fleet/quotaPart.ts'
import { addInFlight } from '../../../src/rate-limit/windows.ts'

const now = 1_000_000
const withRemaining = (remaining: number, reset = now + 60_000): GateRecord => ({
  ...emptyRecord,
  updatedAt: now,
  windows: [{ limit: 60, remaining, reset, resetAt: reset }],
})
const withTwoInFlight = (record: GateRecord): GateRecord => {
  const request = { batch: 'a', holdFor: 9_000 }
  return addInFlight(addInFlight(record, request, now), request, now)
}
const remainingOf = ({ windows }: GateRecord) => windows.map(({ remaining }) => remaining)

test('each process may use its part of what was left when it first saw the window', () => {
  const share = createOutageShare()
  expect(remainingOf(share.limitWindows(withRemaining(50), 4, now))).toEqual([12])
  share.count(5)
  // Others have used more meanwhile.
  expect(remainingOf(share.limitWindows(withRemaining(30), 4, now))).toEqual([7])
  share.count(7)
  expect(remainingOf(share.limitWindows(withRemaining(30), 4, now))).toEqual([0])
  // What the service reports still counts.
  share.count(-3)
  expect(remainingOf(share.limitWindows(withRemaining(2), 4, now))).toEqual([2])
})

test('requests in flight keep their units, and each process leaves out as many for those of the others', () => {
  const record = withTwoInFlight(withRemaining(50))
  expect(remainingOf(createOutageShare().limitWindows(record, 4, now))).toEqual([2 + 12 - 2])
})

test('what would be less than a unit for each is left: a later window shows more', () => {
  const record = withTwoInFlight(withRemaining(4))
  expect(remainingOf(createOutageShare().limitWindows(record, 4, now))).toEqual([2])
  expect(remainingOf(createOutageShare().limitWindows(withRemaining(3), 16, now))).toEqual([0])
})

const end = now + 60_000
/** What one of four may use of the next window, which it has looked into with one request. */
function limitNext(share: ReturnType<typeof createOutageShare>, remaining: number): number[] {
  share.limitWindows(withRemaining(0), 4, end)
  share.count(1)
  share.limitWindows(withRemaining(0), 4, end + 100)
  return remainingOf(share.limitWindows(withRemaining(remaining, end + 60_000), 4, end + 200))
}

function createUsedShare() {
  const share = createOutageShare()
  share.limitWindows(withRemaining(50), 4, now)
  share.count(12)
  return share
}

test('of the next window it takes its part of the limit, while the others take no more than theirs', () => {
  const share = createUsedShare()
  expect(limitNext(share, 14)).toEqual([14])
  share.count(13)
  // The same window, whose end a service rounds differently.
  expect(remainingOf(share.limitWindows(withRemaining(9, end + 61_000), 4, end + 900))).toEqual([1])
})

test('if they have taken more, it takes its part of what they have left', () => {
  expect(limitNext(createUsedShare(), 13)).toEqual([3])
})

test.each([
  ['have used their parts', 14, true],
  ['have used more', 13, false],
  ['have used little', 40, false],
])(
  'whether others are without the store, too, when they %s of a window that began in the outage',
  (_name, remaining, expected) => {
    const share = createUsedShare()
    limitNext(share, remaining)
    share.limitWindows(withRemaining(remaining, end + 60_000), 4, end + 60_000)
    expect(share.othersKeepParts).toBe(expected)
  },
)

test.each([
  ['until the window began', end + 1, false],
  ['no longer than the window before', end, true],
])('others may have left units to its requests, which were in flight to them %s', (_name, until, expected) => {
  const share = createUsedShare()
  share.tellInFlight(12, until)
  limitNext(share, 14)
  share.limitWindows(withRemaining(14, end + 60_000), 4, end + 60_000)
  expect(share.othersKeepParts).toBe(expected)
})

test('after the outage everything is shared again', () => {
  const share = createOutageShare()
  share.limitWindows(withRemaining(50), 4, now)
  share.count(12)
  share.end()
  expect(remainingOf(share.limitWindows(withRemaining(40), 4, now))).toEqual([10])
})

test('the pace of the plan is divided too', () => {
  const pace = { limit: 60, per: 60_000 }
  expect([dividePace(pace, 1), dividePace(pace, 4).limit, dividePace(pace, 100).limit]).toEqual([pace, 15, 1])
})

import { expect, test } from 'vitest'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { createOutageShare, dividePace } from '../../../src/rate-limit/fleet/createFleetStore.ts'
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
  expect(remainingOf(share.limitWindows(withRemaining(50), 4))).toEqual([12])
  share.count(5)
  // Others have used more meanwhile.
  expect(remainingOf(share.limitWindows(withRemaining(30), 4))).toEqual([7])
  share.count(7)
  expect(remainingOf(share.limitWindows(withRemaining(30), 4))).toEqual([0])
  // What the service reports still counts.
  share.count(-3)
  expect(remainingOf(share.limitWindows(withRemaining(2), 4))).toEqual([2])
})

test('requests in flight keep their units, and each process leaves out as many for those of the others', () => {
  const record = withTwoInFlight(withRemaining(50))
  expect(remainingOf(createOutageShare().limitWindows(record, 4))).toEqual([2 + 12 - 2])
})

test('there is one unit at least, to find out more', () => {
  const record = withTwoInFlight(withRemaining(4))
  expect(remainingOf(createOutageShare().limitWindows(record, 4))).toEqual([2 + 1])
  expect(remainingOf(createOutageShare().limitWindows(withRemaining(3), 16))).toEqual([1])
  expect(remainingOf(createOutageShare().limitWindows(withRemaining(0), 16))).toEqual([0])
})

test('the next window is divided anew', () => {
  const share = createOutageShare()
  share.limitWindows(withRemaining(50), 4)
  share.count(12)
  expect(remainingOf(share.limitWindows(withRemaining(59, now + 120_000), 4))).toEqual([14])
  // The same window, whose end a service rounds differently.
  share.count(14)
  expect(remainingOf(share.limitWindows(withRemaining(59, now + 121_000), 4))).toEqual([0])
})

test('after the outage everything is shared again', () => {
  const share = createOutageShare()
  share.limitWindows(withRemaining(50), 4)
  share.count(12)
  share.end()
  expect(remainingOf(share.limitWindows(withRemaining(40), 4))).toEqual([10])
})

test('the pace of the plan is divided too', () => {
  const pace = { limit: 60, per: 60_000 }
  expect([dividePace(pace, 1), dividePace(pace, 4).limit, dividePace(pace, 100).limit]).toEqual([pace, 15, 1])
})

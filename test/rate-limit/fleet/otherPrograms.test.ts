import { beforeEach, expect, test } from 'vitest'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { createOtherPrograms } from '../../../src/rate-limit/fleet/strangers.ts'

const start = 1_000_000
const minute = 60_000
let programs: ReturnType<typeof createOtherPrograms>

beforeEach(() => {
  programs = createOtherPrograms()
})

const refusedAt = (cooldownStartedAt: number): GateRecord => ({ ...emptyRecord, cooldownStartedAt })

/** What is left to the fleet of a window in which so many units of 60 remain. */
function left(remaining: number, now: number, limit = 60): number | undefined {
  const window = { limit, remaining, reset: now + 1_000, resetAt: now + 1_000 }
  return programs.leaveUnits({ ...emptyRecord, windows: [window] }, now).windows[0]?.remaining
}

test('one refusal is an accident, and each further one leaves a unit more, up to a twentieth of the limit', () => {
  const lefts = [1, 2, 3, 4, 5, 6].map((count) => {
    programs.watch(refusedAt(start + count), start + count)
    programs.watch(refusedAt(start + count), start + count)
    return left(60, start + count)
  })
  expect(lefts).toEqual([60, 59, 58, 57, 57, 57])
  expect([left(2, start + 10), left(10, start + 10, 10)]).toEqual([0, 10])
})

test('refusals are forgotten after five minutes without one', () => {
  programs.watch(refusedAt(start), start)
  programs.watch(refusedAt(start + minute), start + minute)
  expect([left(60, start + 6 * minute - 1), left(60, start + 6 * minute)]).toEqual([59, 60])
  programs.watch(refusedAt(start + 7 * minute), start + 7 * minute)
  expect(left(60, start + 7 * minute)).toBe(60)
})

test('a window that is over is left as it is: its units say how the next one begins', () => {
  programs.watch(refusedAt(start), start)
  programs.watch(refusedAt(start + 1), start + 1)
  const record = { ...emptyRecord, windows: [{ limit: 60, remaining: 1, reset: start, resetAt: start }] }
  expect(programs.leaveUnits(record, start + 2)).toEqual(record)
})

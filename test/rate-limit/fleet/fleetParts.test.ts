import { describe, expect, it } from 'vitest'
import {
  allotmentSize,
  createRecentUsage,
  holdUnits,
  leaseOf,
  leaseTime,
  renewLeases,
  spendOthers,
} from '../../../src/rate-limit/fleet/heldUnits.ts'
import { createClockRepair, createStoreClock } from '../../../src/rate-limit/fleet/createFleetStore.ts'
import { emptyRecord, type GateRecord, noFailures } from '../../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../../src/rate-limit/plan.ts'
import { createVirtualClock } from '../virtualClock.ts'

const now = 1_000_000_000
const pace = paceOf('free')
const withRemaining = (remaining: number, fields: Partial<GateRecord> = {}): GateRecord => ({
  ...emptyRecord,
  updatedAt: now,
  windows: [{ limit: 1_000, remaining, reset: now + 60_000, resetAt: now + 60_000 }],
  ...fields,
})

const short = leaseOf(emptyRecord, 'me', now)

describe('the size of an allotment', () => {
  const size = (record: GateRecord, used = 1_000, lease = short) => allotmentSize(record, 'me', used, now, pace, lease)

  it('is what was used lately, at most an eighth of what is left to background requests', () => {
    expect([size(withRemaining(900), 30), size(withRemaining(900))]).toEqual([30, 100])
  })

  it('is at most a sixteenth with a long lease', () => {
    const record = withRemaining(900)
    expect(size(record, 1_000, leaseOf(record, 'me', now))).toBe(50)
  })

  it('is nothing for a single call', () => {
    expect([size(withRemaining(900), 1), size(withRemaining(900), 2)]).toEqual([0, 2])
  })

  it('is nothing near the end of a window', () => {
    expect([size(withRemaining(108)), size(withRemaining(107)), size(withRemaining(0))]).toEqual([1, 0, 0])
  })

  it('is nothing where no window is known, or after failures', () => {
    expect(size({ ...emptyRecord, maxInFlight: 1_000 })).toBe(0)
    expect(size(withRemaining(900, { failures: { ...noFailures, count: 3, pauseUntil: now - 1 } }))).toBe(0)
  })

  it('is nothing while another process waits', () => {
    const waiting = (page: string, from: number) => ({ [page]: { user: false, background: true, from, served: 0 } })
    expect(size(withRemaining(900, { waiting: waiting('other', now) }))).toBe(0)
    expect(size(withRemaining(900, { waiting: waiting('other', now - 1_000) }))).toBe(100)
    expect(size(withRemaining(900, { waiting: waiting('me', now) }))).toBe(100)
  })
})

describe('leases', () => {
  const record = holdUnits(emptyRecord, 'mine', 3, now, short)

  it('are renewed for batches that are still held, and for no others', () => {
    const later = renewLeases(holdUnits(record, 'other', 1, now, short), ['mine', 'gone'], now + 2_000, short)
    expect(later.inFlight).toEqual({
      mine: { count: 3, since: now, until: now + 2_000 + leaseTime },
      other: { count: 1, since: now, until: now + leaseTime },
    })
  })

  it('of others are spent in the window in which they were renewed, where nobody can say how they end', () => {
    const withOther = holdUnits({ ...record, windows: withRemaining(50).windows }, 'other', 8, now, short)
    const cutOff = spendOthers(withOther, new Set(['mine']), now + 90_000, pace)
    expect(cutOff).toMatchObject({ inFlight: { mine: { count: 3 } }, windows: [{ remaining: 42 }], localUsage: [] })
    // Their own responses report them to those processes, when both records are merged later.
    expect(cutOff.lostUnits).toBe(0)
    expect(Object.keys(cutOff.inFlight)).toEqual(['mine'])
  })

  it('last until the end of a window that is mostly unused, but for a minute at most', () => {
    const lengthOf = (known: GateRecord, at = now) => leaseOf(known, 'me', at).time
    expect(lengthOf(withRemaining(500))).toBe(59_000)
    expect(lengthOf(withRemaining(500), now - 3_600_000)).toBe(60_000)
    expect(lengthOf(withRemaining(500), now + 54_000)).toBe(leaseTime)
    expect(lengthOf(withRemaining(499))).toBe(leaseTime)
    expect(lengthOf(emptyRecord)).toBe(leaseTime)
    const waiting = { other: { user: true, background: false, from: now, served: 0 } }
    expect(lengthOf(withRemaining(500, { waiting }))).toBe(leaseTime)
  })

  it('change no record that was renewed a moment ago', () => {
    expect(renewLeases(record, ['mine'], now + 500, short)).toBe(record)
  })
})

it('the usage of two periods counts', () => {
  let time = 100
  const usage = createRecentUsage(1_000, () => time)
  usage.count(3)
  expect(usage.total()).toBe(3)
  time = 1_100
  usage.count(2)
  expect(usage.total()).toBe(5)
  time = 2_100
  expect(usage.total()).toBe(2)
  time = 9_000
  expect(usage.total()).toBe(0)
})

it('times of the store are translated to the clock of the machine, by a difference that is steady', () => {
  const clock = createVirtualClock(now)
  let ahead = 3_600_000
  const store = createStoreClock(clock, () => clock.now() + ahead)
  expect([store.now(), store.toLocal(store.now() + 500)]).toEqual([now + ahead, now + 500])
  ahead += 30
  expect(store.toLocal(now + 3_600_000)).toBe(now)
  ahead += 1_000
  expect(store.toLocal(now + ahead)).toBe(now)
})

it('a record moves with its clock, and what never happened does not', () => {
  let ahead = 0
  const clock = createVirtualClock(now)
  const repair = createClockRepair({ ...clock, now: () => clock.now() + ahead })
  const record = withRemaining(5, { cooldownUntil: now + 9_000 })
  ahead = 800
  expect(repair(record)).toBe(record)
  ahead = -3_600_000
  expect(repair(record)).toMatchObject({ cooldownUntil: now + 9_000 + ahead, clearedAt: 0 })
  expect(repair(record)).toBe(record)
})

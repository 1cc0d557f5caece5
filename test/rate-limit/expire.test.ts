import { describe, expect, it } from 'vitest'
import { expire } from '../../src/rate-limit/windows.ts'
import { emptyRecord, type GateRecord, type GateWindow, noFailures } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'

const now = 1_000_000_000_000
const pace = paceOf('free')
const expireRecord = (fields: Partial<GateRecord>) => expire({ ...emptyRecord, updatedAt: now, ...fields }, now, pace)
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: 5,
  resetAt: now + 30_000,
  ...fields,
})

it('returns the same object if nothing expired', () => {
  const record: GateRecord = {
    updatedAt: now,
    cooldownUntil: now + 1_000,
    cooldownStartedAt: now - 1_000,
    clearedAt: 0,
    consecutiveRefusals: 2,
    failures: { ...noFailures, count: 2 },
    windows: [gateWindow()],
    maxInFlight: 4,
    localUsage: [{ at: now - 5_000, count: 3 }],
    inFlight: { a: { count: 1, since: now - 30_999, until: now + 1 } },
    lostUnits: 7,
    waiting: {},
    skew: { min: -5, max: 5 },
  }
  expect(expire(record, now, pace)).toBe(record)
  expect(expire(emptyRecord, now, pace)).toBe(emptyRecord)
})

it('moves all times back first if the clock was set back', () => {
  const cooling = { ...emptyRecord, updatedAt: now + 5_000, cooldownUntil: now + 6_000 }
  expect(expire(cooling, now, pace)).toMatchObject({ updatedAt: now, cooldownUntil: now + 1_000 })
})

describe('an expired request', () => {
  it('is no longer in flight, and its unit stays spent', () => {
    const inFlight = {
      lost: { count: 1, since: now - 31_000, until: now },
      kept: { count: 1, since: now - 30_999, until: now + 1 },
    }
    const record = expireRecord({ inFlight, windows: [gateWindow()] })
    expect(record).toMatchObject({ inFlight: { kept: inFlight.kept }, lostUnits: 1 })
    expect(record.windows).toEqual([gateWindow({ remaining: 9 })])
  })

  it('spends one unit, three spend three', () => {
    const inFlight = {
      a: { count: 1, since: now - 9_000, until: now - 1 },
      b: { count: 2, since: now - 9_000, until: now - 1 },
    }
    expect(expireRecord({ inFlight, windows: [gateWindow()] }).windows).toEqual([gateWindow({ remaining: 7 })])
    expect(expireRecord({ inFlight })).toMatchObject({ localUsage: [{ at: now, count: 3 }], lostUnits: 3 })
  })

  it('spends its unit at the time of its expiry, however late that is noticed', () => {
    const inFlight = { a: { count: 1, since: now - 9_000, until: now - 5_000 } }
    expect(expireRecord({ inFlight }).localUsage).toEqual([{ at: now - 5_000, count: 1 }])
    const ended = gateWindow({ resetAt: now - 4_999 })
    expect(expireRecord({ inFlight, windows: [ended] })).toMatchObject({
      localUsage: [],
      windows: [{ ...ended, remaining: 9 }],
    })
  })
})

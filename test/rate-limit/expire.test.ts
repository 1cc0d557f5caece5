import { describe, expect, it } from 'vitest'
import { expire, spendUnit } from '../../src/rate-limit/expire.ts'
import { emptyRecord, type GateRecord, type GateWindow, unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'

const now = 1_000_000_000_000
const pace = paceOf('free')
const bring = (fields: Partial<GateRecord>) => expire({ ...emptyRecord, updatedAt: now, ...fields }, now, pace)
const quota = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: 5,
  resetAt: now + 30_000,
  ...fields,
})

const full: GateRecord = {
  updatedAt: now,
  cooldownUntil: now + 1_000,
  cooldownStartedAt: now - 1_000,
  consecutive429s: 2,
  windows: [quota()],
  maxInFlight: 4,
  localUsage: [{ at: now - 5_000, count: 3 }],
  inFlight: { a: { sentAt: now - 100, until: now + 1 } },
  skew: { min: -5, max: 5 },
}

it('where time has done nothing, the record is the very same', () => {
  expect(expire(full, now, pace)).toBe(full)
  expect(expire(emptyRecord, now, pace)).toBe(emptyRecord)
})

describe('a lease that has run out', () => {
  it('is gone, and its unit stays spent', () => {
    const inFlight = { gone: { sentAt: now - 2, until: now }, kept: { sentAt: now - 1, until: now + 1 } }
    const { inFlight: left, windows } = bring({ inFlight, windows: [quota()] })
    expect(left).toEqual({ kept: { ...inFlight.kept, unreportedUnits: 1 } })
    expect(windows).toEqual([quota({ remaining: 9 })])
  })

  it('two of them are two units', () => {
    const inFlight = { a: { sentAt: now - 9, until: now - 1 }, b: { sentAt: now - 9, until: now - 1 } }
    expect(bring({ inFlight, windows: [quota()] }).windows).toEqual([quota({ remaining: 8 })])
    expect(bring({ inFlight }).localUsage).toEqual([{ at: now, count: 2 }])
  })

  it('is spent when it ran out, whenever that is noticed', () => {
    const inFlight = { a: { sentAt: now - 9_000, until: now - 5_000 } }
    expect(bring({ inFlight }).localUsage).toEqual([{ at: now - 5_000, count: 1 }])
    const ended = quota({ resetAt: now - 4_999 })
    expect(bring({ inFlight, windows: [ended] })).toMatchObject({
      localUsage: [],
      windows: [{ ...ended, remaining: 9 }],
    })
  })
})

describe('a unit that is spent', () => {
  const spend = (fields: Partial<GateRecord>, at = now, per = 60_000) =>
    spendUnit({ ...emptyRecord, ...fields }, at, { limit: 60, per })

  it('is taken from all windows while one of them lives', () => {
    const windows = [quota(), quota({ limit: 1_000, remaining: 0 }), quota({ limit: 300, resetAt: now - 1 })]
    expect(spend({ windows })).toEqual({
      ...emptyRecord,
      windows: [
        quota({ remaining: 9 }),
        quota({ limit: 1_000, remaining: 0 }),
        quota({ limit: 300, resetAt: now - 1, remaining: 9 }),
      ],
    })
  })

  it('is kept with its time, in slices, where no window lives', () => {
    const windows = [quota({ resetAt: now })]
    expect(spend({ windows })).toEqual({ ...emptyRecord, windows, localUsage: [{ at: now, count: 1 }] })
    expect(spend({}, now + 1).localUsage).toEqual([{ at: now + 100, count: 1 }])
    expect(spend({}, now + 100).localUsage).toEqual([{ at: now + 100, count: 1 }])
    expect(spend({}, now + 1, 1_000).localUsage).toEqual([{ at: now + 2, count: 1 }])
  })

  it('may not have been counted yet in the responses to those under way', () => {
    const inFlight = { a: { sentAt: now, until: now + 9 }, b: { sentAt: now, until: now + 9, unreportedUnits: 2 } }
    const unreportedUnits = { a: { ...inFlight.a, unreportedUnits: 1 }, b: { ...inFlight.b, unreportedUnits: 3 } }
    expect(spend({ inFlight }).inFlight).toEqual(unreportedUnits)
    expect(spend({ inFlight, windows: [quota()] }).inFlight).toEqual(unreportedUnits)
  })

  it('joins those of its slice, or of a later one', () => {
    const earlier = { at: now - 100, count: 5 }
    expect(spend({ localUsage: [earlier] }).localUsage).toEqual([earlier, { at: now, count: 1 }])
    expect(spend({ localUsage: [earlier, { at: now, count: 1 }] }).localUsage).toEqual([earlier, { at: now, count: 2 }])
    expect(spend({ localUsage: [earlier, { at: now + 700, count: 1 }] }).localUsage).toEqual([
      earlier,
      { at: now + 700, count: 2 },
    ])
  })

  it('lets go of those that the pace has forgotten', () => {
    const [forgotten, counted] = [
      { at: now - 60_000, count: 9 },
      { at: now - 59_900, count: 1 },
    ]
    expect(spend({ localUsage: [forgotten, counted] }).localUsage).toEqual([counted, { at: now, count: 1 }])
  })
})

describe('a clock that was set back', () => {
  it('by a second is the difference of two tabs', () => {
    const record = { ...full, updatedAt: now + 1_000 }
    expect(expire(record, now, pace)).toBe(record)
  })

  it('by more moves all times back with it, and what was known of the service’s clock is forgotten', () => {
    expect(expire({ ...full, inFlight: { a: { sentAt: now, until: now + 6_000 } } }, now - 5_000, pace)).toEqual({
      updatedAt: now - 5_000,
      cooldownUntil: now - 4_000,
      cooldownStartedAt: now - 6_000,
      consecutive429s: 2,
      windows: [quota({ resetAt: now + 25_000 })],
      maxInFlight: 4,
      localUsage: [{ at: now - 10_000, count: 3 }],
      inFlight: { a: { sentAt: now - 5_000, until: now + 1_000 } },
      skew: unknownClockSkew,
    })
    expect(expire({ ...full, updatedAt: now + 1_001 }, now, pace).cooldownUntil).toBe(now - 1)
  })

  it('never leads to a time before all times', () => {
    expect(expire({ ...full, cooldownStartedAt: 3 }, now - 5_000, pace).cooldownStartedAt).toBe(0)
  })
})

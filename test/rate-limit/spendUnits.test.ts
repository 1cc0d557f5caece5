import { expect, it } from 'vitest'
import { emptyRecord, type GateRecord, type GateWindow } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { spendUnits } from '../../src/rate-limit/windows.ts'

const now = 1_000_000_000_000
const spend = (fields: Partial<GateRecord>, count = 1) =>
  spendUnits({ ...emptyRecord, ...fields }, count, now, paceOf('free'))
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: 5,
  resetAt: now + 30_000,
  ...fields,
})

it('takes the unit from every window while one of them is live', () => {
  const windows = [
    gateWindow(),
    gateWindow({ limit: 1_000, remaining: 0 }),
    gateWindow({ limit: 300, resetAt: now - 1 }),
  ]
  expect(spend({ windows })).toEqual({
    ...emptyRecord,
    lostUnits: 1,
    windows: [
      gateWindow({ remaining: 9 }),
      gateWindow({ limit: 1_000, remaining: 0 }),
      gateWindow({ limit: 300, resetAt: now - 1, remaining: 9 }),
    ],
  })
})

it('counts the unit as local usage where no window is live', () => {
  const windows = [gateWindow({ resetAt: now })]
  expect(spend({ windows })).toEqual({
    ...emptyRecord,
    lostUnits: 1,
    windows,
    localUsage: [{ at: now, count: 1 }],
  })
})

it('takes several units at once', () => {
  const windows = [gateWindow({ remaining: 5 }), gateWindow({ limit: 1_000, remaining: 1 })]
  expect(spend({ windows }, 3).windows).toEqual([
    gateWindow({ remaining: 2 }),
    gateWindow({ limit: 1_000, remaining: 0 }),
  ])
  expect(spend({}, 3).localUsage).toEqual([{ at: now, count: 3 }])
})

it('counts the units, for the responses that do not report them', () => {
  expect(spend({ lostUnits: 4 }, 3).lostUnits).toBe(7)
  expect(spend({ lostUnits: 4, windows: [gateWindow()] }).lostUnits).toBe(5)
})

import { expect, it } from 'vitest'
import { emptyRecord, type GateRecord, type GateWindow } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { spendUnit } from '../../src/rate-limit/spendUnit.ts'

const now = 1_000_000_000_000
const spend = (fields: Partial<GateRecord>) => spendUnit({ ...emptyRecord, ...fields }, now, paceOf('free'))
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
    windows: [
      gateWindow({ remaining: 9 }),
      gateWindow({ limit: 1_000, remaining: 0 }),
      gateWindow({ limit: 300, resetAt: now - 1, remaining: 9 }),
    ],
  })
})

it('counts the unit as local usage where no window is live', () => {
  const windows = [gateWindow({ resetAt: now })]
  expect(spend({ windows })).toEqual({ ...emptyRecord, windows, localUsage: [{ at: now, count: 1 }] })
})

it('marks the unit as unreported for every request in flight', () => {
  const inFlight = { a: { sentAt: now, until: now + 9 }, b: { sentAt: now, until: now + 9, unreportedUnits: 2 } }
  const marked = { a: { ...inFlight.a, unreportedUnits: 1 }, b: { ...inFlight.b, unreportedUnits: 3 } }
  expect(spend({ inFlight }).inFlight).toEqual(marked)
  expect(spend({ inFlight, windows: [gateWindow()] }).inFlight).toEqual(marked)
})

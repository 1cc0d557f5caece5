import { expect, it } from 'vitest'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import { addInFlight, countInFlight, mapInFlight, nextLossAt, removeInFlight } from '../../src/rate-limit/inFlight.ts'

const a = { sentAt: 1, until: 20 }
const b = { sentAt: 2, until: 10 }
const both = { ...emptyRecord, inFlight: { a, b } }

it('adds a request and leaves the others as they are', () => {
  expect(addInFlight({ ...emptyRecord, inFlight: { a } }, 'b', b)).toEqual(both)
})

it('removes a request, and nothing if it is not in flight', () => {
  expect(removeInFlight(both, 'a')).toEqual({ ...emptyRecord, inFlight: { b } })
  expect(removeInFlight({ ...emptyRecord, inFlight: { b } }, 'a')).toEqual({ ...emptyRecord, inFlight: { b } })
})

it('counts the requests in flight', () => {
  expect(countInFlight(emptyRecord)).toBe(0)
  expect(countInFlight(both)).toBe(2)
})

it('knows when the first request counts as lost', () => {
  expect(nextLossAt(both)).toBe(10)
  expect(nextLossAt(emptyRecord)).toBe(Number.POSITIVE_INFINITY)
})

it('changes every request', () => {
  expect(mapInFlight({ a, b }, (request) => ({ ...request, unreportedUnits: 1 }))).toEqual({
    a: { ...a, unreportedUnits: 1 },
    b: { ...b, unreportedUnits: 1 },
  })
})

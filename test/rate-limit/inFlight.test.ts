import { expect, it } from 'vitest'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import { addInFlight, countInFlight, nextLossAt, removeInFlight } from '../../src/rate-limit/inFlight.ts'

const a = { count: 1, since: 20, until: 20 }
const b = { count: 3, since: 10, until: 10 }
const both = { ...emptyRecord, inFlight: { a, b } }

it('adds a request as a new batch, and leaves the others as they are', () => {
  expect(addInFlight({ ...emptyRecord, inFlight: { b } }, 'a', 20)).toEqual(both)
})

it('adds a request to a batch, which then counts as lost when the last of them does', () => {
  expect(addInFlight(both, 'a', 25).inFlight).toEqual({ a: { count: 2, since: 25, until: 25 }, b })
  expect(addInFlight(both, 'a', 15).inFlight).toEqual({ a: { count: 2, since: 20, until: 20 }, b })
})

it('removes requests, the batch with the last of them, and nothing if they are not in flight', () => {
  expect(removeInFlight(both, 'b').inFlight).toEqual({ a, b: { count: 2, since: 10, until: 10 } })
  expect(removeInFlight(both, 'a').inFlight).toEqual({ b })
  expect(removeInFlight(both, 'b', 3).inFlight).toEqual({ a })
  expect(removeInFlight(both, 'unknown')).toBe(both)
})

it('counts the requests in flight', () => {
  expect(countInFlight(emptyRecord)).toBe(0)
  expect(countInFlight(both)).toBe(4)
})

it('knows when the first batch counts as lost', () => {
  expect(nextLossAt(both)).toBe(10)
  expect(nextLossAt(emptyRecord)).toBe(Number.POSITIVE_INFINITY)
})

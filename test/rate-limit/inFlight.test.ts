import { expect, it } from 'vitest'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import { addInFlight, countInFlight, inFlightSince, nextLossAt, removeInFlight } from '../../src/rate-limit/windows.ts'

const a = { count: 1, since: 5, until: 20 }
const b = { count: 3, since: 2, until: 10 }
const both = { ...emptyRecord, inFlight: { a, b } }

it('adds a request as a new batch, and leaves the others as they are', () => {
  expect(addInFlight({ ...emptyRecord, inFlight: { b } }, { batch: 'a', holdFor: 15 }, 5)).toEqual(both)
})

it('adds a request to a batch, which left with the first of them, and counts as lost when the last of them does', () => {
  const add = (holdFor: number) => addInFlight(both, { batch: 'a', holdFor }, 8).inFlight
  expect(add(17)).toEqual({ a: { count: 2, since: 5, until: 25 }, b })
  expect(add(7)).toEqual({ a: { count: 2, since: 5, until: 20 }, b })
})

it('removes requests, the batch with the last of them, and nothing if they are not in flight', () => {
  expect(removeInFlight(both, 'b').inFlight).toEqual({ a, b: { count: 2, since: 2, until: 10 } })
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

it('knows when the first of the requests left', () => {
  expect(inFlightSince(both)).toBe(2)
  expect(inFlightSince(emptyRecord)).toBe(Number.POSITIVE_INFINITY)
})

it('names the page that has sent a batch, where that is known', () => {
  const { inFlight } = addInFlight(both, { batch: 'c', holdFor: 4, owner: 'page' }, 6)
  expect(inFlight).toEqual({ a, b, c: { count: 1, since: 6, until: 10, owner: 'page' } })
})

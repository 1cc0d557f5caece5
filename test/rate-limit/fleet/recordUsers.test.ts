import { expect, it } from 'vitest'
import { countUsers, readOtherUsers, recordUsers } from '../../../src/rate-limit/fleet/recordUsers.ts'
import { emptyRecord, type GateRecord } from '../../../src/rate-limit/GateRecord.ts'
import { readRecord } from '../../../src/rate-limit/records.ts'

const now = 1_000_000
const reset = 1_060_000
const users = { within: 3, usedWithin: 4, beyond: 1, usedBeyond: 9, promised: 2, kept: 1, reset, until: 0 }
const stored = recordUsers(emptyRecord, 'a', users, now, 0)

it('tells the others how many users a process serves, and what these have used', () => {
  const known: unknown = JSON.parse(JSON.stringify(stored))
  expect(readOtherUsers(readRecord(known), 'b', reset, now)).toMatchObject([{ ...users, until: now + 10_000, id: 'a' }])
  expect([countUsers(stored, 'b', now), countUsers(stored, 'a', now)]).toEqual([4, 0])
})

it('tells nothing twice, until half of its time is over', () => {
  expect(recordUsers(stored, 'a', users, now + 4_000, 0)).toBe(stored)
  expect(recordUsers(stored, 'a', { ...users, within: 4 }, now, 0)).not.toBe(stored)
  expect(recordUsers(stored, 'a', users, now + 6_000, 0)).not.toBe(stored)
})

it('ends with the process', () => {
  expect(readOtherUsers(stored, 'b', reset, now + 9_999)).toHaveLength(1)
  expect(readOtherUsers(stored, 'b', reset, now + 10_000)).toEqual([])
  expect(Object.keys(recordUsers(stored, 'b', users, now + 10_000, 0).users ?? {})).toEqual(['b'])
})

it('counts who was told to come back until that is over, and tells it at once', () => {
  const returning = { ...users, until: now + 47_000 }
  const record = recordUsers(stored, 'a', returning, now, 0)
  expect(countUsers(record, 'b', now + 46_999)).toBe(4)
  expect(countUsers(record, 'b', now + 47_000)).toBe(0)
  expect(recordUsers(record, 'a', returning, now + 44_000, 0)).not.toBe(record)
  expect(recordUsers(record, 'a', returning, now + 30_000, 0)).toBe(record)
})

it('knows no use of another window', () => {
  const [other] = readOtherUsers(stored, 'b', reset + 60_000, now)
  expect(other).toMatchObject({ within: 4, usedWithin: 0, beyond: 0, usedBeyond: 0, promised: 0 })
})

it('is bounded, whatever number of processes there is', () => {
  let record: GateRecord = emptyRecord
  for (let index = 0; index < 200; index += 1) record = recordUsers(record, `process ${index}`, users, now, 0)
  expect(Object.keys(record.users ?? {})).toHaveLength(64)
  expect(record.users).toHaveProperty('process 199')
})

it.each([null, 7, 'text', {}, { a: null }, { a: 1 }, { a: { ...users, until: -1 } }, { a: { ...users, until: 'x' } }])(
  'passes over what is no number: %j',
  (value) => {
    const record = readRecord({ ...emptyRecord, users: value })
    expect(readOtherUsers(record, 'b', reset, now)).toEqual([])
  },
)

import { beforeEach, expect, it } from 'vitest'
import { emptyRecord } from '../../../src/rate-limit/GateRecord.ts'
import {
  createRecordReplica,
  type RecordReplica,
  type RecordUpdate,
} from '../../../src/rate-limit/stores/recordReplica.ts'
import { createVirtualClock, flushMacrotasks } from '../virtualClock.ts'

const clock = createVirtualClock()
const count429: RecordUpdate = (record) => ({ ...record, consecutiveRefusals: record.consecutiveRefusals + 1 })

let stored: unknown
/** What happened, in order. */
let log: string[]
let replica: RecordReplica
let duringUpdate: (() => void) | undefined
/** While the store prepares the update. */
let beforeUpdate: (() => void) | undefined

beforeEach(() => {
  stored = emptyRecord
  log = []
  duringUpdate = undefined
  beforeUpdate = undefined
  replica = createRecordReplica({
    store: {
      update: async (_, change) => {
        beforeUpdate?.()
        beforeUpdate = undefined
        stored = change(stored)
        duringUpdate?.()
        duringUpdate = undefined
      },
      subscribe: () => () => {},
    },
    name: 'key',
    clock,
    decide: (record, now) => ({ record: { ...record, updatedAt: now }, count: record.consecutiveRefusals }),
    onDecision: ({ count }, decidedAt) => log.push(`decided on ${count} at ${decidedAt - clock.now()}`),
    onIdle: () => log.push('idle'),
  })
})

it('makes all changes of one moment in one update, and decides on the changed record', async () => {
  await Promise.all([replica.flush(count429), replica.flush(count429), replica.flush()])
  expect(log).toEqual(['decided on 2 at 0', 'idle'])
  expect(stored).toEqual({ ...emptyRecord, consecutiveRefusals: 2, updatedAt: clock.now() })
})

it('makes a change that comes during an update in the next one', async () => {
  duringUpdate = () => void replica.flush(count429)
  await replica.flush(count429)
  await flushMacrotasks()
  expect(log).toEqual(['decided on 1 at 0', 'decided on 2 at 0', 'idle'])
})

it('has stored a change when that is in the store, also if others come without an end', async () => {
  let updates = 0
  const busy: RecordReplica = createRecordReplica({
    store: {
      update: async (_, change) => {
        change(emptyRecord)
        updates += 1
        if (updates < 20) void busy.flush(count429)
      },
      subscribe: () => () => {},
    },
    name: 'key',
    clock,
    decide: (record) => ({ record }),
    onDecision: () => {},
    onIdle: () => {},
  })
  await busy.flush(count429)
  expect(updates).toBeLessThan(4)
})

it('makes a change in an update that the store still prepares, without another one', async () => {
  beforeUpdate = () => void replica.flush(count429)
  await replica.flush(count429)
  await flushMacrotasks()
  expect(log).toEqual(['decided on 2 at 0', 'idle'])
})

it('makes each change once', async () => {
  await replica.flush(count429)
  await replica.flush()
  expect(stored).toMatchObject({ consecutiveRefusals: 1 })
})

it('starts no update before the current task has ended, and is flushing until it is idle', async () => {
  const done = replica.flush(count429)
  expect([stored, replica.isFlushing]).toEqual([emptyRecord, true])
  await done
  await flushMacrotasks()
  expect(replica.isFlushing).toBe(false)
})

it('passes on the decision of the last try when the store repeats the update', async () => {
  const repeating = createRecordReplica({
    store: {
      update: async (_, change) => {
        change(count429(emptyRecord, 0))
        stored = change(emptyRecord)
      },
      subscribe: () => () => {},
    },
    name: 'key',
    clock,
    decide: (record) => ({ record }),
    onDecision: ({ record }) => log.push(String(record.consecutiveRefusals)),
    onIdle: () => {},
  })
  await repeating.flush(count429)
  expect([log, stored]).toMatchObject([['1'], { consecutiveRefusals: 1 }])
})

it('has the changes of this page in its latest record, in order, before the store has them', async () => {
  replica.gather(count429, 1_000)
  replica.gather((record) => ({ ...record, lostUnits: record.consecutiveRefusals }), 1_000)
  expect(replica.latest).toMatchObject({ consecutiveRefusals: 1, lostUnits: 1 })
  expect(replica.latest).toBe(replica.latest)
  expect(replica.stored).toEqual(emptyRecord)
  await replica.flush()
  expect(replica.latest).toBe(replica.stored)
  expect(stored).toMatchObject({ consecutiveRefusals: 1, lostUnits: 1 })
})

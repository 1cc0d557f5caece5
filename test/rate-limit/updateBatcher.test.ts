import { beforeEach, expect, it } from 'vitest'
import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { createUpdateBatcher, type RecordUpdate, type UpdateBatcher } from '../../src/rate-limit/updateBatcher.ts'
import { createVirtualClock } from './virtualClock.ts'

const clock = createVirtualClock()
const count429: RecordUpdate = (record) => ({ ...record, consecutiveRefusals: record.consecutiveRefusals + 1 })

let stored: GateRecord
/** What happened, in order. */
let log: string[]
let batcher: UpdateBatcher
let duringUpdate: (() => void) | undefined
/** While the store prepares the update. */
let beforeUpdate: (() => void) | undefined

beforeEach(() => {
  stored = emptyRecord
  log = []
  duringUpdate = undefined
  beforeUpdate = undefined
  batcher = createUpdateBatcher({
    update: async (change) => {
      beforeUpdate?.()
      beforeUpdate = undefined
      stored = change(stored)
      duringUpdate?.()
      duringUpdate = undefined
    },
    clock,
    decide: (record, now) => ({ record: { ...record, updatedAt: now }, count: record.consecutiveRefusals }),
    onDecision: ({ count }, decidedAt) => log.push(`decided on ${count} at ${decidedAt - clock.now()}`),
    onIdle: () => log.push('idle'),
  })
})

it('makes all changes of one moment in one update, and decides on the changed record', async () => {
  await Promise.all([batcher.flush(count429), batcher.flush(count429), batcher.flush()])
  expect(log).toEqual(['decided on 2 at 0', 'idle'])
  expect(stored).toEqual({ ...emptyRecord, consecutiveRefusals: 2, updatedAt: clock.now() })
})

it('makes a change that comes during an update in the next one', async () => {
  duringUpdate = () => void batcher.flush(count429)
  await batcher.flush(count429)
  expect(log).toEqual(['decided on 1 at 0', 'decided on 2 at 0', 'idle'])
})

it('makes a change in an update that the store still prepares, without another one', async () => {
  beforeUpdate = () => void batcher.flush(count429)
  await batcher.flush(count429)
  expect(log).toEqual(['decided on 2 at 0', 'idle'])
})

it('makes each change once', async () => {
  await batcher.flush(count429)
  await batcher.flush()
  expect(stored.consecutiveRefusals).toBe(1)
})

it('starts no update before the current task has ended, and is flushing until it is idle', async () => {
  const done = batcher.flush(count429)
  expect([stored, batcher.isFlushing]).toEqual([emptyRecord, true])
  await done
  expect(batcher.isFlushing).toBe(false)
})

it('passes on the decision of the last try when the store repeats the update', async () => {
  const repeating = createUpdateBatcher({
    update: async (change) => {
      change(count429(emptyRecord, 0))
      stored = change(emptyRecord)
    },
    clock,
    decide: (record) => ({ record }),
    onDecision: ({ record }) => log.push(String(record.consecutiveRefusals)),
    onIdle: () => {},
  })
  await repeating.flush(count429)
  expect([log, stored.consecutiveRefusals]).toEqual([['1'], 1])
})

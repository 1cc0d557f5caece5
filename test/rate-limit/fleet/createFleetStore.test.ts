import { expect, it } from 'vitest'
import { createFleetStore } from '../../../src/rate-limit/fleet/createFleetStore.ts'
import { fleetOf } from '../../../src/rate-limit/pageGate.ts'
import { emptyRecord } from '../../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../../src/rate-limit/plan.ts'
import { createRequestQueue } from '../../../src/rate-limit/requestQueue.ts'
import { createVirtualClock } from '../virtualClock.ts'

const start = 1_000_000_000

/** The gate of one of four processes, with 200 requests. */
function createGate({ areComplete = true, isCutOff = () => false }) {
  const processes = (name: string) => ({ count: name === 'key' ? 4 : 0, areComplete })
  const store = createFleetStore({ update: async () => {}, subscribe: () => () => {}, now: () => start, processes })
  const queue = createRequestQueue()
  for (let order = 0; order < 200; order += 1) {
    const request = {
      address: 'categories',
      isRetry: false,
      priority: 'user',
      deadline: Infinity,
      enteredAt: 0,
    } as const
    queue.enqueue({ ...request, id: `${order}`, order, holdFor: 5_000 })
  }
  return fleetOf(store)?.createGate({
    name: 'key',
    clock: createVirtualClock(start),
    pace: paceOf('free'),
    queue,
    sent: { batches: [], count: 0 },
    isCutOff,
    owner: () => undefined,
    random: () => 0,
  })
}

const windows = [{ limit: 1_000, remaining: 400, reset: start + 60_000, resetAt: start + 60_000 }]
const record = { ...emptyRecord, updatedAt: start, windows }

/** How many requests may leave where 400 units are left. */
const admitted = (options: Parameters<typeof createGate>[0]) =>
  createGate(options)?.decide(record, start).admitted.length

it('a process uses the whole quota while the store works', () => {
  expect(admitted({})).toBe(200)
})

it('a process uses its part until all others are back', () => {
  expect(admitted({ areComplete: false })).toBe(100)
})

it('while the store fails, it sends one request before it hears what is left', () => {
  expect(admitted({ isCutOff: () => true })).toBe(1)
})

it('what it decided does not count if the store has failed before the requests leave: others may not know of it', () => {
  let isCutOff = false
  const gate = createGate({ isCutOff: () => isCutOff })
  const decided = gate?.decide(record, start)
  const isVoid = () => decided && gate?.fleet?.isCutOff(decided)
  expect(isVoid()).toBe(false)
  isCutOff = true
  expect(isVoid()).toBe(true)
  const alone = gate?.decide(record, start)
  expect(alone && gate?.fleet?.isCutOff(alone)).toBe(false)
})

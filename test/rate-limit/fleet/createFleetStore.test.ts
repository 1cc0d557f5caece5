import { expect, it } from 'vitest'
import { createFleetStore } from '../../../src/rate-limit/fleet/createFleetStore.ts'
import { fleetOf } from '../../../src/rate-limit/pageGate.ts'
import { emptyRecord } from '../../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../../src/rate-limit/plan.ts'
import { createRequestQueue } from '../../../src/rate-limit/requestQueue.ts'
import { createVirtualClock } from '../virtualClock.ts'

const start = 1_000_000_000

/** How many of 200 requests may leave where 400 units are left, and four processes share them. */
function admitted({ areComplete = true, isCutOff = false }): number {
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
  const gate = fleetOf(store)?.createGate({
    name: 'key',
    clock: createVirtualClock(start),
    pace: paceOf('free'),
    queue,
    sent: { batches: [], count: 0 },
    isCutOff: () => isCutOff,
    owner: () => undefined,
  })
  const windows = [{ limit: 1_000, remaining: 400, reset: start + 60_000, resetAt: start + 60_000 }]
  return gate?.decide({ ...emptyRecord, updatedAt: start, windows }, start).admitted.length ?? Number.NaN
}

it('a process uses the whole quota while the store works', () => {
  expect(admitted({})).toBe(200)
})

it('a process uses its part while the store fails, and until all others are back', () => {
  expect([admitted({ isCutOff: true }), admitted({ areComplete: false })]).toEqual([100, 100])
})

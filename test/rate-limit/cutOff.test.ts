import { expect, test } from 'vitest'
import type { Permit } from '../../src/rate-limit/pendingRequest.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { recordResponse } from '../../src/rate-limit/gate.ts'
import { now, pace, recordWith, release, setupLimiter } from './gate.setup.ts'

/**
 * One of four processes is cut off: it loses their store, in a window of 60, and has 60 calls. Returns how many of its
 * requests leave in the next 50 s, which is before the reset, and how many of these are in flight at once.
 *
 * @param left - the `remaining` of the last response before that; without headers if `undefined`
 * @param leftAfter - the `remaining` of the response to each further request
 */
async function cutOff(left: number | undefined, leftAfter: (sent: number) => number) {
  const memory = createMemoryStore()
  let isBroken = false
  const { create, request, run } = setupLimiter({
    store: {
      ...memory,
      processes: 4,
      update: async (...args) => {
        if (isBroken) throw new Error('The store is broken.')
        return memory.update(...args)
      },
    },
  })
  const limiter = create()
  const entered = limiter.enter(request())
  await run(10)
  await release(await entered, 200, left)
  isBroken = true

  const inFlight: Permit[] = []
  let sent = 0
  let maxInFlight = 0
  for (let call = 0; call < 60; call += 1) {
    void limiter.enter(request()).then(
      (permit) => inFlight.push(permit),
      () => {},
    )
  }
  for (let step = 0; step < 500; step += 1) {
    await run(100)
    maxInFlight = Math.max(maxInFlight, inFlight.length)
    for (const permit of inFlight.splice(0)) {
      sent += 1
      await release(permit, 200, leftAfter(sent))
    }
  }
  return { sent, maxInFlight }
}

test.each([
  ['a quarter of what was left', 40, (sent: number) => 40 - sent, 10],
  ['a quarter of a window that is announced only then', undefined, () => 60, 15],
  ['what is announced, but for the last tenth of the limit', 40, (sent: number) => 9 - sent, 3],
])('a process that is cut off sends one request at a time, and at most %s', async (_, left, leftAfter, sent) => {
  expect(await cutOff(left, leftAfter)).toEqual({ sent, maxInFlight: 1 })
})

test('without an announced limit, a process that is cut off takes its part of what is left, less one unit for the probe', () => {
  const end = { page: 'a', sentAt: now, status: 200, isRetry: false, freedUnits: 1, unreportedBefore: 0, jitter: 0 }
  const record = recordResponse(recordWith({}), { ...end, rateLimitHeaders: { remaining: 48 } }, now, pace, 4)
  expect(record.windows).toMatchObject([{ limit: 0, remaining: 11 }])
})

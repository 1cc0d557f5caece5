import { expect, test } from 'vitest'
import type { Permit } from '../../src/rate-limit/pendingRequest.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { recordResponse } from '../../src/rate-limit/gate.ts'
import { now, pace, recordWith, release, setupLimiter } from './gate.setup.ts'

/**
 * One of four processes loses their store in a window of 60, and has 60 calls. Returns how many of them leave before the
 * reset, and how many of those are under way at once.
 *
 * @param left - what is known to be left before
 * @param leftAfter - what the response to each of them says is left
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

  const underWay: Permit[] = []
  let sent = 0
  let most = 0
  for (let call = 0; call < 60; call += 1) {
    void limiter.enter(request()).then(
      (permit) => underWay.push(permit),
      () => {},
    )
  }
  for (let step = 0; step < 500; step += 1) {
    await run(100)
    most = Math.max(most, underWay.length)
    for (const permit of underWay.splice(0)) {
      sent += 1
      await release(permit, 200, leftAfter(sent))
    }
  }
  return { sent, most }
}

test.each([
  ['part of what is left', 40, (sent: number) => 40 - sent, 10],
  ['part of the window', undefined, () => 60, 15],
  ['requests but those of the last tenth', 40, (sent: number) => 9 - sent, 3],
])('a process that is cut off sends one request at a time, and its %s at most', async (_, left, leftAfter, sent) => {
  expect(await cutOff(left, leftAfter)).toEqual({ sent, most: 1 })
})

test('its part of what is left where no limit is announced, less one for the probes', () => {
  const end = { page: 'a', sentAt: now, status: 200, isRetry: false, frees: 1, unreportedBefore: 0, jitter: 0 }
  const record = recordResponse(recordWith({}), { ...end, rateLimitHeaders: { remaining: 48 } }, now, pace, 4)
  expect(record.windows).toMatchObject([{ limit: 0, remaining: 11 }])
})

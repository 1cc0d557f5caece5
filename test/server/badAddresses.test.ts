import { afterEach, expect, test, vi } from 'vitest'
import { operations } from '../../src/client.ts'
import type { Clock } from '../../src/base/Clock.ts'
import { type Fetch, json, silence, stalledBody } from '../client/client.setup.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'
import { listPath, setupInVirtualTime, visit } from './handler.setup.ts'

/* What one visitor asks for must not cost the others a call, or time: three people look at a list, and one more visitor asks
   for something that fails. */

afterEach(() => void vi.restoreAllMocks())

const badAddresses: readonly (readonly [name: string, createFetch: (clock: Clock) => Fetch])[] = [
  ['a bare 502', () => async () => new Response('Bad gateway', { status: 502 })],
  ['no response', () => silence],
  [
    'a response after 30 s',
    (clock) => () => new Promise((resolve) => void clock.wakeAfter(30_000, () => resolve(json([])))),
  ],
  ['half a body', () => async () => stalledBody()],
]

test.each(
  badAddresses.flatMap(([name, createFetch]) => [0.5, 5, 20].map((rate) => [name, rate, createFetch] as const)),
)('one visitor who gets %s, %d times a second, holds up no other', async (_name, rate, createFetch) => {
  const world = setupInVirtualTime({
    clock: createVirtualClock(undefined, flushMicrotasks),
    service: { plan: 'business', latency: 20 },
    handler: { operations: [operations.listOrders], plan: 'business' },
    fetch: (request) => (request.url.endsWith('/orders') ? fails(request) : world.service.fetch(request)),
  })
  const { handler, clock, run } = world
  const fails = createFetch(clock)
  const served: number[] = []
  const seconds = 100
  const every = (ms: number, count: number, act: () => void) => {
    for (let index = 0; index < count; index += 1) clock.wakeAfter(index * ms, act)
  }
  for (const name of ['ann', 'bob', 'cy']) {
    every(2_000, seconds / 2, async () => {
      const begin = clock.now()
      const { status } = await handler(visit('GET', listPath, { Cookie: name }))
      if (status === 200) served.push(clock.now() - begin)
    })
  }
  const orders = '/api/petstore/v1/orders'
  every(1_000 / rate, seconds * rate, () => void handler(visit('GET', orders, { Cookie: 'eve' })))
  await run(seconds * 1_000)
  expect(served).toHaveLength((3 * seconds) / 2)
  served.sort((one, other) => one - other)
  expect(served[Math.floor(served.length * 0.95)]).toBeLessThanOrEqual(20 + 50)
})

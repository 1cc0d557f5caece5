import { afterEach, expect, test, vi } from 'vitest'
import { operations } from '../../src/client.ts'
import type { Clock } from '../../src/base/Clock.ts'
import { type Fetch, json, noResponse, stalledBody } from '../client/client.setup.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'
import { listPath, setupInVirtualTime, visit } from './handler.setup.ts'

/* What one visitor asks for must not cost the others a call, or time: three people look at a list, and one more visitor asks
   for something that fails. */

afterEach(() => void vi.restoreAllMocks())

const failureKinds: readonly (readonly [name: string, createFetch: (clock: Clock) => Fetch])[] = [
  ['a bare 502', () => async () => new Response('Bad gateway', { status: 502 })],
  ['no response', () => noResponse],
  [
    'a response after 30 s',
    (clock) => () => new Promise((resolve) => void clock.wakeAfter(30_000, () => resolve(json([])))),
  ],
  ['half a body', () => async () => stalledBody()],
]

test.each(
  failureKinds.flatMap(([name, createFetch]) => [0.5, 5, 20].map((rate) => [name, rate, createFetch] as const)),
)('one visitor who gets %s, %d times a second, holds up no other', async (_name, rate, createFetch) => {
  const world = setupInVirtualTime({
    clock: createVirtualClock(undefined, flushMicrotasks),
    service: { plan: 'business', latency: 20 },
    handler: { operations: [operations.getPet], plan: 'business' },
    fetch: (request) => (request.url.includes('/pets/') ? fetchPet(request) : world.service.fetch(request)),
  })
  const { handler, clock, run, sent } = world
  const fetchPet = createFetch(clock)
  const served: number[] = []
  const seconds = 100
  const every = (ms: number, count: number, act: (index: number) => void) => {
    for (let index = 0; index < count; index += 1) clock.wakeAfter(index * ms, () => act(index))
  }
  for (const name of ['ann', 'bob', 'cy']) {
    every(2_000, seconds / 2, async () => {
      const begin = clock.now()
      const { status } = await handler(visit('GET', listPath, { Cookie: name }))
      if (status === 200) served.push(clock.now() - begin)
    })
  }
  // Each call is for another pet: calls for the same pet would share one request.
  const getPet = (id: number) => handler(visit('GET', `/api/petstore/v1/pets/${id}`, { Cookie: 'eve' }))
  every(1_000 / rate, seconds * rate, (index) => void getPet(index))
  await run(seconds * 1_000)
  expect(served).toHaveLength((3 * seconds) / 2)
  // Of the failing calls (of five a second at most) two in five were really sent: they could have held up the others.
  expect(sent.filter(({ url }) => url.includes('/pets/')).length).toBeGreaterThan(Math.min(rate, 5) * 40)
  served.sort((one, other) => one - other)
  // The service takes 20 ms, and a calm gate adds 50 ms at most to 95 of 100 calls.
  expect(served[Math.floor(served.length * 0.95)]).toBeLessThanOrEqual(20 + 50)
})

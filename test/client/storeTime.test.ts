import { afterEach, describe, expect, test, vi } from 'vitest'
import { type PetstoreEvent, type RateLimitStore } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { createVirtualClock } from '../rate-limit/virtualClock.ts'
import { hashAtOnce, opening, watch } from './client.setup.ts'

afterEach(() => void vi.restoreAllMocks())

/** Two machines that share a store of the app. The clock of the second one is ahead by so many ms. */
function setup(ahead: number, createNow?: (now: () => number) => NonNullable<RateLimitStore['now']>) {
  hashAtOnce()
  const clock = createVirtualClock(opening)
  const service = createPetstoreService({
    now: clock.now,
    sleep: (ms) => new Promise((resolve) => void clock.wakeAfter(ms, resolve)),
  })
  const now = createNow?.(clock.now)
  const rateLimitStore: RateLimitStore = { ...createMemoryStore(), inMemory: false, ...(now && { now }) }
  const events: PetstoreEvent[] = []
  const [one, other] = [0, ahead].map((by) =>
    createClientWith(
      { clock: { ...clock, now: () => clock.now() + by }, random: () => 0.5 },
      {
        baseUrl: service.baseUrl,
        apiKey: 'demo',
        fetch: service.fetch,
        rateLimitStore,
        retry: { maxWait: 0 },
        onEvent: (event) => void events.push(event),
      },
    ),
  )
  if (!one || !other) throw new Error('Two machines are needed.')
  return { clock, service, one, other, events }
}

const shifts = [60_000, -60_000, 3_600_000, -3_600_000]

describe.each(shifts)('a machine whose clock is ahead by %d ms', (ahead) => {
  test('sends nothing in a cool-down that another one has caused, where the store offers its time', async () => {
    const { clock, service, one, other } = setup(ahead, (now) => now)
    for (const client of [one, other]) {
      watch(client.listCategories())
      await clock.run(clock.now() + 1_000)
    }
    service.failNext({ status: 429, headers: { 'Retry-After': '55' } })
    watch(one.listCategories())
    await clock.run(clock.now() + 1_000)
    const { length } = service.requests
    const until = clock.now() + 53_000
    const results: ReturnType<typeof watch>[] = []
    while (clock.now() < until) {
      results.push(watch(other.createCategory({ name: 'Dog' })), watch(one.listCategories()))
      await clock.run(clock.now() + 1_000)
    }
    expect(service.requests).toHaveLength(length)
    expect(results.every(({ now }) => now.state === 'rejected')).toBe(true)
    await clock.run(clock.now() + 3_000)
    const late = watch(other.listCategories())
    await clock.run(clock.now() + 1_000)
    expect(late.now.state).toBe('fulfilled')
  })

  test('tells the end of a cool-down by its own clock', async () => {
    const { clock, service, one, other } = setup(ahead, (now) => now)
    service.failNext({ status: 429, headers: { 'Retry-After': '55' } })
    watch(one.listCategories())
    await clock.run(clock.now() + 1_000)
    const refused = watch(other.listCategories())
    await clock.run(clock.now() + 1_000)
    const { retryAt = 0 } = one.rateLimit.getSnapshot()
    expect(other.rateLimit.getSnapshot().retryAt).toBe(retryAt + ahead)
    expect(refused.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', retryAt: retryAt + ahead } })
  })
})

test.each<[string, NonNullable<RateLimitStore['now']>]>([
  [
    'throws',
    () => {
      throw new Error('not connected')
    },
  ],
  ['is not known', () => undefined],
  ['is no number', () => Number.NaN],
])('where the time of the store %s, that of the machine counts', async (_, now) => {
  const { clock, service, one } = setup(0, () => now)
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  watch(one.listCategories())
  await clock.run(clock.now() + 1_000)
  const { retryAt = 0 } = one.rateLimit.getSnapshot()
  expect(retryAt).toBeGreaterThanOrEqual(opening + 30_000)
  expect(retryAt).toBeLessThan(opening + 33_000)
})

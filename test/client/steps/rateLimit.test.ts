import { describe, expect, test } from 'vitest'
import { createMemoryStore, RateLimitError, type RateLimitStore } from '../../../src/client.ts'
import { setup, opening, watch } from '../client.setup.ts'

const day = 86_400_000
const midnight = Date.UTC(2026, 0, 2)

/** A client whose key has to wait for so many seconds. */
async function setupCooling(seconds: number, maxWait?: number) {
  const stage = setup({ client: maxWait === undefined ? {} : { retry: { maxWait } } })
  stage.service.failNext({ status: 429, headers: { 'Retry-After': String(seconds) } })
  const hasty = watch(stage.anotherClient({ retry: { maxWait: 0 } }).listCategories())
  await stage.run()
  expect(hasty.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit' } })
  return { ...stage, before: stage.sent.length }
}

describe('maxWait', () => {
  test.each([
    ['is 65 s if nothing is said', undefined, 60, 66],
    ['may be shorter', 5_000, 3, 6],
    ['may be longer', 600_000, 590, 610],
  ])('%s', async (_, maxWait, shorter, longer) => {
    const patient = await setupCooling(shorter, maxWait)
    const waiting = watch(patient.client.listCategories())
    await patient.run()
    expect(waiting.now).toMatchObject({ state: 'fulfilled' })
    expect(patient.clock.now()).toBeGreaterThanOrEqual(opening + shorter * 1_000)

    const { client, sent, clock, run, before } = await setupCooling(longer, maxWait)
    const rejected = watch(client.listCategories())
    await run()
    expect(rejected.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', attempts: 0 } })
    expect(clock.now()).toBe(opening)
    expect(sent).toHaveLength(before)
  })

  test('ends a wait that turns out too long without ever saying that it is over', async () => {
    const { client, service, run, sent, before } = await setupCooling(3, 10_000)
    service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
    const told: (number | undefined)[] = []
    const probe = watch(client.createCategory({ name: 'Dog' }))
    const call = watch(client.listCategories({ onWait: (until) => told.push(until) }))
    await run()
    expect([probe.now, call.now]).toMatchObject([{ state: 'rejected' }, { state: 'rejected' }])
    expect(sent).toHaveLength(before + 1)
    expect(told.length).toBeGreaterThan(0)
    expect(told).not.toContain(undefined)
  })

  test('of 0 lets through what may leave at once', async () => {
    const { client, run } = setup({ client: { retry: { maxWait: 0 } } })
    for (let count = 0; count < 5; count += 1) {
      const call = watch(client.createCategory({ name: 'Dog' }))
      await run()
      expect(call.now).toMatchObject({ state: 'fulfilled' })
    }
  })

  test('of 0 rejects what would have to wait at all, and tells until when', async () => {
    const { client, run, clock } = await setupCooling(1, 0)
    const call = watch(client.listCategories())
    await run()
    expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', attempts: 0 } })
    expect(call.now.state === 'rejected' && call.now.error).toHaveProperty(
      'retryAt',
      client.rateLimit.getSnapshot().retryAt,
    )
    expect(clock.now()).toBe(opening)
  })

  test('tells until when also where the store takes its time', async () => {
    const inner = createMemoryStore()
    const later = (ms: number) => new Promise<void>((resolve) => stage.after(ms, resolve))
    const rateLimitStore: RateLimitStore = {
      update: async (name, change) => {
        await later(100)
        await inner.update(name, change)
      },
      subscribe: inner.subscribe,
    }
    const stage = setup({ client: { rateLimitStore, retry: { maxWait: 1_000 } } })
    stage.service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(stage.client.listCategories())
    await stage.run()
    const error = call.now.state === 'rejected' && call.now.error
    expect(error instanceof RateLimitError && error.retryAt).toBeGreaterThanOrEqual(opening + 30_000)
    const limited = stage.events.find(({ type }) => type === 'rate-limited')
    expect(limited && 'until' in limited && limited.until).toBeGreaterThanOrEqual(opening + 30_000)
  })

  test('of Infinity waits for as long as it takes', async () => {
    const { client, run, clock } = await setupCooling(6 * 3_600, Number.POSITIVE_INFINITY)
    const call = watch(client.listCategories())
    await run(opening + 3 * 3_600_000)
    expect(call.now).toEqual({ state: 'pending' })
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(clock.now()).toBeGreaterThanOrEqual(opening + 6 * 3_600_000)
  })
})

describe('a day that is used up', () => {
  const plan = [{ limit: 2, per: day }]

  test('is seen coming: the call is rejected at once, with the time from which on it could be made', async () => {
    const { client, run, sent, clock, service } = setup({ service: { plan } })
    const calls = []
    for (const name of ['a', 'b', 'c']) {
      const call = watch(client.createCategory({ name }))
      await run()
      calls.push(call)
    }
    const [, , third] = calls
    expect(third?.now).toMatchObject({
      state: 'rejected',
      error: { kind: 'rate-limit', attempts: 0, outcome: 'not-applied' },
    })
    const error = third?.now.state === 'rejected' && third.now.error
    expect(error instanceof RateLimitError && error.retryAt).toBeGreaterThanOrEqual(midnight)
    expect(error instanceof RateLimitError && error.retryAt).toBeLessThan(midnight + 10_000)
    expect(sent).toHaveLength(2)
    expect(clock.now()).toBe(opening)
    expect(service.requests.map(({ status }) => status)).toEqual([201, 201])
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'exhausted', limit: 2, remaining: 0 })
  })

  test('is learned from a 429 where others have used it up', async () => {
    const { client, run, clock, service, sent } = setup({ service: { plan } })
    for (let count = 0; count < 2; count += 1) {
      await service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: 'Bearer demo' } })
    }
    const refused = watch(client.createCategory({ name: 'Dog' }))
    await run()
    expect(refused.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', attempts: 1 } })
    const error = refused.now.state === 'rejected' && refused.now.error
    expect(error instanceof RateLimitError && error.retryAt).toBeGreaterThanOrEqual(midnight)
    const next = watch(client.listCategories())
    await run()
    expect(next.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', attempts: 0 } })
    expect(sent).toHaveLength(1)
    expect(clock.now()).toBe(opening)
  })

  test('is over the next day', async () => {
    const { client, run } = setup({ service: { plan } })
    for (let count = 0; count < 2; count += 1) {
      const call = watch(client.createCategory({ name: 'Dog' }))
      await run()
      expect(call.now.state).toBe('fulfilled')
    }
    await run(midnight + 10_000)
    const call = watch(client.createCategory({ name: 'Dog' }))
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
  })
})

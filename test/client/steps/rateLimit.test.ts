import { describe, expect, test, vi } from 'vitest'
import { RateLimitError, type RateLimitStore } from '../../../src/client.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import type { AdmittedAttempt } from '../../../src/client/Call.ts'
import type { EmitEvent } from '../../../src/client/PetstoreEvent.ts'
import { rateLimit } from '../../../src/client/steps/rateLimit.ts'
import { readRateLimitHeaders } from '../../../src/rate-limit/rateLimitHeaders.ts'
import { type Permit } from '../../../src/rate-limit/pendingRequest.ts'
import { type RateLimiter } from '../../../src/rate-limit/rateLimiter.ts'
import { createVirtualClock } from '../../rate-limit/virtualClock.ts'
import { failureOf, setup, startOfTests, watch } from '../client.setup.ts'
import {
  createAdmittedAttempt,
  createDeferred,
  createKeyedCall,
  receivedBy,
  settleAll,
  stubNext,
} from './step.setup.ts'

const day = 86_400_000
const midnight = Date.UTC(2026, 0, 2)

/** A setup whose key is in a cool-down. */
async function setupCooling(seconds: number, maxWait?: number) {
  const { anotherClient, service, run, sent, ...rest } = setup({ client: { retry: { maxWait } } })
  service.failNext({ status: 429, headers: { 'Retry-After': String(seconds) } })
  const refused = watch(anotherClient({ retry: { maxWait: 0 } }).listCategories())
  await run()
  expect(refused.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit' } })
  return { ...rest, service, run, sent, sentBefore: sent.length }
}

describe('the step alone', () => {
  /** The step with a stubbed gate. `limiter` admits every request at once, unless a test replaces `enter`. */
  function setupStep() {
    const release = vi.fn<Permit['release']>(async () => {})
    const limiter = {
      enter: vi.fn<RateLimiter['enter']>(async () => ({ sentAt: startOfTests + 500, release })),
      prioritize: vi.fn<RateLimiter['prioritize']>(),
      retryAt: () => startOfTests + 31_000,
      getSnapshot: vi.fn<RateLimiter['getSnapshot']>(),
      subscribe: vi.fn<RateLimiter['subscribe']>(),
      inspect: vi.fn<RateLimiter['inspect']>(),
      reset: vi.fn<RateLimiter['reset']>(),
    } satisfies RateLimiter
    const limiterFor = vi.fn<(key: string | undefined) => Promise<RateLimiter>>(async () => limiter)
    const emit = vi.fn<EmitEvent>()
    const clock = createVirtualClock(startOfTests)
    const step = rateLimit(limiterFor, clock, emit)
    return { step, limiter, limiterFor, release, clock, emit, next: stubNext<AdmittedAttempt>() }
  }
  const headOf = (status: number, headers: Record<string, string> = {}) => ({
    status,
    headers: new Headers(headers),
    rateLimitHeaders: readRateLimitHeaders(new Headers(headers), startOfTests),
    isCrossOrigin: false,
    statusText: '',
  })

  test('releases the permit of a call that was aborted before the gate admitted it, and calls no further step', async () => {
    const { step, release, next } = setupStep()
    expect(await failureOf(step(createKeyedCall({ signal: AbortSignal.abort('gone') }), next))).toBe('gone')
    expect(release.mock.calls).toEqual([[{ status: undefined }]])
    expect(next).not.toHaveBeenCalled()
  })

  /** A call that is aborted in flight, and the report of its request, which goes on. */
  async function setupAborted() {
    const { step, release, next, clock } = setupStep()
    const controller = new AbortController()
    next.mockImplementation(async ({ signal }) => {
      controller.abort('gone')
      if (signal.aborted) throw signal.reason
    })
    expect(await failureOf(step(createKeyedCall({ signal: controller.signal }), next))).toBe('gone')
    const [{ report } = createAdmittedAttempt()] = receivedBy(next)
    return { report, release, clock }
  }

  test('releases the permit of a call that is aborted in flight only when its head arrives', async () => {
    const { report, release, clock } = await setupAborted()
    await clock.run(startOfTests + 999) // `transport` waits a second for it
    expect(release).not.toHaveBeenCalled()
    await report(headOf(429))
    await clock.run()
    expect(clock.now()).toBe(startOfTests + 999)
    expect(release.mock.calls).toMatchObject([[{ status: 429 }]])
  })

  test('waits until the gate has stored a 429', async () => {
    const { step, release, next } = setupStep()
    const stored = createDeferred<void>()
    release.mockReturnValue(stored.promise)
    next.mockImplementation(async ({ report }) => report(headOf(429)))
    const refused = watch(step(createKeyedCall(), next))
    await settleAll()
    expect(refused.now).toEqual({ state: 'pending' })
    stored.resolve()
    await settleAll()
    expect(refused.now).toEqual({ state: 'fulfilled', value: undefined })
  })

  // `limiter.retryAt` says 31 s. A time from the header gets half a second more: `margin`.
  test.each([
    ['a 503 without Retry-After is unknown', headOf(503), undefined],
    ['a 404 without Retry-After is unknown', headOf(404), undefined],
    ['a 404 with Retry-After is from its header', headOf(404, { 'Retry-After': '20' }), startOfTests + 20_500],
    ['a 503 with Retry-After is from its header', headOf(503, { 'Retry-After': '20' }), startOfTests + 20_500],
    ['a 403 with Retry-After is from the gate', headOf(403, { 'Retry-After': '20' }), startOfTests + 31_000],
    ['a 429 is from the gate', headOf(429, { 'Retry-After': '20' }), startOfTests + 31_000],
  ])('the retry time after %s', async (_, head, expected) => {
    const { step, next } = setupStep()
    next.mockImplementation(async ({ report, retryAt }) => {
      expect(retryAt()).toBeUndefined()
      await report(head)
      return retryAt()
    })
    expect(await step(createKeyedCall(), next)).toBe(expected)
  })
})

describe('maxWait', () => {
  test.each([
    ['is 65 s by default', undefined, 60, 66],
    ['can be shorter', 5_000, 3, 6],
    ['can be longer', 600_000, 590, 610],
  ])('%s', async (_, maxWait, allowedSeconds, tooManySeconds) => {
    const short = await setupCooling(allowedSeconds, maxWait)
    const waiting = watch(short.client.listCategories())
    await short.run()
    expect(waiting.now).toMatchObject({ state: 'fulfilled' })
    expect(short.clock.now()).toBeGreaterThanOrEqual(startOfTests + allowedSeconds * 1_000)

    const { client, sent, clock, run, sentBefore } = await setupCooling(tooManySeconds, maxWait)
    const rejected = watch(client.listCategories())
    await run()
    expect(rejected.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', attempts: 0 } })
    expect(clock.now()).toBe(startOfTests)
    expect(sent).toHaveLength(sentBefore)
  })

  test('ends a wait that becomes too long, without reporting to onWait that it is over', async () => {
    const { client, service, run, sent, sentBefore } = await setupCooling(3, 10_000)
    service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
    const waits: (number | undefined)[] = []
    const probe = watch(client.createCategory({ name: 'Dog' }))
    const call = watch(client.listCategories({ onWait: (wait) => waits.push(wait?.until) }))
    await run()
    expect([probe.now, call.now]).toMatchObject([{ state: 'rejected' }, { state: 'rejected' }])
    expect(sent).toHaveLength(sentBefore + 1)
    expect(waits.length).toBeGreaterThan(0)
    expect(waits).not.toContain(undefined)
  })

  test('rejects with the end of the cool-down as `retryAt`, even if the store is slow', async () => {
    const inner = createMemoryStore()
    const rateLimitStore: RateLimitStore = {
      update: async (name, change) => {
        await new Promise<void>((resolve) => after(100, resolve))
        await inner.update(name, change)
      },
      subscribe: inner.subscribe,
    }
    const { client, service, run, after } = setup({ client: { rateLimitStore, retry: { maxWait: 1_000 } } })
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const call = watch(client.listCategories())
    await run()
    const error = call.now.state === 'rejected' && call.now.error
    expect(error instanceof RateLimitError && error.retryAt).toBeGreaterThanOrEqual(startOfTests + 30_000)
  })

  test('of Infinity never ends a wait', async () => {
    const { client, run, clock } = await setupCooling(6 * 3_600, Number.POSITIVE_INFINITY)
    const call = watch(client.listCategories())
    await run(startOfTests + 3 * 3_600_000)
    expect(call.now).toEqual({ state: 'pending' })
    await run()
    expect(call.now).toMatchObject({ state: 'fulfilled' })
    expect(clock.now()).toBeGreaterThanOrEqual(startOfTests + 6 * 3_600_000)
  })
})

test.each([-3_600_000, 3_600_000])('maxWait counts passing time, even if the clock is set by %d ms', async (ms) => {
  const refusal = async () => new Response(null, { status: 429, headers: { 'Retry-After': '15' } })
  const { client, sent, run, after, shiftClock } = setup({ client: { fetch: refusal } })
  const call = watch(client.listCategories())
  after(20_000, () => shiftClock(ms))
  await run()
  expect(call.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit' } })
  const last = (sent.at(-1)?.at ?? 0) - startOfTests
  expect(last).toBeGreaterThan(20_000)
  expect(last).toBeLessThan(65_000) // the default
})

describe('a used-up day', () => {
  const plan = [{ limit: 2, per: day }]

  test('is foreseen: the next call rejects at once, with the time when it could leave', async () => {
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
    expect(clock.now()).toBe(startOfTests)
    expect(service.requests.map(({ status }) => status)).toEqual([201, 201])
    expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'exhausted', limit: 2, remaining: 0 })
  })

  test('is learned from a 429 where other clients have used it up', async () => {
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
    expect(clock.now()).toBe(startOfTests)
  })
})

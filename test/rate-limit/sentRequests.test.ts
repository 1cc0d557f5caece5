import { beforeEach, describe, expect, it } from 'vitest'
import { createSentRequests } from '../../src/rate-limit/pendingRequest.ts'
import { headersWith, type RateLimiterSetup, setup, start } from './rateLimiter.setup.ts'

describe('the requests of a page', () => {
  let time = 1_000
  let ahead = 0
  const clock = { now: () => time + ahead, monotonic: () => time, wakeAfter: () => () => {} }
  const report = (reports: unknown[]) =>
    createSentRequests(async (response) => {
      reports.push(response)
    }, clock)
  const request = (batch: string, sentAt: number) => ({
    batch,
    address: 'categories',
    isRetry: false,
    sentAt,
    lostUnitsBefore: 4,
  })

  beforeEach(() => {
    time = 1_000
    ahead = 0
  })

  it('are reported once each, with their response or as lost', async () => {
    const reports: unknown[] = []
    const sent = report(reports)
    const [first, second] = [sent.track(request('a', 1)), sent.track(request('b', 2))]
    await first({ rateLimitHeaders: { remaining: 3 }, status: 429 })
    await first()
    await second()
    await second()
    expect(reports).toEqual([
      { ...request('a', 1), rateLimitHeaders: { remaining: 3 }, status: 429 },
      { ...request('b', 2), status: 0 },
    ])
  })

  it('are counted until they are reported', async () => {
    const sent = report([])
    expect(sent.count).toBe(0)
    const release = sent.track(request('a', 1))
    expect(sent.count).toBe(1)
    await release()
    expect(sent.count).toBe(0)
  })

  it('can be given up all at once; a response that still arrives is reported', async () => {
    const reports: unknown[] = []
    const sent = report(reports)
    const release = sent.track(request('a', 1))
    sent.track(request('b', 2))
    sent.giveUp()
    sent.giveUp()
    expect(sent.count).toBe(0)
    const lost = [
      { ...request('a', 1), status: undefined },
      { ...request('b', 2), status: undefined },
    ]
    expect(reports).toEqual(lost)
    await release()
    expect(reports).toEqual(lost)
    await release({ status: 200 })
    expect(reports.at(-1)).toEqual({ ...request('a', 1), status: 200 })
  })

  it.each([
    ['back', -5_000, -4_000],
    ['forward', 5_000, 1_000],
  ])('left at a time that is not too late if the clock is set %s meanwhile', async (_, jump, sentAt) => {
    const reports: unknown[] = []
    const release = report(reports).track(request('a', 1_000))
    ahead = jump
    time += 300
    await release({ status: 200 })
    expect(reports).toMatchObject([{ sentAt }])
  })
})

describe('a permit that is released', () => {
  let test: RateLimiterSetup

  beforeEach(() => {
    test = setup()
  })

  it('with a response closes the gate as the response says', async () => {
    const limiter = test.createLimiter({ random: () => 1 })
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    await test.clock.run(start + 200)
    await request.permit?.release({
      rateLimitHeaders: { ...headersWith(0), date: start + 200, retryIn: 4_000 },
      status: 429,
    })
    expect(await test.readStored()).toMatchObject({
      cooldownUntil: start + 31_000,
      cooldownStartedAt: start + 200,
      inFlight: {},
    })
    expect(limiter.retryAt('categories')).toBe(start + 31_000)
  })

  it('with nothing spends its unit, once', async () => {
    const limiter = await test.createLimiterWith(5)
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    await request.permit?.release()
    await request.permit?.release()
    expect(await test.readStored()).toMatchObject({ windows: [{ remaining: 4 }], inFlight: {} })
  })

  it('after the request expired still knows when the request left', async () => {
    const limiter = test.createLimiter()
    const request = test.enter(limiter, 'a', { holdFor: 1_000 })
    await test.clock.run(start + 5_000)
    await test.writeStored({ cooldownStartedAt: start + 1 })
    await request.permit?.release({ rateLimitHeaders: headersWith(5), status: 200 })
    expect((await test.readStored()).windows).toEqual([])
  })

  it('resolves when the gate has recorded the response', async () => {
    const limiter = test.createLimiter()
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    await request.permit?.release({ rateLimitHeaders: headersWith(7), status: 200 })
    expect(limiter.getSnapshot().remaining).toBe(7)
  })
})

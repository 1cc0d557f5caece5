import { beforeEach, describe, expect, it } from 'vitest'
import type { Wait, WaitReason } from '../../src/rate-limit/Wait.ts'
import type { LaneRefusal } from '../../src/rate-limit/drain.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import { type NotifiedRequest, createSentRequests, createWaitNotifier } from '../../src/rate-limit/pendingRequest.ts'
import { type RequestQueue, createRequestQueue } from '../../src/rate-limit/requestQueue.ts'
import { type RateLimiterSetup, headersWith, setup, start } from './rateLimiter.setup.ts'
import { queued } from './requestQueue.setup.ts'
import { type VirtualClock, createVirtualClock } from './virtualClock.ts'

describe('requests that have left', () => {
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
})

describe('calls that wait', () => {
  const begin = 1_000_000

  let clock: VirtualClock
  let queue: RequestQueue<NotifiedRequest>
  let notify: (refusals: ReadonlyMap<Priority, LaneRefusal>, now: number) => void
  let told: string[]

  beforeEach(() => {
    clock = createVirtualClock(begin)
    queue = createRequestQueue()
    notify = createWaitNotifier(queue, { ...clock, toLocal: (time) => time })
    told = []
  })

  function add(id: string, priority: Priority = 'user', fields: Partial<NotifiedRequest> = {}): void {
    const onWait = ({ until, isEarliest }: Wait) =>
      told.push(`${id} ${isEarliest ? '≥ ' : ''}${(until - begin) / 1_000}`)
    const deadline = clock.monotonic() + 65_000
    queue.enqueue({
      ...queued(id),
      priority,
      deadline,
      enteredAt: clock.monotonic(),
      told: undefined,
      onWait,
      ...fields,
    })
  }

  interface Opening {
    /** When the first one leaves, in s from the begin. */
    readonly from: number
    /** How many leave at once. Default: all. */
    readonly units?: number
    /** The time from these to the next ones, in s. */
    readonly period?: number
    readonly reason?: WaitReason
    readonly isEarliest?: boolean
    /** Whether they only wait for responses. */
    readonly waitsForResponse?: boolean
  }

  function refusalOf(opening: Opening): LaneRefusal {
    const { from, units = Infinity, period = 60, reason = 'rate-limit', isEarliest = false } = opening
    const timeOf = (place: number) => begin + (from + (place < units ? 0 : Math.floor(place / units) * period)) * 1_000
    return {
      reason: 'used-up',
      notBefore: opening.waitsForResponse ? clock.now() : timeOf(0),
      firstPlace: 0,
      places: {
        at: (place) => ({ until: timeOf(place), reason, isEarliest }),
        opensAt: timeOf,
        key: (departed) => `${reason} ${from} ${units + departed}`,
      },
    }
  }

  /** What `onWait` was called with. */
  function toldOf(openings: Partial<Record<Priority, Opening>>): string {
    told = []
    const { user, background } = openings
    const refusals = new Map<Priority, LaneRefusal>()
    if (user) refusals.set('user', refusalOf(user))
    if (background) refusals.set('background', refusalOf(background))
    notify(refusals, clock.now())
    return told.join(', ')
  }

  it('tells each new request the time of its place', () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) add(id)
    expect(toldOf({ user: { from: 2, units: 2, period: 10 } })).toBe('a 2, b 2, c 12, d 12, e 22')
    add('f')
    expect(toldOf({ user: { from: 2, units: 2, period: 10 } })).toBe('f 22')
  })

  it('tells the others again when their time moves by a second, later or earlier, and for no less', () => {
    add('a')
    expect(toldOf({ user: { from: 20 } })).toBe('a 20')
    expect(toldOf({ user: { from: 20.999 } })).toBe('')
    expect(toldOf({ user: { from: 21 } })).toBe('a 21')
    expect(toldOf({ user: { from: 3 } })).toBe('a 3')
  })

  it('tells the others again when their reason changes, or how sure the time is', () => {
    add('a')
    toldOf({ user: { from: 20 } })
    expect(toldOf({ user: { from: 20, reason: 'connection' } })).toBe('a 20')
    expect(toldOf({ user: { from: 20.1, reason: 'connection', isEarliest: true } })).toBe('a ≥ 20.1')
  })

  it('tells those behind a request that has gone, and nobody when the first ones leave with their units', () => {
    for (const id of ['a', 'b', 'c', 'd']) add(id)
    expect(toldOf({ user: { from: 2, units: 2 } })).toBe('a 2, b 2, c 62, d 62')
    queue.remove('b')
    expect(toldOf({ user: { from: 2, units: 2 } })).toBe('c 2')
    queue.remove('a')
    expect(toldOf({ user: { from: 2, units: 1 } })).toBe('')
  })

  it('tells who waits for a response when that has taken a second, until when at the latest', async () => {
    add('a')
    const opening = { from: 9, isEarliest: true, waitsForResponse: true }
    expect(toldOf({ user: opening })).toBe('')
    await clock.run(begin + 999)
    expect(toldOf({ user: opening })).toBe('')
    await clock.run(begin + 1_000)
    expect(toldOf({ user: opening })).toBe('a ≥ 9')
    // What was told still holds.
    expect(toldOf({ user: { ...opening, from: 12 } })).toBe('')
  })

  it('tells no time past the deadline', () => {
    add('a', 'user', { deadline: clock.monotonic() + 5_000 })
    expect(toldOf({ user: { from: 20 } })).toBe('a 5')
  })

  it('tells each priority its own time', () => {
    add('a')
    add('b', 'background')
    add('c', 'background')
    expect(toldOf({ user: { from: 2 }, background: { from: 5 } })).toBe('a 2, b 5, c 5')
    queue.prioritize('b')
    expect(toldOf({ user: { from: 5.5 }, background: { from: 5 } })).toBe('a 5.5')
    expect(toldOf({ user: { from: 7 }, background: { from: 5 } })).toBe('a 7, b 7')
  })
})

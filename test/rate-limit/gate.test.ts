import { describe, expect, it } from 'vitest'
import { admit, type GateResponse, recordResponse, type Priority } from '../../src/rate-limit/gate.ts'
import { emptyRecord, type GateRecord, type GateWindow, unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'
import { day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'

const now = 1_000_000_000_000
const pace = paceOf('free')
const record = (fields: Partial<GateRecord> = {}): GateRecord => ({ ...emptyRecord, updatedAt: now, ...fields })
const quota = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: now + 30_000,
  resetAt: now + 30_000,
  ...fields,
})
/** That many requests under way, the first given up after 10 s, each next one a second later. */
const underWay = (count: number): GateRecord['inFlight'] =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`lease-${i}`, { sentAt: now - 1, until: now + 10_000 + i * 1_000 }]),
  )

describe('whether a request may leave', () => {
  const ask = (stored: GateRecord, priority: Priority = 'user', at = now, given = pace) =>
    admit(stored, { id: 'asks', priority, holdFor: 20_000 }, at, given)
  const refused = (notBefore: number, wakeAt: number) => ({ admitted: false, notBefore, wakeAt })
  const firstExpiry = now + 10_000

  it('before anything is known, one goes first; the others wait for its response, or until it is lost', () => {
    const first = ask(emptyRecord)
    expect(first).toEqual({
      admitted: true,
      record: { ...emptyRecord, updatedAt: now, inFlight: { asks: { sentAt: now, until: now + 20_000 } } },
    })
    expect(ask(first.record, 'user', now + 5)).toEqual({
      admitted: false,
      record: first.record,
      notBefore: now + 5,
      wakeAt: now + 20_000,
    })
  })

  it('where nothing is announced, as many as the step says', () => {
    expect(ask(record({ maxInFlight: 4, inFlight: underWay(3) })).admitted).toBe(true)
    expect(ask(record({ maxInFlight: 4, inFlight: underWay(4) }))).toMatchObject(refused(now, firstExpiry))
  })

  it('time is taken into account first: what was lost is under way no more', () => {
    const stored = record({ inFlight: { lost: { sentAt: now - 9_000, until: now } } })
    expect(ask(stored).record).toMatchObject({
      inFlight: { asks: { sentAt: now } },
      localUsage: [{ at: now, count: 1 }],
    })
    expect(ask(stored).record.inFlight).not.toHaveProperty('lost')
  })

  describe('a cool-down', () => {
    it('keeps everybody back until its end', () => {
      const stored = record({ cooldownUntil: now + 5_000, windows: [quota()] })
      expect(ask(stored)).toEqual({ ...refused(now + 5_000, now + 5_000), record: stored })
      expect(ask(stored, 'background')).toMatchObject(refused(now + 5_000, now + 5_000))
      expect(ask(stored, 'user', now + 4_999).admitted).toBe(false)
      expect(ask(stored, 'user', now + 5_000).admitted).toBe(true)
    })
  })

  describe('an announced window', () => {
    it('lets through what is left of it, those under way included', () => {
      expect(ask(record({ windows: [quota({ remaining: 3 })], inFlight: underWay(2) })).admitted).toBe(true)
      const full = record({ windows: [quota({ remaining: 2 })], inFlight: underWay(2) })
      expect(ask(full)).toMatchObject(refused(now, firstExpiry))
    })

    it('one that ends before the first is lost is waited for no longer than that', () => {
      const full = record({ windows: [quota({ remaining: 2, resetAt: now + 700 })], inFlight: underWay(2) })
      expect(ask(full)).toMatchObject(refused(now, now + 700))
    })

    it('with nothing left is waited for', () => {
      expect(ask(record({ windows: [quota({ remaining: 0 })] }))).toMatchObject(refused(now + 30_000, now + 30_000))
      expect(ask(record({ windows: [quota({ remaining: 1 })] })).admitted).toBe(true)
    })

    it('of several all must have room; of those with nothing left the last to end counts', () => {
      const daily = quota({ limit: 1_000, remaining: 2, resetAt: now + 90_000 })
      const both = (minutely: number, left: number) => [quota({ remaining: minutely }), { ...daily, remaining: left }]
      expect(ask(record({ windows: both(3, 3), inFlight: underWay(2) })).admitted).toBe(true)
      expect(ask(record({ windows: both(3, 2), inFlight: underWay(2) }))).toMatchObject(refused(now, firstExpiry))
      expect(ask(record({ windows: both(2, 3), inFlight: underWay(2) }))).toMatchObject(refused(now, firstExpiry))
      expect(ask(record({ windows: both(0, 3) }))).toMatchObject(refused(now + 30_000, now + 30_000))
      expect(ask(record({ windows: both(0, 0) }))).toMatchObject(refused(now + 90_000, now + 90_000))
    })

    it('that has ended leads to one probe', () => {
      const windows = [quota({ resetAt: now })]
      expect(ask(record({ windows })).admitted).toBe(true)
      expect(ask(record({ windows, inFlight: underWay(1) }))).toMatchObject(refused(now, firstExpiry))
    })

    it('background work leaves a tenth of it to people', () => {
      const left = (remaining: number, limit = 60) => record({ windows: [quota({ limit, remaining })] })
      expect(ask(left(7), 'background').admitted).toBe(true)
      expect(ask(left(6), 'background')).toMatchObject(refused(now + 30_000, now + 30_000))
      expect(ask(left(6), 'user').admitted).toBe(true)
      expect(ask(left(7, 69), 'background').admitted).toBe(true)
      expect(ask(left(1, 9), 'background').admitted).toBe(true)
      expect(ask(left(1, 0), 'background').admitted).toBe(true)
      const busy = record({ windows: [quota({ remaining: 8 })], inFlight: underWay(2) })
      expect(ask(busy, 'background')).toMatchObject(refused(now, firstExpiry))
    })
  })

  describe('the pace, where nothing is announced', () => {
    const spent = (...units: [ago: number, count: number][]): Partial<GateRecord> => ({
      maxInFlight: 100,
      localUsage: units.map(([ago, count]) => ({ at: now - ago, count })),
    })

    it('lets through its limit in its time', () => {
      expect(ask(record(spent([20_000, 59]))).admitted).toBe(true)
      expect(ask(record(spent([20_000, 60])))).toMatchObject(refused(now + 40_000, now + 40_000))
    })

    it('opens when enough of the earliest have passed out of it', () => {
      const stored = record(spent([30_000, 1], [20_000, 29], [10_000, 31]))
      expect(ask(stored)).toMatchObject(refused(now + 40_000, now + 40_000))
      const one = record(spent([30_000, 1], [20_000, 29], [10_000, 30]))
      expect(ask(one)).toMatchObject(refused(now + 30_000, now + 30_000))
    })

    it('forgets what was spent before', () => {
      expect(ask(record(spent([60_000, 60], [1_000, 59]))).admitted).toBe(true)
      expect(ask(record(spent([59_999, 1], [1_000, 59])))).toMatchObject(refused(now + 1, now + 1))
    })

    it('counts those under way, and waits for their responses only as long as it must', () => {
      const busy = (...units: [ago: number, count: number][]) => record({ ...spent(...units), inFlight: underWay(2) })
      expect(ask(busy([5_000, 57])).admitted).toBe(true)
      expect(ask(busy([5_000, 58]))).toMatchObject(refused(now, firstExpiry))
      expect(ask(busy([55_000, 58]))).toMatchObject(refused(now, now + 5_000))
      expect(ask(busy([5_000, 60]))).toMatchObject(refused(now + 55_000, firstExpiry))
    })

    it('what it has forgotten does not tell when to come back', () => {
      const stored = record({ ...spent([61_000, 5], [5_000, 58]), inFlight: underWay(2) })
      expect(ask(stored)).toMatchObject(refused(now, firstExpiry))
    })

    it('with all of it under way there is nothing but to wait for responses', () => {
      const stored = record({ maxInFlight: 9, inFlight: underWay(2) })
      expect(ask(stored, 'user', now, { limit: 2, per: 5_000 })).toMatchObject(refused(now, firstExpiry))
    })

    it('background work leaves a tenth of it to people', () => {
      expect(ask(record(spent([20_000, 53])), 'background').admitted).toBe(true)
      expect(ask(record(spent([20_000, 54])), 'background')).toMatchObject(refused(now + 40_000, now + 40_000))
    })
  })
})

describe('how a request came back', () => {
  const sentAt = now - 200
  const held = { sentAt, until: now + 9_000 }
  const sent = (fields: Partial<GateRecord> = {}): GateRecord => record({ inFlight: { sent: held }, ...fields })
  /** A response whose clock is known to be right, so that a reset is where it says. */
  const told = (fields: Omit<RateLimitHeaders, 'date'> = {}): RateLimitHeaders => ({ date: now, ...fields })
  const take = (stored: GateRecord, response: Partial<GateResponse> = {}, at = now) =>
    recordResponse(
      stored,
      { id: 'sent', sentAt, rateLimitHeaders: told(), refused: false, jitter: 0, ...response },
      at,
      pace,
    )
  const inMinute = told({ limit: 60, remaining: 12, resetAt: now + 30_000 })

  describe('lost', () => {
    const lost = { rateLimitHeaders: undefined }

    it('its unit stays spent, and it is under way no more', () => {
      expect(take(sent({ windows: [quota()] }), lost)).toEqual(record({ windows: [quota({ remaining: 9 })] }))
      expect(take(sent(), lost)).toEqual(record({ localUsage: [{ at: now, count: 1 }] }))
    })

    it('where it had been given up, it was spent then', () => {
      expect(take(record({ windows: [quota()] }), lost)).toEqual(record({ windows: [quota()] }))
    })

    it('the record has changed now', () => {
      expect(take(sent({ updatedAt: now - 500 }), lost).updatedAt).toBe(now)
    })

    it('others under way stay so', () => {
      const other = { sentAt, until: now + 1 }
      const { inFlight } = take(record({ inFlight: { other, sent: held } }), lost)
      expect(inFlight).toMatchObject({ other })
      expect(inFlight).not.toHaveProperty('sent')
    })
  })

  describe('with what is left', () => {
    it('the window is known', () => {
      expect(take(sent({ maxInFlight: 4 }), { rateLimitHeaders: inMinute })).toEqual(
        record({ windows: [quota({ remaining: 12, resetAt: now + 30_500 })], skew: { min: 0, max: 1_200 } }),
      )
    })

    it('jitter makes its end up to twice the margin later', () => {
      const [window] = take(sent(), { rateLimitHeaders: inMinute, jitter: 0.5 }).windows
      expect(window?.resetAt).toBe(now + 30_750)
    })

    it('the clock of the service is reckoned with', () => {
      const [window] = take(sent(), { rateLimitHeaders: { ...inMinute, date: now + 10_000 } }).windows
      expect(window?.resetAt).toBe(now + 20_500)
    })

    it('a unit is taken from the other windows, unless it had been given up before', () => {
      const daily = quota({ limit: 1_000, remaining: 500 })
      expect(take(sent({ windows: [daily] }), { rateLimitHeaders: inMinute }).windows).toMatchObject([
        { remaining: 12 },
        { limit: 1_000, remaining: 499 },
      ])
      expect(take(record({ windows: [daily] }), { rateLimitHeaders: inMinute }).windows).toMatchObject([
        { remaining: 12 },
        { limit: 1_000, remaining: 500 },
      ])
    })

    it('units spent meanwhile, of which it may not tell, are taken off', () => {
      const stored = record({ inFlight: { sent: { ...held, unreportedUnits: 2 } } })
      expect(take(stored, { rateLimitHeaders: inMinute }).windows).toMatchObject([{ remaining: 10 }])
    })

    it('out of order: what is left never rises within a window', () => {
      const windows = [quota({ remaining: 11 })]
      expect(take(sent({ windows }), { rateLimitHeaders: inMinute }).windows).toMatchObject([{ remaining: 11 }])
    })
  })

  describe('with headers that say nothing', () => {
    it('the steps grow, and the unit is counted', () => {
      const first = take(sent())
      expect(first).toMatchObject({ maxInFlight: 2, localUsage: [{ at: now, count: 1 }], inFlight: {} })
      const two = { ...first, inFlight: { a: held, b: held } }
      const third = take(take(two, { id: 'a' }), { id: 'b' })
      expect(third).toMatchObject({ maxInFlight: 4, localUsage: [{ at: now, count: 3 }] })
    })

    it('within a known window a unit is taken from it, and the steps begin anew', () => {
      expect(take(sent({ windows: [quota()], maxInFlight: 7 }))).toMatchObject({
        windows: [{ remaining: 9 }],
        localUsage: [],
        maxInFlight: 1,
      })
    })
  })

  describe('429', () => {
    const refusal = (rateLimitHeaders: RateLimitHeaders = told(), fields: Partial<GateResponse> = {}) =>
      ({ rateLimitHeaders, refused: true, ...fields }) satisfies Partial<GateResponse>
    /** How long nothing leaves, in ms. */
    const wait = (rateLimitHeaders: RateLimitHeaders, stored = sent()) =>
      take(stored, refusal(rateLimitHeaders)).cooldownUntil - now

    it('nothing leaves until the announced time, and a little later; then one probe', () => {
      const after = take(
        sent({ maxInFlight: 8, localUsage: [{ at: now - 5, count: 3 }] }),
        refusal(told({ retryIn: 30_000 })),
      )
      expect(after).toEqual(
        record({
          cooldownUntil: now + 30_500,
          cooldownStartedAt: now,
          localUsage: [{ at: now - 5, count: 3 }],
          skew: { min: 0, max: 1_200 },
        }),
      )
    })

    it('jitter only adds', () => {
      expect(take(sent(), refusal(told({ retryIn: 30_000 }), { jitter: 1 })).cooldownUntil).toBe(now + 31_000)
    })

    it('the windows are over; their limits stay known', () => {
      const daily = quota({ limit: 1_000, remaining: 500, resetAt: now + day })
      const after = take(sent({ windows: [daily] }), refusal({ ...inMinute, remaining: 0 }))
      expect(after.windows).toEqual([quota({ remaining: 0, resetAt: now }), { ...daily, resetAt: now }])
      expect(take(sent({ windows: [daily] }), refusal()).windows).toEqual([{ ...daily, resetAt: now }])
    })

    describe('how long', () => {
      it('Retry-After in seconds', () => {
        expect(wait(told({ retryIn: 7_000 }))).toBe(7_500)
      })

      it('Retry-After as a date, by the service’s clock', () => {
        expect(wait(told({ retryDate: now + 7_000 }))).toBe(7_500)
        expect(wait({ date: now + 2_000, retryDate: now + 7_000 })).toBe(5_500)
        expect(wait({ date: now, retryDate: now })).toBe(1_500)
      })

      it('both: the longer', () => {
        expect(wait(told({ retryIn: 7_000, retryDate: now + 9_000 }))).toBe(9_500)
        expect(wait(told({ retryIn: 9_000, retryDate: now + 7_000 }))).toBe(9_500)
      })

      it('never less than a second, also where none is told to be needed', () => {
        expect(wait(told({ retryIn: 0 }))).toBe(1_500)
        expect(wait(told({ retryIn: 0, resetAt: now + 30_000 }))).toBe(1_500)
      })

      it('never more than a day', () => {
        expect(wait(told({ retryIn: 2 * day }))).toBe(day + 500)
      })

      it('no Retry-After, or a date that has passed: until the reset, if that can be believed', () => {
        expect(wait(told({ resetAt: now + 45_000 }))).toBe(45_500)
        expect(wait(told({ retryDate: now - 1_000, resetAt: now + 45_000 }))).toBe(45_500)
        expect(wait(told({ resetAt: now + day }))).toBe(day + 500)
        // The service's clock may be 1,200 ms ahead: then this is a day from now.
        expect(wait(told({ resetAt: now + day + 1_200 }))).toBe(day + 500)
      })

      it('a reset is taken late, but believed if it may lie within a day', () => {
        const stored = sent({ skew: { min: -2_000, max: 2_000 } })
        expect(wait({ resetAt: now + day - 1_000 }, stored)).toBe(day + 500)
      })

      it('nothing that can be believed: a minute, the plans’ shortest window', () => {
        expect(wait(told())).toBe(minute + 500)
        expect(wait(told({ resetAt: now }))).toBe(minute + 500)
        expect(wait(told({ resetAt: now - 5_000 }))).toBe(minute + 500)
        expect(wait(told({ resetAt: now + day + 1_201 }))).toBe(minute + 500)
      })

      it('a shorter Retry-After does not count where nothing is left until the reset', () => {
        const rateLimitHeaders = told({ limit: 60, retryIn: 7_000, resetAt: now + 45_000 })
        expect(wait({ ...rateLimitHeaders, remaining: 0 })).toBe(45_500)
        expect(wait({ ...rateLimitHeaders, remaining: 1 })).toBe(7_500)
        expect(wait({ ...rateLimitHeaders, remaining: 0, retryIn: 50_000 })).toBe(50_500)
        expect(wait({ ...rateLimitHeaders, remaining: 0, resetAt: now + day + 1_201 })).toBe(7_500)
      })
    })

    describe('of one episode', () => {
      const cooling = sent({ cooldownStartedAt: sentAt, cooldownUntil: now + 9_000, consecutive429s: 1 })

      it('what was in flight when it began is no further strike', () => {
        expect(take(cooling, refusal(told({ retryIn: 1_000 })))).toMatchObject({
          consecutive429s: 1,
          cooldownStartedAt: sentAt,
        })
      })

      it('a shorter wait never overwrites a longer one; a longer one does', () => {
        expect(take(cooling, refusal(told({ retryIn: 1_000 }))).cooldownUntil).toBe(now + 9_000)
        expect(take(cooling, refusal(told({ retryIn: 60_000 }))).cooldownUntil).toBe(now + 60_500)
      })

      it('other responses to it tell of a time that is over; their units are spent, and their clock is right', () => {
        const windows = [quota({ resetAt: now })]
        const after = take({ ...cooling, windows, maxInFlight: 1 }, { rateLimitHeaders: inMinute })
        expect(after).toMatchObject({
          windows,
          maxInFlight: 1,
          cooldownUntil: now + 9_000,
          localUsage: [{ at: now, count: 1 }],
          skew: { min: 0, max: 1_200 },
          inFlight: {},
        })
      })
    })

    describe('consecutive429s', () => {
      const later = (fields: Partial<GateRecord>) =>
        take(sent({ cooldownStartedAt: sentAt - 1, cooldownUntil: sentAt, ...fields }), refusal(told({ retryIn: 0 })))

      it('the first is none', () => {
        expect(take(sent(), refusal()).consecutive429s).toBe(0)
      })

      it('each episode that follows is one more, and doubles the shortest wait', () => {
        expect(later({ consecutive429s: 0 })).toMatchObject({
          consecutive429s: 1,
          cooldownStartedAt: now,
          cooldownUntil: now + 2_500,
        })
        expect(later({ consecutive429s: 2 })).toMatchObject({ consecutive429s: 3, cooldownUntil: now + 8_500 })
      })

      it('and the wait that is a guess', () => {
        const after = take(
          sent({ cooldownStartedAt: sentAt - 1, cooldownUntil: sentAt, consecutive429s: 1 }),
          refusal(),
        )
        expect(after.cooldownUntil).toBe(now + 4 * minute + 500)
      })

      it('each minute without takes one away', () => {
        expect(later({ consecutive429s: 3, cooldownUntil: now - 2 * minute + 1 }).consecutive429s).toBe(3)
        expect(later({ consecutive429s: 3, cooldownUntil: now - 2 * minute }).consecutive429s).toBe(2)
        expect(later({ consecutive429s: 3, cooldownUntil: now - 9 * minute }).consecutive429s).toBe(0)
      })

      it('never more than one at once, also within a cool-down', () => {
        expect(later({ consecutive429s: 1, cooldownUntil: now + 1 }).consecutive429s).toBe(2)
      })

      it('six at most', () => {
        expect(later({ consecutive429s: 6 })).toMatchObject({ consecutive429s: 6, cooldownUntil: now + 64_500 })
      })
    })
  })

  describe('when it left', () => {
    const limited = { cooldownStartedAt: now - 500, cooldownUntil: now - 100 }

    it('the lease knows better than the response', () => {
      expect(take(sent(limited), { sentAt: now - 900, rateLimitHeaders: inMinute }).windows).toHaveLength(1)
      expect(take(record(limited), { sentAt: now - 900, rateLimitHeaders: inMinute }).windows).toHaveLength(0)
      expect(take(record(limited), { sentAt: now - 499, rateLimitHeaders: inMinute }).windows).toHaveLength(1)
    })

    it('at the moment of the 429 is of that time still', () => {
      expect(take(record(limited), { sentAt: now - 500, rateLimitHeaders: inMinute }).windows).toHaveLength(0)
    })

    it('is never later than now: a clock may have been set', () => {
      const { skew } = take(record(), { sentAt: now + 50_000 })
      expect(skew).toEqual({ min: 0, max: 1_000 })
    })
  })

  it('a response after its lease ran out still tells what is left', () => {
    const stored = record({ windows: [quota({ remaining: 9 })] })
    expect(take(stored, { rateLimitHeaders: { ...inMinute, remaining: 4 } }).windows).toMatchObject([{ remaining: 4 }])
  })

  it('nothing that headers say can harm: one without any teaches nothing of the clock', () => {
    expect(take(sent(), { rateLimitHeaders: {} }).skew).toEqual(unknownClockSkew)
  })
})

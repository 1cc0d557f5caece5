import { describe, expect, it } from 'vitest'
import { admit, type GateResponse, recordResponse, type Priority } from '../../src/rate-limit/gate.ts'
import {
  emptyRecord,
  type GateRecord,
  type GateWindow,
  noFailures,
  unknownClockSkew,
} from '../../src/rate-limit/GateRecord.ts'
import { day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { liveWindows } from '../../src/rate-limit/windows.ts'

const now = 1_000_000_000_000
const pace = paceOf('free')
const record = (fields: Partial<GateRecord> = {}): GateRecord => ({ ...emptyRecord, updatedAt: now, ...fields })
const gateWindow = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 10,
  reset: now + 30_000,
  resetAt: now + 30_000,
  ...fields,
})
/** That many requests that left now: the first expires in 10 s, each further one a second later. */
const requestsInFlight = (count: number): GateRecord['inFlight'] =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `request-${i}`,
      { count: 1, since: now, until: now + 10_000 + i * 1_000 },
    ]),
  )

describe('admit', () => {
  const tryAdmit = (stored: GateRecord, priority: Priority = 'user', at = now, planPace = pace) =>
    admit(stored, { address: 'a', batch: 'new', priority, holdFor: 20_000 }, at, planPace)
  const refused = (notBefore: number, wakeAt: number) => ({ admitted: false, notBefore, wakeAt })
  const lossAt = now + 10_000

  it('lets one request leave before anything is known; the next waits a second for its response', () => {
    const first = tryAdmit(emptyRecord)
    expect(first).toEqual({
      admitted: true,
      record: {
        ...emptyRecord,
        updatedAt: now,
        inFlight: { new: { count: 1, since: now, until: now + 20_000 } },
      },
    })
    expect(tryAdmit(first.record, 'user', now + 5)).toEqual({
      admitted: false,
      record: first.record,
      reason: 'probe',
      notBefore: now + 5,
      wakeAt: now + 1_000,
    })
  })

  it('lets at most maxInFlight requests be in flight where no window is announced', () => {
    expect(tryAdmit(record({ maxInFlight: 4, inFlight: requestsInFlight(3) })).admitted).toBe(true)
    expect(tryAdmit(record({ maxInFlight: 4, inFlight: requestsInFlight(4) }))).toMatchObject(refused(now, now + 1_000))
  })

  it('expires requests first', () => {
    const stored = record({ inFlight: { lost: { count: 1, since: now - 20_000, until: now } } })
    expect(tryAdmit(stored).record).toMatchObject({
      inFlight: { new: { count: 1 } },
      localUsage: [{ at: now, count: 1 }],
    })
    expect(tryAdmit(stored).record.inFlight).not.toHaveProperty('lost')
  })

  describe('in a cool-down', () => {
    it('refuses every request until its end', () => {
      const stored = record({ cooldownUntil: now + 5_000, windows: [gateWindow()] })
      const reason = 'cooling-down'
      expect(tryAdmit(stored)).toEqual({ ...refused(now + 5_000, now + 5_000), reason, record: stored })
      expect(tryAdmit(stored, 'background')).toMatchObject(refused(now + 5_000, now + 5_000))
      expect(tryAdmit(stored, 'user', now + 4_999).admitted).toBe(false)
      expect(tryAdmit(stored, 'user', now + 5_000).admitted).toBe(true)
    })
  })

  describe('in an announced window', () => {
    it('lets requests leave while fewer are in flight than remain', () => {
      expect(
        tryAdmit(record({ windows: [gateWindow({ remaining: 3 })], inFlight: requestsInFlight(2) })).admitted,
      ).toBe(true)
      const full = record({ windows: [gateWindow({ remaining: 2 })], inFlight: requestsInFlight(2) })
      // The units that they hold are spent: only the end of the window brings new ones.
      expect(tryAdmit(full)).toMatchObject({ ...refused(now + 30_000, now + 30_000), reason: 'in-flight' })
    })

    it('waits for the end of a window with nothing left', () => {
      expect(tryAdmit(record({ windows: [gateWindow({ remaining: 0 })] }))).toMatchObject(
        refused(now + 30_000, now + 30_000),
      )
      expect(tryAdmit(record({ windows: [gateWindow({ remaining: 1 })] })).admitted).toBe(true)
    })

    it('needs room in every window, and waits for the last end of those with nothing left', () => {
      const daily = gateWindow({ limit: 1_000, remaining: 2, resetAt: now + 90_000 })
      const both = (minuteRemaining: number, dayRemaining: number) => [
        gateWindow({ remaining: minuteRemaining }),
        { ...daily, remaining: dayRemaining },
      ]
      expect(tryAdmit(record({ windows: both(3, 3), inFlight: requestsInFlight(2) })).admitted).toBe(true)
      expect(tryAdmit(record({ windows: both(3, 2), inFlight: requestsInFlight(2) }))).toMatchObject(
        refused(now + 90_000, now + 90_000),
      )
      expect(tryAdmit(record({ windows: both(2, 3), inFlight: requestsInFlight(2) }))).toMatchObject(
        refused(now + 30_000, now + 30_000),
      )
      expect(tryAdmit(record({ windows: both(0, 3) }))).toMatchObject(refused(now + 30_000, now + 30_000))
      expect(tryAdmit(record({ windows: both(0, 0) }))).toMatchObject(refused(now + 90_000, now + 90_000))
    })

    it('lets one probe leave when a used-up window has ended', () => {
      const windows = [gateWindow({ remaining: 0, resetAt: now })]
      expect(tryAdmit(record({ windows })).admitted).toBe(true)
      expect(tryAdmit(record({ windows, inFlight: requestsInFlight(1) }))).toMatchObject({
        ...refused(now, now + 2_000),
        reason: 'probe',
      })
    })

    it.each([
      ['eight', 60, 8],
      ['a second of its pace', 1_200, 20],
      ['its limit', 3, 3],
    ])('lets %s leave at once when it has ended with units left', (_, limit, count) => {
      const windows = [gateWindow({ limit, remaining: 1, resetAt: now })]
      const withInFlight = (inFlight: number) =>
        tryAdmit(record({ windows, inFlight: requestsInFlight(inFlight) }), 'user', now, { limit, per: minute })
      expect([withInFlight(count - 1).admitted, withInFlight(count).admitted]).toEqual([true, false])
    })

    it('reserves a tenth of the limit for user requests', () => {
      const withRemaining = (remaining: number, limit = 60) => record({ windows: [gateWindow({ limit, remaining })] })
      expect(tryAdmit(withRemaining(7), 'background').admitted).toBe(true)
      expect(tryAdmit(withRemaining(6), 'background').admitted).toBe(false)
      expect(tryAdmit(withRemaining(6), 'user').admitted).toBe(true)
      expect(tryAdmit(withRemaining(7, 69), 'background').admitted).toBe(true)
      expect(tryAdmit(withRemaining(1, 9), 'background').admitted).toBe(true)
      expect(tryAdmit(withRemaining(1, 0), 'background').admitted).toBe(true)
      const busy = record({ windows: [gateWindow({ remaining: 8 })], inFlight: requestsInFlight(2) })
      expect(tryAdmit(busy, 'background')).toMatchObject({
        ...refused(now + 21_667, now + 21_667),
        reason: 'in-flight',
      })
    })

    it('gives background requests what users have left before its end, all but one unit', () => {
      const tryAt = (endsIn: number, remaining: number, limit = 60) =>
        tryAdmit(record({ windows: [gateWindow({ limit, remaining, resetAt: now + endsIn })] }), 'background')
      // Of six units, the second has to be released for the first to be left to users.
      expect(tryAt(30_000, 6)).toMatchObject(refused(now + 21_667, now + 21_667))
      expect(tryAt(8_334, 6).admitted).toBe(false)
      expect(tryAt(8_333, 6).admitted).toBe(true)
      expect(tryAt(8_333, 5)).toMatchObject(refused(now + 1_667, now + 1_667))
      expect(tryAt(1_666, 2).admitted).toBe(true)
      expect(tryAt(1, 1)).toMatchObject(refused(now + 1, now + 1))
      expect(tryAt(5_000, 51, 1_000).admitted).toBe(true)
      expect(tryAt(5_000, 50, 1_000).admitted).toBe(false)
    })
  })

  describe('where no window is announced', () => {
    const usage = (...slices: [ago: number, count: number][]): Partial<GateRecord> => ({
      maxInFlight: 100,
      localUsage: slices.map(([ago, count]) => ({ at: now - ago, count })),
    })

    it('lets as many requests leave as the pace allows', () => {
      expect(tryAdmit(record(usage([20_000, 59]))).admitted).toBe(true)
      expect(tryAdmit(record(usage([20_000, 60])))).toMatchObject(refused(now + 40_000, now + 40_000))
    })

    it('opens when enough of the earliest units have left the window of the pace', () => {
      const stored = record(usage([30_000, 1], [20_000, 29], [10_000, 31]))
      expect(tryAdmit(stored)).toMatchObject(refused(now + 40_000, now + 40_000))
      const one = record(usage([30_000, 1], [20_000, 29], [10_000, 30]))
      expect(tryAdmit(one)).toMatchObject(refused(now + 30_000, now + 30_000))
    })

    it('ignores units from before the window of the pace', () => {
      expect(tryAdmit(record(usage([60_000, 60], [1_000, 59]))).admitted).toBe(true)
      expect(tryAdmit(record(usage([59_999, 1], [1_000, 59])))).toMatchObject(refused(now + 1, now + 1))
    })

    it('counts the requests in flight, and waits for their responses no longer than needed', () => {
      const busy = (...slices: [ago: number, count: number][]) =>
        record({ ...usage(...slices), inFlight: requestsInFlight(2) })
      expect(tryAdmit(busy([5_000, 57])).admitted).toBe(true)
      expect(tryAdmit(busy([5_000, 58]))).toMatchObject(refused(now, lossAt))
      expect(tryAdmit(busy([55_000, 58]))).toMatchObject(refused(now, now + 5_000))
      expect(tryAdmit(busy([5_000, 60]))).toMatchObject(refused(now + 55_000, lossAt))
    })

    it('does not wait for units from before the window of the pace', () => {
      const stored = record({ ...usage([61_000, 5], [5_000, 58]), inFlight: requestsInFlight(2) })
      expect(tryAdmit(stored)).toMatchObject(refused(now, lossAt))
    })

    it('waits for responses if all units of the pace are in flight', () => {
      const stored = record({ maxInFlight: 9, inFlight: requestsInFlight(2) })
      expect(tryAdmit(stored, 'user', now, { limit: 2, per: 5_000 })).toMatchObject(refused(now, lossAt))
    })

    it('reserves a tenth of the limit for user requests', () => {
      expect(tryAdmit(record(usage([20_000, 53])), 'background').admitted).toBe(true)
      expect(tryAdmit(record(usage([20_000, 54])), 'background')).toMatchObject(refused(now + 40_000, now + 40_000))
    })
  })
})

describe('recordResponse', () => {
  const sentAt = now - 200
  const request = { count: 1, since: sentAt, until: now + 9_000 }
  const sent = (fields: Partial<GateRecord> = {}): GateRecord => record({ inFlight: { sent: request }, ...fields })
  /** The Date says that the service's clock is right, so that times in headers are exact. */
  const headers = (fields: Omit<RateLimitHeaders, 'date'> = {}): RateLimitHeaders => ({ date: now, ...fields })
  const respond = (stored: GateRecord, response: Partial<GateResponse> = {}, at = now) =>
    recordResponse(
      stored,
      {
        batch: 'sent',
        address: 'categories',
        isRetry: false,
        sentAt,
        lostUnitsBefore: 0,
        rateLimitHeaders: headers(),
        status: 200,
        jitter: 0,
        ...response,
      },
      at,
      pace,
    )
  const minuteHeaders = headers({ limit: 60, remaining: 12, resetAt: now + 30_000 })

  describe('of a lost response', () => {
    const lost = { rateLimitHeaders: undefined, status: undefined }

    it('keeps the unit spent, and the request is no longer in flight', () => {
      expect(respond(sent({ windows: [gateWindow()] }), lost)).toEqual(
        record({ windows: [gateWindow({ remaining: 9 })], lostUnits: 1 }),
      )
      expect(respond(sent(), lost)).toEqual(record({ localUsage: [{ at: now, count: 1 }], lostUnits: 1 }))
    })

    it('spends no second unit if the request had expired', () => {
      expect(respond(record({ windows: [gateWindow()] }), lost)).toEqual(record({ windows: [gateWindow()] }))
    })

    it('sets updatedAt', () => {
      expect(respond(sent({ updatedAt: now - 500 }), lost).updatedAt).toBe(now)
    })

    it('keeps the other requests in flight', () => {
      const other = { count: 1, since: sentAt, until: now + 1 }
      const { inFlight } = respond(record({ inFlight: { other, sent: request } }), lost)
      expect(inFlight).toMatchObject({ other })
      expect(inFlight).not.toHaveProperty('sent')
    })
  })

  describe('of a response with a window', () => {
    it('stores the window and that the key works, and narrows the skew', () => {
      expect(respond(sent({ maxInFlight: 4 }), { rateLimitHeaders: minuteHeaders })).toEqual(
        record({
          windows: [gateWindow({ remaining: 12, resetAt: now + 30_500, span: 28_800 })],
          skew: { min: 0, max: 1_200 },
          failures: {
            ...noFailures,
            succeededAt: now,
            gateway: { ...noFailures.gateway, burstAt: sentAt, passed: 1 },
          },
        }),
      )
    })

    it('adds the margin to the end of the window, up to twice with jitter', () => {
      const [window] = respond(sent(), { rateLimitHeaders: minuteHeaders, jitter: 0.5 }).windows
      expect(window?.resetAt).toBe(now + 30_750)
    })

    it('corrects the end of the window by the clock of the service', () => {
      const [window] = respond(sent(), { rateLimitHeaders: { ...minuteHeaders, date: now + 10_000 } }).windows
      expect(window?.resetAt).toBe(now + 20_500)
    })

    it('takes a unit from the other windows, unless the request had expired', () => {
      const daily = gateWindow({ limit: 1_000, remaining: 500 })
      expect(respond(sent({ windows: [daily] }), { rateLimitHeaders: minuteHeaders }).windows).toMatchObject([
        { remaining: 12 },
        { limit: 1_000, remaining: 499 },
      ])
      expect(respond(record({ windows: [daily] }), { rateLimitHeaders: minuteHeaders }).windows).toMatchObject([
        { remaining: 12 },
        { limit: 1_000, remaining: 500 },
      ])
    })

    it('subtracts unreported units', () => {
      const lost = (lostUnits: number) =>
        respond(sent({ lostUnits }), { lostUnitsBefore: 3, rateLimitHeaders: minuteHeaders }).windows[0]?.remaining
      expect([lost(5), lost(3), lost(1)]).toEqual([10, 12, 12])
    })

    it('subtracts unreported units of others where the request had expired, too', () => {
      const lost = (lostUnits: number) =>
        respond(record({ lostUnits }), { lostUnitsBefore: 3, rateLimitHeaders: minuteHeaders }).windows[0]?.remaining
      // The first of them is its own.
      expect([lost(5), lost(4), lost(3)]).toEqual([11, 12, 12])
    })

    it('never raises remaining within a window', () => {
      const windows = [gateWindow({ remaining: 11 })]
      expect(respond(sent({ windows }), { rateLimitHeaders: minuteHeaders }).windows).toMatchObject([{ remaining: 11 }])
    })
  })

  it.each([1, 4, 30])('a plan upgrade lets calls through although the former day had %i left', (left) => {
    const daily = gateWindow({ limit: 1_000, remaining: left, reset: now + day, resetAt: now + day })
    let stored = record({ windows: [gateWindow({ resetAt: now - 1 }), daily] })
    const { limit, per } = { limit: 300, per: minute }
    let refusals = 0
    for (let call = 0; call < 60; call += 1) {
      const at = now + call * 10
      // The reserve of the former day keeps background requests out until a user's request finds out.
      const priority = call === 0 ? 'user' : 'background'
      const decision = admit(stored, { address: 'a', batch: 'sent', priority, holdFor: 20_000 }, at, pace)
      if (!decision.admitted) refusals += 1
      const announced = { date: at, limit, remaining: limit - 1 - call, resetAt: now + per }
      stored = respond(decision.record, { sentAt: at, rateLimitHeaders: announced }, at + 5)
    }
    expect(refusals).toBe(0)
    expect(liveWindows(stored, now + 600).map((window) => window.limit)).toEqual([300])
  })

  describe('of a response without a window', () => {
    it('raises maxInFlight, and counts the unit', () => {
      const first = respond(sent())
      expect(first).toMatchObject({ maxInFlight: 2, localUsage: [{ at: now, count: 1 }], inFlight: {} })
      const two = { ...first, inFlight: { a: request, b: request } }
      const third = respond(respond(two, { batch: 'a' }), { batch: 'b' })
      expect(third).toMatchObject({ maxInFlight: 4, localUsage: [{ at: now, count: 3 }] })
    })

    it('takes a unit from a known window, and resets maxInFlight', () => {
      expect(respond(sent({ windows: [gateWindow()], maxInFlight: 7 }))).toMatchObject({
        windows: [{ remaining: 9 }],
        localUsage: [],
        maxInFlight: 1,
      })
    })
  })

  describe('of a refusal', () => {
    const refusal = (rateLimitHeaders: RateLimitHeaders = headers(), fields: Partial<GateResponse> = {}) =>
      ({ rateLimitHeaders, status: 429, ...fields }) satisfies Partial<GateResponse>
    /** How long nothing leaves, in ms. */
    const wait = (rateLimitHeaders: RateLimitHeaders, stored = sent()) =>
      respond(stored, refusal(rateLimitHeaders)).cooldownUntil - now

    it('starts a cool-down with the margin added, and resets maxInFlight', () => {
      const after = respond(
        sent({ maxInFlight: 8, localUsage: [{ at: now - 5, count: 3 }] }),
        refusal(headers({ retryIn: 30_000 })),
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

    it('lengthens the cool-down by jitter', () => {
      expect(respond(sent(), refusal(headers({ retryIn: 30_000 }), { jitter: 1 })).cooldownUntil).toBe(now + 31_000)
    })

    it('ends the windows and keeps their limits', () => {
      const daily = gateWindow({ limit: 1_000, remaining: 500, resetAt: now + day })
      const after = respond(sent({ windows: [daily] }), refusal({ ...minuteHeaders, remaining: 0 }))
      const known = gateWindow({ remaining: 0, resetAt: now, span: 28_800 })
      expect(after.windows).toEqual([known, { ...daily, resetAt: now }])
      expect(respond(sent({ windows: [daily] }), refusal()).windows).toEqual([{ ...daily, resetAt: now }])
    })

    describe('waits', () => {
      it('for a Retry-After in seconds', () => {
        expect(wait(headers({ retryIn: 7_000 }))).toBe(7_500)
      })

      it('for a Retry-After as a date, by the service’s clock', () => {
        expect(wait(headers({ retryDate: now + 7_000 }))).toBe(7_500)
        expect(wait({ date: now + 2_000, retryDate: now + 7_000 })).toBe(5_500)
        expect(wait({ date: now, retryDate: now })).toBe(1_500)
      })

      it('for the longer one of several', () => {
        expect(wait(headers({ retryIn: 7_000, retryDate: now + 9_000 }))).toBe(9_500)
        expect(wait(headers({ retryIn: 9_000, retryDate: now + 7_000 }))).toBe(9_500)
      })

      it('for at least a second, also if Retry-After is 0', () => {
        expect(wait(headers({ retryIn: 0 }))).toBe(1_500)
        expect(wait(headers({ retryIn: 0, resetAt: now + 30_000 }))).toBe(1_500)
      })

      it('for at most a day', () => {
        expect(wait(headers({ retryIn: 2 * day }))).toBe(day + 500)
      })

      it('for a believable reset if there is no Retry-After, or one in the past', () => {
        expect(wait(headers({ resetAt: now + 45_000 }))).toBe(45_500)
        expect(wait(headers({ retryDate: now - 1_000, resetAt: now + 45_000 }))).toBe(45_500)
        expect(wait(headers({ resetAt: now + day }))).toBe(day + 500)
        // The service's clock may be 1,200 ms ahead: then this is a day from now.
        expect(wait(headers({ resetAt: now + day + 1_200 }))).toBe(day + 500)
      })

      it('for the latest possible reset, if the earliest possible one lies within a day', () => {
        const stored = sent({ skew: { min: -2_000, max: 2_000 } })
        expect(wait({ resetAt: now + day - 1_000 }, stored)).toBe(day + 500)
      })

      it('for a minute, the shortest window of the plans, without any believable header', () => {
        expect(wait(headers())).toBe(minute + 500)
        expect(wait(headers({ resetAt: now }))).toBe(minute + 500)
        expect(wait(headers({ resetAt: now - 5_000 }))).toBe(minute + 500)
        expect(wait(headers({ resetAt: now + day + 1_201 }))).toBe(minute + 500)
      })

      it('for the reset if that is later than Retry-After and nothing is left until then', () => {
        const rateLimitHeaders = headers({ limit: 60, retryIn: 7_000, resetAt: now + 45_000 })
        expect(wait({ ...rateLimitHeaders, remaining: 0 })).toBe(45_500)
        expect(wait({ ...rateLimitHeaders, remaining: 1 })).toBe(7_500)
        expect(wait({ ...rateLimitHeaders, remaining: 0, retryIn: 50_000 })).toBe(50_500)
        expect(wait({ ...rateLimitHeaders, remaining: 0, resetAt: now + day + 1_201 })).toBe(7_500)
      })
    })

    it('says whose request was refused', () => {
      const owned = sent({ inFlight: { a: { count: 1, since: sentAt, until: now + 30_000, owner: 'page' } } })
      const refused = respond(owned, { status: 429, batch: 'a' })
      expect(refused).toMatchObject({ cooldownStartedAt: now, cooldownOwner: 'page' })
      // Another page's refusal of the same episode is not what started it.
      expect(respond(refused, { status: 429, batch: 'b' }).cooldownOwner).toBe('page')
    })

    it('starts one for a 403 with Retry-After too', () => {
      const after = respond(sent({ windows: [gateWindow()], maxInFlight: 4 }), {
        rateLimitHeaders: headers({ retryIn: 7_000 }),
        status: 403,
      })
      expect(after).toMatchObject({ cooldownUntil: now + 7_500, cooldownStartedAt: now, maxInFlight: 1 })
      expect(liveWindows(after, now)).toEqual([])
      const dated = respond(sent(), { rateLimitHeaders: headers({ retryDate: now + 7_000 }), status: 403 })
      expect(dated.cooldownUntil).toBe(now + 7_500)
    })

    it.each([
      [200, 7_000],
      [302, 7_000],
      [403, undefined],
      [404, 7_000],
      [500, 7_000],
      [503, 7_000],
      [503, undefined],
    ])('starts none for a %i with Retry-After %s', (status, retryIn) => {
      expect(respond(sent(), { rateLimitHeaders: headers({ retryIn }), status }).cooldownUntil).toBe(0)
    })

    it('learns no skew from the Retry-After of another status', () => {
      const rateLimitHeaders = { limit: 60, remaining: 0, resetAt: now + 30_000, retryIn: 5_000 }
      expect(respond(sent(), { rateLimitHeaders, status: 503 }).skew).toEqual(
        respond(sent(), { rateLimitHeaders, status: 200 }).skew,
      )
    })

    describe('in the cool-down of the same episode', () => {
      const cooling = sent({ cooldownStartedAt: sentAt, cooldownUntil: now + 9_000, consecutiveRefusals: 1 })

      it('does not count as a further 429', () => {
        expect(respond(cooling, refusal(headers({ retryIn: 1_000 })))).toMatchObject({
          consecutiveRefusals: 1,
          cooldownStartedAt: sentAt,
        })
      })

      it('keeps the longer wait', () => {
        expect(respond(cooling, refusal(headers({ retryIn: 1_000 }))).cooldownUntil).toBe(now + 9_000)
        expect(respond(cooling, refusal(headers({ retryIn: 60_000 }))).cooldownUntil).toBe(now + 60_500)
      })

      it('ignores the window of other responses, but spends their unit and narrows the skew', () => {
        const windows = [gateWindow({ resetAt: now })]
        const after = respond({ ...cooling, windows, maxInFlight: 1 }, { rateLimitHeaders: minuteHeaders })
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

    describe('counts consecutive refusals:', () => {
      const later = (fields: Partial<GateRecord>) =>
        respond(
          sent({ cooldownStartedAt: sentAt - 1, cooldownUntil: sentAt, ...fields }),
          refusal(headers({ retryIn: 0 })),
        )

      it('0 for the first cool-down', () => {
        expect(respond(sent(), refusal()).consecutiveRefusals).toBe(0)
      })

      it('one more for each further cool-down, which doubles the shortest wait', () => {
        expect(later({ consecutiveRefusals: 0 })).toMatchObject({
          consecutiveRefusals: 1,
          cooldownStartedAt: now,
          cooldownUntil: now + 2_500,
        })
        expect(later({ consecutiveRefusals: 2 })).toMatchObject({ consecutiveRefusals: 3, cooldownUntil: now + 8_500 })
      })

      it('each doubles the guessed wait', () => {
        const after = respond(
          sent({ cooldownStartedAt: sentAt - 1, cooldownUntil: sentAt, consecutiveRefusals: 1 }),
          refusal(),
        )
        expect(after.cooldownUntil).toBe(now + 4 * minute + 500)
      })

      it('one less for each minute without a cool-down', () => {
        expect(later({ consecutiveRefusals: 3, cooldownUntil: now - 2 * minute + 1 }).consecutiveRefusals).toBe(3)
        expect(later({ consecutiveRefusals: 3, cooldownUntil: now - 2 * minute }).consecutiveRefusals).toBe(2)
        expect(later({ consecutiveRefusals: 3, cooldownUntil: now - 9 * minute }).consecutiveRefusals).toBe(0)
      })

      it('no more where a request has succeeded since the last cool-down: another program uses the key', () => {
        const failures = { ...noFailures, succeededAt: sentAt + 1 }
        expect(later({ consecutiveRefusals: 2, failures }).consecutiveRefusals).toBe(2)
        expect(later({ consecutiveRefusals: 2, failures: noFailures }).consecutiveRefusals).toBe(3)
      })

      it('no more for a request that left within the last cool-down: its sender had not heard of it', () => {
        expect(later({ consecutiveRefusals: 1, cooldownUntil: sentAt + 1 }).consecutiveRefusals).toBe(1)
        expect(later({ consecutiveRefusals: 1, cooldownUntil: now + 1 }).consecutiveRefusals).toBe(1)
      })

      it('at most six', () => {
        expect(later({ consecutiveRefusals: 6 })).toMatchObject({ consecutiveRefusals: 6, cooldownUntil: now + 64_500 })
      })
    })
  })

  describe('knows when the request left', () => {
    const cooledDown = { cooldownStartedAt: now - 500, cooldownUntil: now - 100 }

    it('and ignores the window of one that left before the cool-down', () => {
      expect(respond(record(cooledDown), { sentAt: now - 900, rateLimitHeaders: minuteHeaders }).windows).toHaveLength(
        0,
      )
      expect(respond(record(cooledDown), { sentAt: now - 499, rateLimitHeaders: minuteHeaders }).windows).toHaveLength(
        1,
      )
    })

    it('and ignores the window of one that left when the cool-down started', () => {
      expect(respond(record(cooledDown), { sentAt: now - 500, rateLimitHeaders: minuteHeaders }).windows).toHaveLength(
        0,
      )
    })

    it('and limits that to now, because a clock may have been set', () => {
      const { skew } = respond(record(), { sentAt: now + 50_000 })
      expect(skew).toEqual({ min: 0, max: 1_000 })
    })
  })

  it('stores the window of a response after its request expired', () => {
    const stored = record({ windows: [gateWindow({ remaining: 9 })] })
    expect(respond(stored, { rateLimitHeaders: { ...minuteHeaders, remaining: 4 } }).windows).toMatchObject([
      { remaining: 4 },
    ])
  })

  it('learns nothing about the clock from a response without headers', () => {
    expect(respond(sent(), { rateLimitHeaders: {} }).skew).toEqual(unknownClockSkew)
  })
})

it('one request at a time, also a background one, finds out whether a window that was contradicted still holds', () => {
  const doubted = record({ windows: [gateWindow({ remaining: 0, contradictions: 1 })] })
  const first = admit(doubted, { address: 'a', batch: 'a', priority: 'background', holdFor: 20_000 }, now, pace)
  expect(first.admitted).toBe(true)
  expect(admit(first.record, { address: 'a', batch: 'b', priority: 'user', holdFor: 20_000 }, now, pace).admitted).toBe(
    false,
  )
})

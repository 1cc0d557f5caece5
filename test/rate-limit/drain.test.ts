import { describe, expect, it } from 'vitest'
import { type DrainContext, drain } from '../../src/rate-limit/drain.ts'
import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRequestQueue, type QueuedRequest } from '../../src/rate-limit/requestQueue.ts'
import { background, ids, now, queued, queueOf } from './requestQueue.setup.ts'

const pace = paceOf('free')

describe('drain', () => {
  const recordWith = (remaining: number, fields: Partial<GateRecord> = {}): GateRecord => ({
    ...emptyRecord,
    updatedAt: now,
    windows: [{ limit: 60, remaining, reset: now + 30_000, resetAt: now + 30_000 }],
    ...fields,
  })
  const drainNow = (requests: readonly QueuedRequest[], record: GateRecord, context: Partial<DrainContext> = {}) => {
    const queue = queueOf(...requests)
    const result = drain(queue, record, { now, monotonicNow: now, pace, page: 'page', inFlight: 0, ...context })
    const settled = new Set([...result.admitted, ...result.rejected.map(({ request }) => request)])
    return { ...result, waiting: requests.filter((request) => !settled.has(request)) }
  }

  it('changes nothing and needs no timer for an empty queue', () => {
    const record = recordWith(1)
    expect(drainNow([], record)).toEqual({
      waiting: [],
      record,
      admitted: [],
      batch: undefined,
      rejected: [],
      held: [],
      refusals: new Map(),
      wakeAt: Number.POSITIVE_INFINITY,
    })
  })

  const late = { reason: 'rate-limit', failedStatus: 0 } as const

  it('admits as many requests as may leave, in order, and keeps the others', () => {
    const { waiting, admitted, rejected, record, refusals, wakeAt } = drainNow(
      [queued('a'), queued('b'), queued('c'), queued('d')],
      recordWith(2),
    )
    expect([ids(admitted), ids(waiting), rejected]).toEqual(['ab', 'cd', []])
    expect(record.inFlight).toEqual({ a: { count: 2, since: now, until: now + 20_000 } })
    expect([...refusals]).toMatchObject([['user', { reason: 'in-flight', notBefore: now + 30_000 }]])
    expect(wakeAt).toBe(now + 30_000)
  })

  it('lets all requests of one priority wait for the same time', () => {
    const { refusals, wakeAt } = drainNow([queued('a'), queued('b')], recordWith(0))
    expect([...refusals]).toMatchObject([['user', { reason: 'used-up', notBefore: now + 30_000 }]])
    expect(wakeAt).toBe(now + 30_000)
  })

  it('keeps background requests where only user requests may leave', () => {
    const { admitted, waiting } = drainNow([queued('a', background), queued('b'), queued('c')], recordWith(6))
    expect([ids(admitted), ids(waiting)]).toEqual(['bc', 'a'])
  })

  it('admits no background request while a user request waits', () => {
    const { admitted, waiting } = drainNow(
      [queued('a'), queued('b', background)],
      recordWith(20, { cooldownUntil: now + 5 }),
    )
    expect([ids(admitted), ids(waiting)]).toEqual(['', 'ab'])
  })

  it('says where requests wait for the turn of another tab', () => {
    const other = { user: true, background: false, from: now, served: 0 }
    const { admitted, refusals } = drainNow([queued('a', background)], recordWith(30, { waiting: { other } }))
    expect(admitted).toEqual([])
    expect([...refusals]).toMatchObject([['background', { reason: 'other-tabs', notBefore: now }]])
  })

  it('rejects a request that would wait past its deadline, with the time to retry', () => {
    const tooLate = queued('too late', { deadline: now + 29_999 })
    const { waiting, rejected, wakeAt } = drainNow([tooLate, queued('b', { deadline: now + 30_000 })], recordWith(0))
    expect(rejected).toEqual([{ request: tooLate, retryAt: now + 30_000, ...late }])
    expect(ids(waiting)).toBe('b')
    expect(wakeAt).toBe(now + 30_000)
  })

  /** Where no window is known, sixteen requests have had no response for a while: the next one waits for any of them. */
  const waitsForResponses = (ms: number): GateRecord => ({
    ...emptyRecord,
    updatedAt: now,
    cooldownUntil: 1,
    inFlight: { other: { count: 16, since: now - 9_000, until: now + ms } },
  })

  it('wakes at the next deadline', () => {
    const { wakeAt } = drainNow([queued('a', { deadline: now + 500 }), queued('b')], waitsForResponses(9_000))
    expect(wakeAt).toBe(now + 500)
  })

  it('rejects a request at its deadline if it waits for responses, to retry within a second', () => {
    const expired = queued('expired', { deadline: now })
    const rejectedAt = (ms: number) => drainNow([expired], waitsForResponses(ms)).rejected
    expect(rejectedAt(9_000)).toEqual([{ request: expired, retryAt: now + 1_000, ...late }])
    expect(rejectedAt(400)).toEqual([{ request: expired, retryAt: now + 400, ...late }])
    expect(drainNow([{ ...expired, deadline: now + 1 }], waitsForResponses(9_000)).rejected).toEqual([])
  })

  it('admits a request past its deadline if it may leave at once, in the five seconds after it came', () => {
    const drainLate = (enteredAt: number) => drainNow([queued('a', { deadline: now - 1, enteredAt })], recordWith(1))
    expect(ids(drainLate(now - 5_000).admitted)).toBe('a')
    const { admitted, rejected } = drainLate(now - 5_001)
    expect(ids(admitted)).toBe('')
    expect(rejected).toMatchObject([{ request: { id: 'a' }, retryAt: now + 1_000, reason: 'rate-limit' }])
  })

  describe('counts those that leave', () => {
    const known = (until: number) => recordWith(9, { inFlight: { known: { count: 1, since: now - 500, until } } })
    const drainTwo = (record: GateRecord, batch?: string) =>
      drainNow([queued('a'), queued('b', { holdFor: 30_000 })], record, { batch })

    it('together, by the id of the first, until the last of them would be lost', () => {
      const { batch, record } = drainTwo(recordWith(9))
      expect([batch, record.inFlight]).toEqual(['a', { a: { count: 2, since: now, until: now + 30_000 } }])
    })

    it('with the batch of the page if that is in flight', () => {
      const { batch, record } = drainTwo(known(now + 1), 'known')
      expect([batch, record.inFlight]).toEqual([
        'known',
        { known: { count: 3, since: now - 500, until: now + 30_000 } },
      ])
    })

    it('and never with one that is lost or has ended', () => {
      expect(drainTwo(known(now), 'known')).toMatchObject({ batch: 'a', record: { inFlight: { a: { count: 2 } } } })
      expect(drainTwo(recordWith(9), 'known').batch).toBe('a')
    })
  })

  it('looks at none of the others', () => {
    const queue = createRequestQueue()
    let looks = 0
    for (let count = 0; count < 1_000; count += 1) {
      const request = queued(String(count))
      queue.enqueue({
        ...request,
        get holdFor() {
          looks += 1
          return request.holdFor
        },
      })
    }
    const { admitted } = drain(queue, recordWith(3), { now, monotonicNow: now, pace, page: 'page', inFlight: 0 })
    expect([admitted.length, looks]).toEqual([3, 4])
  })

  it('of a request that waits for no time at all waits for the first response of all', () => {
    const requests = [queued('a', { enteredAt: now }), queued('b', { deadline: now, enteredAt: now })]
    const first = drainNow(requests, emptyRecord)
    expect([ids(first.admitted), ids(first.waiting), first.wakeAt]).toEqual(['a', 'b', now + 1_000])
    expect(drainNow(requests, { ...emptyRecord, cooldownUntil: 1 }).rejected).toMatchObject([{ request: { id: 'b' } }])
  })
})

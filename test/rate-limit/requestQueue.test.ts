import { describe, expect, it } from 'vitest'
import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRequestQueue, drain, type QueuedRequest } from '../../src/rate-limit/requestQueue.ts'

const now = 1_000_000_000_000
const pace = paceOf('free')
let nextOrder = 0
const queued = (id: string, fields: Partial<QueuedRequest> = {}): QueuedRequest => ({
  id,
  priority: 'user',
  order: nextOrder++,
  deadline: now + 60_000,
  enteredAt: now - 60_000,
  holdFor: 20_000,
  ...fields,
})
const background = { priority: 'background' } as const
const queueOf = (...requests: QueuedRequest[]) => {
  const queue = createRequestQueue()
  for (const request of requests) queue.enqueue(request)
  return queue
}
const sorted = (...requests: QueuedRequest[]) => queueOf(...requests).sorted
const ids = (requests: readonly QueuedRequest[]) => requests.map(({ id }) => id).join('')

describe('the queue', () => {
  it('is sorted by order', () => {
    expect(ids(sorted(queued('a'), queued('b'), queued('c')))).toBe('abc')
  })

  it('puts user requests before background requests', () => {
    expect(ids(sorted(queued('a', background), queued('b'), queued('c', background), queued('d')))).toBe('bdac')
  })

  it('puts a request that enters again at the place of its order', () => {
    const retried = queued('A')
    const retriedInBackground = queued('B', background)
    expect(ids(sorted(queued('b'), queued('c', background), retried, retriedInBackground))).toBe('AbBc')
  })

  it('puts the later of two requests with the same order behind', () => {
    expect(ids(sorted(queued('a', { order: 1 }), queued('b', { order: 1 })))).toBe('ab')
  })

  it('removes a request by its id', () => {
    const queue = queueOf(queued('a'), queued('b'), queued('c'))
    queue.remove('b')
    queue.remove('unknown')
    expect(ids(queue.sorted)).toBe('ac')
  })

  it('knows which requests are queued', () => {
    const request = queued('a')
    const queue = queueOf(request)
    expect([queue.get('a'), queue.get('unknown')]).toEqual([request, undefined])
  })

  it('moves a prioritized request among the user requests, to the place of its order', () => {
    const queue = queueOf(queued('a'), queued('b', background), queued('c', background), queued('d'))
    expect(ids(queue.sorted)).toBe('adbc')
    queue.prioritize('c')
    queue.prioritize('unknown')
    expect(ids(queue.sorted)).toBe('acdb')
    expect(queue.get('c')?.priority).toBe('user')
  })
})

describe('drain', () => {
  const recordWith = (remaining: number, fields: Partial<GateRecord> = {}): GateRecord => ({
    ...emptyRecord,
    updatedAt: now,
    windows: [{ limit: 60, remaining, reset: now + 30_000, resetAt: now + 30_000 }],
    ...fields,
  })
  const drainNow = (queue: readonly QueuedRequest[], record: GateRecord) => drain(queue, record, now, pace, now)

  it('changes nothing and needs no timer for an empty queue', () => {
    const record = recordWith(1)
    expect(drainNow([], record)).toEqual({
      waiting: [],
      record,
      admitted: [],
      rejected: [],
      notBefore: new Map(),
      wakeAt: Number.POSITIVE_INFINITY,
    })
  })

  it('admits as many requests as may leave, in order, and keeps the others', () => {
    const { waiting, admitted, rejected, record, notBefore, wakeAt } = drainNow(
      sorted(queued('a'), queued('b'), queued('c'), queued('d')),
      recordWith(2),
    )
    expect([ids(admitted), ids(waiting), rejected]).toEqual(['ab', 'cd', []])
    expect(Object.keys(record.inFlight)).toEqual(['a', 'b'])
    expect([...notBefore]).toEqual([['user', now]])
    expect(wakeAt).toBe(now + 20_000)
  })

  it('lets all requests of one priority wait for the same time', () => {
    const { notBefore, wakeAt } = drainNow(sorted(queued('a'), queued('b')), recordWith(0))
    expect([...notBefore]).toEqual([['user', now + 30_000]])
    expect(wakeAt).toBe(now + 30_000)
  })

  it('keeps background requests where only user requests may leave', () => {
    const { admitted, waiting } = drainNow(sorted(queued('a', background), queued('b'), queued('c')), recordWith(6))
    expect([ids(admitted), ids(waiting)]).toEqual(['bc', 'a'])
  })

  it('admits no background request while a user request waits', () => {
    const { admitted, waiting } = drainNow(
      sorted(queued('a'), queued('b', background)),
      recordWith(20, { cooldownUntil: now + 5 }),
    )
    expect([ids(admitted), ids(waiting)]).toEqual(['', 'ab'])
  })

  it('rejects a request that would wait past its deadline, with the time to retry', () => {
    const late = queued('late', { deadline: now + 29_999 })
    const { waiting, rejected, wakeAt } = drainNow(sorted(late, queued('b', { deadline: now + 30_000 })), recordWith(0))
    expect(rejected).toEqual([{ request: late, retryAt: now + 30_000 }])
    expect(ids(waiting)).toBe('b')
    expect(wakeAt).toBe(now + 30_000)
  })

  it('wakes at the next deadline', () => {
    const inFlight = { other: { sentAt: now, until: now + 9_000 } }
    const { wakeAt } = drainNow(sorted(queued('a', { deadline: now + 500 }), queued('b')), recordWith(1, { inFlight }))
    expect(wakeAt).toBe(now + 500)
  })

  it('rejects a request at its deadline if it waits for responses, to retry within a second', () => {
    const expired = queued('expired', { deadline: now })
    const inFlightFor = (ms: number) => recordWith(1, { inFlight: { other: { sentAt: now, until: now + ms } } })
    expect(drainNow([expired], inFlightFor(9_000)).rejected).toEqual([{ request: expired, retryAt: now + 1_000 }])
    expect(drainNow([expired], inFlightFor(400)).rejected).toEqual([{ request: expired, retryAt: now + 400 }])
    expect(drainNow([{ ...expired, deadline: now + 1 }], inFlightFor(9_000)).rejected).toEqual([])
  })

  it('admits a request past its deadline if it may leave at once', () => {
    expect(ids(drainNow([queued('a', { deadline: now - 1 })], recordWith(1)).admitted)).toBe('a')
  })
})

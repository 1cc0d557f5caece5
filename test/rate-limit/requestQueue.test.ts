import { describe, expect, it } from 'vitest'
import { emptyRecord, type GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import {
  drain,
  enqueue,
  remove,
  prioritize,
  type QueuedRequest,
  type RequestQueue,
} from '../../src/rate-limit/requestQueue.ts'

const now = 1_000_000_000_000
const pace = paceOf('free')
let orders = 0
const waiting = (id: string, fields: Partial<QueuedRequest> = {}): QueuedRequest => ({
  id,
  priority: 'user',
  order: orders++,
  deadline: now + 60_000,
  holdFor: 20_000,
  ...fields,
})
const machine = { priority: 'background' } as const
const queueOf = (...requests: QueuedRequest[]) => requests.reduce<RequestQueue>(enqueue, [])
const ids = (requests: readonly QueuedRequest[]) => requests.map(({ id }) => id).join('')

describe('the line', () => {
  it('first come, first served', () => {
    expect(ids(queueOf(waiting('a'), waiting('b'), waiting('c')))).toBe('abc')
  })

  it('people pass background work', () => {
    expect(ids(queueOf(waiting('a', machine), waiting('b'), waiting('c', machine), waiting('d')))).toBe('bdac')
  })

  it('who comes back takes the place that it had', () => {
    const early = waiting('early')
    const early2 = waiting('background', machine)
    expect(ids(queueOf(waiting('b'), waiting('c', machine), early, early2))).toBe('earlybbackgroundc')
  })

  it('of equal places the later comer stands behind', () => {
    expect(ids(queueOf(waiting('a', { order: 1 }), waiting('b', { order: 1 })))).toBe('ab')
  })

  it('can be left; everybody else moves up', () => {
    const queue = queueOf(waiting('a'), waiting('b'), waiting('c'))
    expect(ids(remove(queue, 'b'))).toBe('ac')
    expect(ids(remove(queue, 'stranger'))).toBe('abc')
  })

  it('a request that a person has come to wait for moves among people’s, to the place of its time', () => {
    const queue = queueOf(waiting('a'), waiting('b', machine), waiting('c', machine), waiting('d'))
    const lifted = prioritize(queue, 'c')
    expect(ids(lifted)).toBe('acdb')
    expect(lifted[1]?.priority).toBe('user')
    expect(prioritize(queue, 'stranger')).toBe(queue)
  })
})

describe('a look at the gate', () => {
  const left = (remaining: number, fields: Partial<GateRecord> = {}): GateRecord => ({
    ...emptyRecord,
    updatedAt: now,
    windows: [{ limit: 60, remaining, reset: now + 30_000, resetAt: now + 30_000 }],
    ...fields,
  })
  const look = (queue: RequestQueue, record: GateRecord) => drain(queue, record, now, pace)

  it('nobody waits: nothing to wake for', () => {
    const record = left(1)
    expect(look([], record)).toEqual({
      queue: [],
      record,
      admitted: [],
      rejected: [],
      notBefore: new Map(),
      wakeAt: Number.POSITIVE_INFINITY,
    })
  })

  it('lets through as many as may leave, in order; the others go on waiting', () => {
    const { queue, admitted, rejected, record, notBefore, wakeAt } = look(
      queueOf(waiting('a'), waiting('b'), waiting('c'), waiting('d')),
      left(2),
    )
    expect([ids(admitted), ids(queue), rejected]).toEqual(['ab', 'cd', []])
    expect(Object.keys(record.inFlight)).toEqual(['a', 'b'])
    expect([...notBefore]).toEqual([
      ['c', now],
      ['d', now],
    ])
    expect(wakeAt).toBe(now + 20_000)
  })

  it('one refused, the next of its priority waits for the same', () => {
    const { notBefore, wakeAt } = look(queueOf(waiting('a'), waiting('b')), left(0))
    expect([...notBefore]).toEqual([
      ['a', now + 30_000],
      ['b', now + 30_000],
    ])
    expect(wakeAt).toBe(now + 30_000)
  })

  it('background work may have to wait where people may leave', () => {
    const { admitted, queue } = look(queueOf(waiting('a', machine), waiting('b'), waiting('c')), left(6))
    expect([ids(admitted), ids(queue)]).toEqual(['bc', 'a'])
  })

  it('nobody of the background passes a person', () => {
    const { admitted, queue } = look(queueOf(waiting('a'), waiting('b', machine)), left(20, { cooldownUntil: now + 5 }))
    expect([ids(admitted), ids(queue)]).toEqual(['', 'ab'])
  })

  it('who would wait past the deadline is rejected, and told from when on there would be hope', () => {
    const late = waiting('late', { deadline: now + 29_999 })
    const { queue, rejected, wakeAt, notBefore } = look(
      queueOf(late, waiting('b', { deadline: now + 30_000 })),
      left(0),
    )
    expect(rejected).toEqual([{ request: late, retryAt: now + 30_000 }])
    expect(ids(queue)).toBe('b')
    expect(wakeAt).toBe(now + 30_000)
    expect(notBefore.has('late')).toBe(false)
  })

  it('the next deadline is a reason to look again', () => {
    const inFlight = { other: { sentAt: now, until: now + 9_000 } }
    const { wakeAt } = look(queueOf(waiting('a', { deadline: now + 500 }), waiting('b')), left(1, { inFlight }))
    expect(wakeAt).toBe(now + 500)
  })

  it('whose deadline is over is rejected while it waits for responses: soon there may be hope', () => {
    const over = waiting('over', { deadline: now })
    const until = (ms: number) => left(1, { inFlight: { other: { sentAt: now, until: now + ms } } })
    expect(look([over], until(9_000)).rejected).toEqual([{ request: over, retryAt: now + 1_000 }])
    expect(look([over], until(400)).rejected).toEqual([{ request: over, retryAt: now + 400 }])
    expect(look([{ ...over, deadline: now + 1 }], until(9_000)).rejected).toEqual([])
  })

  it('whose deadline is over may still leave if it may at once', () => {
    expect(ids(look([waiting('a', { deadline: now - 1 })], left(1)).admitted)).toBe('a')
  })
})

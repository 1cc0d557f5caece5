import { describe, expect, it } from 'vitest'
import { drain } from '../../src/rate-limit/drain.ts'
import { recordResponse } from '../../src/rate-limit/gate.ts'
import { emptyRecord, type GateRecord, noFailures } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import { createRequestQueue } from '../../src/rate-limit/requestQueue.ts'
import { createWaitNotifier, type NotifiedRequest } from '../../src/rate-limit/pendingRequest.ts'
import { now } from './requestQueue.setup.ts'
import { createVirtualClock } from './virtualClock.ts'

/** A queue that is drained, and whose requests are told their times, as a page does it. Counts what is read of requests. */
function createCountingQueue(record: GateRecord, pace = paceOf('free')) {
  const clock = createVirtualClock(now)
  const queue = createRequestQueue<NotifiedRequest>()
  const notify = createWaitNotifier(queue, { ...clock, toLocal: (time) => time })
  let known = record
  let reads = 0
  let order = 0
  const read = <Value>(value: Value) => {
    reads += 1
    return value
  }

  function add(address = 'categories'): string {
    const id = `request ${order}`
    const place = order++
    let told: NotifiedRequest['told']
    queue.enqueue({
      id,
      priority: 'user',
      isRetry: false,
      holdFor: 31_000,
      get address() {
        return read(address)
      },
      get order() {
        return read(place)
      },
      get deadline() {
        return read(Infinity)
      },
      get enteredAt() {
        return read(now - 5_000)
      },
      onWait: () => {},
      get told() {
        return read(told)
      },
      set told(wait) {
        told = wait
      },
    })
    return id
  }

  function evaluate(): void {
    const time = clock.now()
    const context = { now: time, monotonicNow: time, pace, page: 'page', inFlight: 0 }
    const { admitted, held, refusals, record: next } = drain(queue, known, context)
    known = next
    for (const { id } of admitted) queue.remove(id)
    for (const { request, until } of held) queue.park(request.id, until)
    // Those that wait are told when the update is stored.
    if (admitted.length + held.length > 0) evaluate()
    else notify(refusals, time)
  }

  return {
    add,
    evaluate,
    remove: (id: string) => queue.remove(id),
    /** One of the requests in flight succeeds, without headers. */
    respond: () => {
      const [batch = ''] = Object.keys(known.inFlight)
      const response = {
        batch,
        address: 'categories',
        isRetry: false,
        sentAt: clock.now(),
        lostUnitsBefore: 0,
        jitter: 0,
      }
      known = recordResponse(known, { ...response, status: 200, rateLimitHeaders: {} }, clock.now(), pace)
    },
    wait: (ms: number) => clock.run(clock.now() + ms),
    get waiting() {
      return queue.user.requests.size
    },
    get reads() {
      return reads
    },
  }
}

const withRemaining = (remaining: number, fields: Partial<GateRecord> = {}): GateRecord => ({
  ...emptyRecord,
  updatedAt: now,
  windows: [{ limit: 60, remaining, reset: now + 30_000, resetAt: now + 30_000, span: 60_000 }],
  ...fields,
})

/** How many times more is read for four times as many requests. */
function growth(run: (count: number) => number): number {
  return run(2_000) / run(500)
}

describe('G22: the cost of a call grows at most with the logarithm of those that wait, where n calls', () => {
  it('come at once', () => {
    const grown = growth((count) => {
      const queue = createCountingQueue(withRemaining(0))
      for (let index = 0; index < count; index += 1) queue.add()
      queue.evaluate()
      expect(queue.waiting).toBe(count)
      return queue.reads
    })
    expect(grown).toBeLessThan(5)
  })

  it('come one after the other', () => {
    const grown = growth((count) => {
      const queue = createCountingQueue(withRemaining(0))
      for (let index = 0; index < count; index += 1) {
        queue.add()
        queue.evaluate()
      }
      return queue.reads
    })
    expect(grown).toBeLessThan(5)
  })

  it('leave one after the other, with each response', () => {
    const grown = growth((count) => {
      const queue = createCountingQueue({ ...emptyRecord, updatedAt: now }, { limit: 100_000, per: 60_000 })
      for (let index = 0; index < count; index += 1) queue.add()
      queue.evaluate()
      while (queue.waiting > 0) {
        queue.respond()
        queue.evaluate()
      }
      return queue.reads
    })
    expect(grown).toBeLessThan(5)
  })

  it('leave one after the other, at the pace of the plan', async () => {
    const run = async (count: number) => {
      const queue = createCountingQueue({ ...emptyRecord, updatedAt: now }, { limit: 60, per: 60_000 })
      for (let index = 0; index < count; index += 1) queue.add()
      queue.evaluate()
      while (queue.waiting > 0) {
        queue.respond()
        await queue.wait(1_000)
        queue.evaluate()
      }
      return queue.reads
    }
    expect((await run(800)) / (await run(200))).toBeLessThan(5)
  })

  it('are given up at once, from the middle of the queue', () => {
    const grown = growth((count) => {
      const queue = createCountingQueue(withRemaining(0))
      const ids = Array.from({ length: count }, () => queue.add())
      queue.evaluate()
      for (const [index, id] of ids.entries()) if (index % 2 === 1) queue.remove(id)
      queue.evaluate()
      expect(queue.waiting).toBe(count / 2)
      return queue.reads
    })
    expect(grown).toBeLessThan(5)
  })

  it('fail and are sent again, one after the other, at their old place', () => {
    const grown = growth((count) => {
      const failures = { ...noFailures, count: 3, pausedAt: now - 1, pauseUntil: now + 9_000, probedAt: now }
      const queue = createCountingQueue(withRemaining(30, { failures }))
      for (let index = 0; index < count; index += 1) {
        queue.add()
        queue.evaluate()
      }
      return queue.reads
    })
    expect(grown).toBeLessThan(5)
  })

  it('wait for an address that the service asked to leave alone', () => {
    const grown = growth((count) => {
      const addresses = { held: { failedAt: now - 1, retryAt: now + 600_000, status: 503 } }
      const queue = createCountingQueue(withRemaining(0, { failures: { ...noFailures, addresses } }))
      for (let index = 0; index < count; index += 1) {
        queue.add('held')
        queue.evaluate()
      }
      expect(queue.waiting).toBe(0)
      return queue.reads
    })
    expect(grown).toBeLessThan(5)
  })
})

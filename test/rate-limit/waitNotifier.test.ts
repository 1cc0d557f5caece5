import { expect, it } from 'vitest'
import type { LaneRefusal } from '../../src/rate-limit/drain.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import { createRequestQueue } from '../../src/rate-limit/requestQueue.ts'
import type { Wait } from '../../src/rate-limit/Wait.ts'
import { createWaitNotifier, type NotifiedRequest } from '../../src/rate-limit/waitNotifier.ts'

const now = 1_000

function setup() {
  const queue = createRequestQueue<NotifiedRequest>()
  const notify = createWaitNotifier(queue)
  const told: string[] = []
  const add = (id: string, priority: Priority = 'user') => {
    const onWait = ({ until }: Wait) => told.push(`${id} ${until}`)
    queue.enqueue({
      id,
      priority,
      order: 0,
      deadline: 9_000,
      enteredAt: 0,
      holdFor: 1,
      waitsUntil: 0,
      onWait,
    })
  }
  return {
    queue,
    add,
    /** What `onWait` was called with. */
    notifyOf: (times: Partial<Record<Priority, number>>) => {
      told.length = 0
      const refusals = new Map<Priority, LaneRefusal>()
      const refuse = (notBefore: number): LaneRefusal => ({ reason: 'used-up', notBefore })
      if (times.user !== undefined) refusals.set('user', refuse(times.user))
      if (times.background !== undefined) refusals.set('background', refuse(times.background))
      notify(refusals, now)
      return told.join(', ')
    },
  }
}

it('tells a new request, and the others only when their time moves later', () => {
  const { add, notifyOf } = setup()
  add('a')
  expect(notifyOf({ user: 2_000 })).toBe('a 2000')
  add('b')
  expect(notifyOf({ user: 2_000 })).toBe('b 2000')
  expect(notifyOf({ user: 2_000 })).toBe('')
  expect(notifyOf({ user: 3_000 })).toBe('a 3000, b 3000')
})

it('tells nobody who waits for responses only, until there is a time', () => {
  const { add, notifyOf } = setup()
  add('a')
  expect(notifyOf({ user: now })).toBe('')
  expect(notifyOf({ user: 2_000 })).toBe('a 2000')
})

it('tells each priority its own time', () => {
  const { queue, add, notifyOf } = setup()
  add('a')
  add('b', 'background')
  add('c', 'background')
  expect(notifyOf({ user: 2_000, background: 5_000 })).toBe('a 2000, b 5000, c 5000')
  queue.prioritize('b')
  expect(notifyOf({ user: 6_000, background: 5_000 })).toBe('a 6000, b 6000')
})

it('tells a request that comes after a time has moved earlier', () => {
  const { add, notifyOf } = setup()
  add('a')
  notifyOf({ user: 5_000 })
  add('b')
  expect(notifyOf({ user: 3_000 })).toBe('b 3000')
})

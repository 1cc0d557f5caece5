import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type QueuedRequest,
  type RequestQueue,
  createHeap,
  createRequestQueue,
} from '../../src/rate-limit/requestQueue.ts'
import { background, ids, now, queueOf, queued } from './requestQueue.setup.ts'
import { runs } from './runs.ts'

/** An item of a heap, with the place that the heap gives it. */
interface Item {
  readonly key: number
  readonly sequence: number
  place: number
}

/** The ids of all requests, those of users first. */
const sorted = ({ user, background: others }: RequestQueue<QueuedRequest>) =>
  ids(user.byOrder()) + ids(others.byOrder())

describe('the queue', () => {
  it('is sorted by order', () => {
    expect(sorted(queueOf(queued('a'), queued('b'), queued('c')))).toBe('abc')
  })

  it('puts user requests before background requests', () => {
    expect(sorted(queueOf(queued('a', background), queued('b'), queued('c', background), queued('d')))).toBe('bdac')
  })

  it('puts a request that enters again at the place of its order', () => {
    const retried = queued('A')
    const retriedInBackground = queued('B', background)
    expect(sorted(queueOf(queued('b'), queued('c', background), retried, retriedInBackground))).toBe('AbBc')
  })

  it('puts the later of two requests with the same order behind', () => {
    expect(sorted(queueOf(queued('a', { order: 1 }), queued('b', { order: 1 })))).toBe('ab')
  })

  it('removes a request by its id', () => {
    const queue = queueOf(queued('a'), queued('b'), queued('c'))
    queue.remove('b')
    queue.remove('unknown')
    expect(sorted(queue)).toBe('ac')
  })

  it('knows which requests are queued', () => {
    const request = queued('a')
    const queue = queueOf(request)
    expect([queue.get('a'), queue.get('unknown')]).toEqual([request, undefined])
  })

  it('moves a prioritized request among the user requests, to the place of its order', () => {
    const queue = queueOf(queued('a'), queued('b', background), queued('c', background), queued('d'))
    expect(sorted(queue)).toBe('adbc')
    queue.prioritize('c')
    queue.prioritize('unknown')
    expect(sorted(queue)).toBe('acdb')
    expect(queue.get('c')?.priority).toBe('user')
  })

  it('knows whether a request waits', () => {
    const queue = queueOf(queued('a', background))
    expect(queue.isEmpty).toBe(false)
    queue.remove('a')
    expect(queue.isEmpty).toBe(true)
  })

  it('knows the deadlines of a priority', () => {
    const queue = queueOf(
      queued('a', { deadline: now + 9_000 }),
      queued('b', { deadline: now }),
      queued('c', { deadline: now + 2_000 }),
      queued('d', background),
    )
    expect(ids(queue.user.byDeadline())).toBe('bca')
  })

  it('knows which requests of a priority are new', () => {
    const queue = queueOf(queued('a'), queued('b', background), queued('c'))
    queue.user.arrivals.clear()
    queue.enqueue(queued('d'))
    queue.prioritize('b')
    expect([ids(queue.user.arrivals), ids(queue.background.arrivals), ids(queue.user.requests)]).toEqual([
      'db',
      '',
      'acdb',
    ])
  })

  it('is right after any changes', () => {
    const change = fc.record({ type: fc.constantFrom('enqueue', 'enqueue', 'remove', 'prioritize'), id: fc.nat(20) })
    const fields = fc.record({ order: fc.nat(30), deadline: fc.nat(30), isUser: fc.boolean() })
    const check = fc.property(fc.array(fc.tuple(change, fields), { maxLength: 80 }), (changes) => {
      const queue = createRequestQueue()
      let model: QueuedRequest[] = []
      for (const [{ type, id: number }, { order, deadline, isUser }] of changes) {
        const id = String(number)
        const known = model.find((request) => request.id === id)
        if (type !== 'enqueue') queue[type](id)
        if (type === 'remove' || type === 'prioritize') model = model.filter((request) => request !== known)
        if (type === 'prioritize' && known) model.push({ ...known, priority: 'user' })
        if (type !== 'enqueue' || known) continue
        const request = queued(id, { order, deadline, priority: isUser ? 'user' : 'background' })
        queue.enqueue(request)
        model.push(request)
      }
      for (const priority of ['user', 'background'] as const) {
        const expected = model.filter((request) => request.priority === priority)
        const { byOrder, byDeadline, requests } = queue[priority]
        expect([...requests]).toEqual(expected)
        // Requests of the same order leave as they came; sorting is stable.
        expect([...byOrder()]).toEqual(expected.toSorted((a, b) => a.order - b.order))
        expect([...byDeadline()]).toEqual(expected.toSorted((a, b) => a.deadline - b.deadline))
      }
    })
    fc.assert(check, { ...runs, numRuns: Math.min(runs.numRuns, 1_000) })
  })
})

describe('the heap', () => {
  it('sorts by key, then by the order in which the items were added, whatever was removed', () => {
    const changes = fc.array(fc.record({ key: fc.nat(9), removes: fc.boolean(), which: fc.nat(50) }), { maxLength: 60 })
    const check = fc.property(changes, (all) => {
      const heap = createHeap<Item>(
        (one, other) => one.key - other.key || one.sequence - other.sequence,
        (item, place) => {
          item.place = place
        },
      )
      let items: Item[] = []
      for (const [sequence, { key, removes, which }] of all.entries()) {
        const one = items[which % Math.max(1, items.length)]
        if (removes && one) {
          heap.removeAt(one.place)
          items = items.filter((other) => other !== one)
        } else {
          const added = { key, sequence, place: NaN }
          heap.add(added)
          items.push(added)
        }
        expect([...heap.sorted()]).toEqual(items.toSorted((first, second) => first.key - second.key))
      }
    })
    fc.assert(check, { ...runs, numRuns: Math.min(runs.numRuns, 1_000) })
  })
})

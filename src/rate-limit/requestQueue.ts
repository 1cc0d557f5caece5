import type { Priority } from './gate.ts'
import { createHeap, type HeapNode } from './heap.ts'

/** A request that waits to leave. */
export interface QueuedRequest {
  readonly id: string
  readonly priority: Priority
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
  /** Orders requests of the same priority: the smallest leaves first. */
  readonly order: number
  /** The latest time at which it may leave, in ms of the monotonic clock. */
  readonly deadline: number
  /** In ms of the monotonic clock. */
  readonly enteredAt: number
}

/** The requests that wait. Each change costs O(log n), with n requests. */
export interface RequestQueue<Request extends QueuedRequest> {
  readonly user: QueueLane<Request>
  readonly background: QueueLane<Request>
  readonly isEmpty: boolean
  readonly get: (id: string) => Request | undefined
  readonly enqueue: (request: Request) => void
  readonly remove: (id: string) => void
  /** Gives a background request the priority of a user's, at the place of its `order`. */
  readonly prioritize: (id: string) => void
}

/** The requests of one priority. Do not change the queue while you iterate. */
export interface QueueLane<Request extends QueuedRequest> {
  /** In the order in which they came. */
  readonly requests: ReadonlySet<Request>
  /** Those that have been added since `arrivals` was cleared last. */
  readonly arrivals: Set<Request>
  /** In the order in which they leave. The first k cost O(k log k), here and below. */
  readonly byOrder: () => Iterable<Request>
  readonly byDeadline: () => Iterable<Request>
}

export function createRequestQueue<Request extends QueuedRequest>(): RequestQueue<Request> {
  const entries = new Map<string, LaneEntry<Request>>()
  const lanes = { user: createLane<Request>(), background: createLane<Request>() }

  function enqueue(request: Request): void {
    entries.set(request.id, lanes[request.priority].add(request))
  }

  function remove(id: string): void {
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    lanes[entry.request.priority].remove(entry)
  }

  return {
    ...lanes,
    get isEmpty() {
      return entries.size === 0
    },
    get: (id) => entries.get(id)?.request,
    enqueue,
    remove,
    prioritize: (id) => {
      const request = entries.get(id)?.request
      if (!request) return
      remove(id)
      enqueue({ ...request, priority: 'user' })
    },
  }
}

interface LaneEntry<Request> {
  readonly request: Request
  readonly order: HeapNode<Request>
  readonly deadline: HeapNode<Request>
}

interface MutableLane<Request extends QueuedRequest> extends QueueLane<Request> {
  readonly add: (request: Request) => LaneEntry<Request>
  readonly remove: (entry: LaneEntry<Request>) => void
}

function createLane<Request extends QueuedRequest>(): MutableLane<Request> {
  const requests = new Set<Request>()
  const arrivals = new Set<Request>()
  const byOrder = createHeap<Request>()
  const byDeadline = createHeap<Request>()

  return {
    requests,
    arrivals,
    byOrder: byOrder.sorted,
    byDeadline: byDeadline.sorted,
    add: (request) => {
      requests.add(request)
      arrivals.add(request)
      return {
        request,
        order: byOrder.add(request, request.order),
        deadline: byDeadline.add(request, request.deadline),
      }
    },
    remove: (entry) => {
      requests.delete(entry.request)
      arrivals.delete(entry.request)
      byOrder.remove(entry.order)
      byDeadline.remove(entry.deadline)
    },
  }
}

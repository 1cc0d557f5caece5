import type { Priority } from './gate.ts'
import type { GateRecord, ProcessUsers } from './GateRecord.ts'

/** A request that waits to leave. */
export interface QueuedRequest {
  readonly id: string
  readonly priority: Priority
  /** The part of the service that it asks: requests to one address fail together. */
  readonly address: string
  /** Whether its call has sent a request before. */
  readonly isRetry: boolean
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
  /** Requests to addresses that the service asked to leave alone: they stand in no lane. */
  readonly parked: ReadonlyMap<string, ParkedRequest<Request>>
  readonly isEmpty: boolean
  readonly get: (id: string) => Request | undefined
  /** @throws whatever refuses the request, where a queue of another kind has no place for it */
  readonly enqueue: (request: Request) => void
  readonly remove: (id: string) => void
  /** Takes a request out of its lane until a time (epoch ms). */
  readonly park: (id: string, until: number) => void
  /** Brings the parked requests back for which `isDue`. Called before what may leave is looked at. */
  readonly unpark: (isDue: (parked: ParkedRequest<Request>) => boolean) => void
  /** When the first parked request is due (epoch ms); infinite if none is parked. */
  readonly nextUnparkAt: number
  /** Gives a background request the priority of a user's, at the place of its `order`. */
  readonly prioritize: (id: string) => void
  /** The users whose requests these are, for the other processes of a fleet. A handler's queue has it. */
  readonly countUsers?: (record: GateRecord) => ProcessUsers | undefined
}

interface ParkedRequest<Request> {
  readonly request: Request
  /** Epoch ms. */
  readonly until: number
}

/** The requests of one priority. Do not change the queue while you iterate. */
export interface QueueLane<Request extends QueuedRequest> {
  /** In the order in which they came. */
  readonly requests: ReadonlySet<Request>
  /** Those that have been added since `arrivals` was cleared last. */
  readonly arrivals: Set<Request>
  /** The first request of a call that came last, while it waits. */
  readonly newest: Request | undefined
  /** How many leave before a request. */
  readonly rankOf: (request: Request) => number
  /** How many have left from the front since `reorderings` changed. */
  readonly departed: number
  /** Counts the changes that moved a request to another place, other than departures from the front. */
  readonly reorderings: number
  /**
   * In the order in which they leave, without those that may not leave by what the record says. The first k cost
   * O(k log k), here and below.
   */
  readonly byOrder: (record?: GateRecord) => Iterable<Request>
  readonly byDeadline: () => Iterable<Request>
}

export function createRequestQueue<Request extends QueuedRequest>(): RequestQueue<Request> {
  const entries = new Map<string, LaneEntry<Request>>()
  const parked = new Map<string, ParkedRequest<Request>>()
  const lanes = { user: createLane<Request>(), background: createLane<Request>() }

  function enqueue(request: Request): void {
    entries.set(request.id, lanes[request.priority].add(request))
  }

  function remove(id: string): void {
    parked.delete(id)
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    lanes[entry.request.priority].remove(entry)
  }

  function get(id: string): Request | undefined {
    return entries.get(id)?.request ?? parked.get(id)?.request
  }

  return {
    ...lanes,
    parked,
    get isEmpty() {
      return entries.size + parked.size === 0
    },
    get,
    enqueue,
    remove,
    park: (id, until) => {
      const request = get(id)
      if (!request) return
      remove(id)
      parked.set(id, { request, until })
    },
    unpark: (isDue) => {
      for (const [id, one] of parked) {
        if (!isDue(one)) continue
        parked.delete(id)
        enqueue(one.request)
      }
    },
    get nextUnparkAt() {
      let first = Infinity
      for (const { until } of parked.values()) first = Math.min(first, until)
      return first
    },
    prioritize: (id) => {
      const request = get(id)
      if (!request) return
      const until = parked.get(id)?.until
      remove(id)
      const prioritized: Request = { ...request, priority: 'user' }
      if (until === undefined) enqueue(prioritized)
      else parked.set(id, { request: prioritized, until })
    },
  }
}

/** A request in its lane, with its places in the heaps by `order` and by `deadline`. */
interface LaneEntry<Request> {
  readonly request: Request
  /** Orders requests of the same order or deadline. */
  readonly sequence: number
  order: number
  deadline: number
}

interface MutableLane<Request extends QueuedRequest> extends QueueLane<Request> {
  readonly add: (request: Request) => LaneEntry<Request>
  readonly remove: (entry: LaneEntry<Request>) => void
}

function createLane<Request extends QueuedRequest>(): MutableLane<Request> {
  const requests = new Set<Request>()
  const arrivals = new Set<Request>()
  const byOrder = createLaneHeap<Request>('order')
  const byDeadline = createLaneHeap<Request>('deadline')
  /** The places of all requests, the departed ones included; `undefined` after a reordering, until they are needed. */
  let places: Map<Request, number> | undefined
  let next = 0
  let nextSequence = 0
  let lastOrder = -Infinity
  let departed = 0
  let reorderings = 0
  let newest: Request | undefined

  function append(request: Request): void {
    places?.set(request, next)
    next += 1
    lastOrder = request.order
  }

  function reorder(): void {
    if (!places) return // nobody has asked since the last reordering
    places = undefined
    departed = 0
    reorderings += 1
  }

  function computePlaces(): Map<Request, number> {
    places = new Map()
    next = 0
    for (const { request } of byOrder.sorted()) append(request)
    return places
  }

  return {
    requests,
    arrivals,
    get newest() {
      return newest
    },
    rankOf: (request) => ((places ?? computePlaces()).get(request) ?? next) - departed,
    get departed() {
      return departed
    },
    get reorderings() {
      return reorderings
    },
    byOrder: () => requestsOf(byOrder),
    byDeadline: () => requestsOf(byDeadline),
    add: (request) => {
      requests.add(request)
      arrivals.add(request)
      // A request that comes back to its lane is not new.
      if (!request.isRetry && request.enteredAt >= (newest?.enteredAt ?? 0)) newest = request
      if (places && request.order >= lastOrder) append(request)
      else reorder()
      const entry = { request, sequence: nextSequence++, order: 0, deadline: 0 }
      byOrder.add(entry)
      byDeadline.add(entry)
      return entry
    },
    remove: (entry) => {
      const { request } = entry
      requests.delete(request)
      arrivals.delete(request)
      if (newest === request) newest = undefined
      if (places?.get(request) === departed) departed += 1
      else reorder()
      places?.delete(request)
      byOrder.removeAt(entry.order)
      byDeadline.removeAt(entry.deadline)
    },
  }
}

function createLaneHeap<Request extends QueuedRequest>(key: 'order' | 'deadline'): Heap<LaneEntry<Request>> {
  return createHeap(
    // Two infinite deadlines have no difference: then, too, the sequence decides.
    (one, other) => one.request[key] - other.request[key] || one.sequence - other.sequence,
    (entry, place) => {
      entry[key] = place
    },
  )
}

function* requestsOf<Request>(heap: Heap<LaneEntry<Request>>): Generator<Request> {
  for (const { request } of heap.sorted()) yield request
}

/** A binary heap. To add or to remove one of n items costs O(log n). */
interface Heap<Item> {
  readonly add: (item: Item) => void
  /** Returns what was there. The first of all items has the place 0. */
  readonly removeAt: (place: number) => Item | undefined
  /** Yields the items in order. The first k cost O(k log k). Do not change the heap meanwhile. */
  readonly sorted: () => Generator<Item>
}

/**
 * @param compare - negative where `one` comes before `other`; 0 for no two items
 * @param onMove - called with each place that an item gets
 */
export function createHeap<Item extends object>(
  compare: (one: Item, other: Item) => number,
  onMove?: (item: Item, place: number) => void,
): Heap<Item> {
  const items: Item[] = []

  function put(item: Item, place: number): void {
    items[place] = item
    onMove?.(item, place)
  }

  /** Puts an item at a place, or above or below it where it belongs. */
  function settle(item: Item, start: number): void {
    let place = start
    for (;;) {
      const above = (place - 1) >> 1
      const parent = items[above]
      if (!parent || compare(parent, item) < 0) break
      put(parent, place)
      place = above
    }
    for (;;) {
      const left = 2 * place + 1
      const one = items[left]
      const other = items[left + 1]
      const isRight = one && other && compare(other, one) < 0
      const child = isRight ? other : one
      if (!child || compare(item, child) < 0) break
      put(child, place)
      place = isRight ? left + 1 : left
    }
    put(item, place)
  }

  return {
    add: (item) => settle(item, items.length),
    removeAt: (place) => {
      const removed = items[place]
      const last = items.pop()
      if (last && last !== removed) settle(last, place)
      return removed
    },
    *sorted() {
      // The next item is always a child of one that has been yielded.
      const next = createHeap<{ readonly item: Item; readonly place: number }>((one, other) =>
        compare(one.item, other.item),
      )
      const add = (place: number) => {
        const item = items[place]
        if (item) next.add({ item, place })
      }
      add(0)
      for (let first = next.removeAt(0); first; first = next.removeAt(0)) {
        yield first.item
        add(2 * first.place + 1)
        add(2 * first.place + 2)
      }
    },
  }
}

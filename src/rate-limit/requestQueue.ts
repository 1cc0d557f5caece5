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
  /** The places of all requests, the departed ones included; `undefined` after a reordering, until they are needed. */
  let places: Map<Request, number> | undefined
  let next = 0
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
    for (const request of byOrder.sorted()) append(request)
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
    byOrder: byOrder.sorted,
    byDeadline: byDeadline.sorted,
    add: (request) => {
      requests.add(request)
      arrivals.add(request)
      // A request that comes back to its lane is not new.
      if (!request.isRetry && request.enteredAt >= (newest?.enteredAt ?? 0)) newest = request
      if (places && request.order >= lastOrder) append(request)
      else reorder()
      return {
        request,
        order: byOrder.add(request, request.order),
        deadline: byDeadline.add(request, request.deadline),
      }
    },
    remove: (entry) => {
      const { request } = entry
      requests.delete(request)
      arrivals.delete(request)
      if (newest === request) newest = undefined
      if (places?.get(request) === departed) departed += 1
      else reorder()
      places?.delete(request)
      byOrder.remove(entry.order)
      byDeadline.remove(entry.deadline)
    },
  }
}

/** An item of a heap. The heap keeps its place up to date. */
export interface HeapNode<Item> {
  readonly item: Item
  readonly key: number
  /** Orders items of the same key. */
  readonly sequence: number
  place: number
}

/** A binary heap. To add or to remove one of n items costs O(log n). */
interface Heap<Item> {
  /** The node of the smallest key; `undefined` if there is none. */
  readonly first: () => HeapNode<Item> | undefined
  /** @param sequence - default: behind all items of the same key */
  readonly add: (item: Item, key: number, sequence?: number) => HeapNode<Item>
  readonly remove: (node: HeapNode<Item>) => void
  /** Yields the items by their keys. The first k cost O(k log k). Do not change the heap meanwhile. */
  readonly sorted: () => Generator<Item>
}

export function createHeap<Item>(): Heap<Item> {
  const nodes: HeapNode<Item>[] = []
  let nextSequence = 0

  function put(node: HeapNode<Item>, place: number): void {
    nodes[place] = node
    node.place = place
  }

  function swap(one: HeapNode<Item>, other: HeapNode<Item>): void {
    const { place } = one
    put(one, other.place)
    put(other, place)
  }

  /** Moves a node up or down to where it belongs. */
  function settle(node: HeapNode<Item>): void {
    for (;;) {
      const parent = nodes[(node.place - 1) >> 1]
      if (!parent || isBefore(parent, node)) break
      swap(parent, node)
    }
    for (;;) {
      const left = nodes[2 * node.place + 1]
      const right = nodes[2 * node.place + 2]
      const child = left && right && isBefore(right, left) ? right : left
      if (!child || isBefore(node, child)) break
      swap(node, child)
    }
  }

  return {
    first: () => nodes[0],
    add: (item, key, sequence = nextSequence++) => {
      const node = { item, key, sequence, place: nodes.length }
      nodes.push(node)
      settle(node)
      return node
    },
    remove: (node) => {
      const last = nodes.pop()
      if (!last || last === node) return
      put(last, node.place)
      settle(last)
    },
    *sorted() {
      // The next item is always a child of one that has been yielded.
      const next = createHeap<HeapNode<Item>>()
      const addAll = (some: readonly HeapNode<Item>[]) => {
        for (const node of some) next.add(node, node.key, node.sequence)
      }
      addAll(nodes.slice(0, 1))
      for (let smallest = next.first(); smallest; smallest = next.first()) {
        next.remove(smallest)
        const { item, place } = smallest.item
        yield item
        addAll(nodes.slice(2 * place + 1, 2 * place + 3))
      }
    },
  }
}

function isBefore(one: HeapNode<unknown>, other: HeapNode<unknown>): boolean {
  return one.key < other.key || (one.key === other.key && one.sequence < other.sequence)
}

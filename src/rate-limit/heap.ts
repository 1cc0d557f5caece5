/** An item of a heap. The heap keeps its place up to date. */
export interface HeapNode<Item> {
  readonly item: Item
  readonly key: number
  /** Orders items of the same key. */
  readonly sequence: number
  place: number
}

/** A binary heap. To add or to remove one of n items costs O(log n). */
export interface Heap<Item> {
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

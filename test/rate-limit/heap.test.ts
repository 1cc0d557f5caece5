import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHeap, type HeapNode } from '../../src/rate-limit/requestQueue.ts'
import { runs } from './runs.ts'

it('sorts by key, then by the order in which the items were added, whatever was removed', () => {
  const changes = fc.array(fc.record({ key: fc.nat(9), removes: fc.boolean(), which: fc.nat(50) }), { maxLength: 60 })
  const check = fc.property(changes, (all) => {
    const heap = createHeap<number>()
    let nodes: HeapNode<number>[] = []
    for (const [item, { key, removes, which }] of all.entries()) {
      const node = nodes[which % Math.max(1, nodes.length)]
      if (removes && node) {
        heap.remove(node)
        nodes = nodes.filter((other) => other !== node)
      } else nodes.push(heap.add(item, key))
      const sorted = nodes.toSorted((one, other) => one.key - other.key).map((one) => one.item)
      expect([...heap.sorted()]).toEqual(sorted)
      expect(heap.first()?.item).toBe(sorted[0])
    }
  })
  fc.assert(check, { ...runs, numRuns: Math.min(runs.numRuns, 1_000) })
})

import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { NewCategory } from '../contract/category.ts'

/** A category that is being created: shown already, but not the service's yet. It has no id. */
export interface PendingCategory extends NewCategory {
  /** For React; unique on the page. */
  readonly key: string
}

/** The optimistic rows of one client, beside the cache: a failure cannot leave a ghost in it. */
export interface PendingCategories {
  /** The same array until something changes. */
  readonly getSnapshot: () => readonly PendingCategory[]
  readonly subscribe: (listener: () => void) => () => void
  /** @returns takes it away again */
  readonly add: (category: NewCategory) => () => void
}

export const noPendingCategories: readonly PendingCategory[] = []

const overlays = new WeakMap<PetstoreClient, PendingCategories>()
let added = 0

export function pendingCategoriesOf(client: PetstoreClient): PendingCategories {
  const known = overlays.get(client)
  if (known) return known
  const listeners = new Set<() => void>()
  let rows = noPendingCategories
  const show = (next: readonly PendingCategory[]) => {
    rows = next
    for (const listener of [...listeners]) listener()
  }
  const overlay: PendingCategories = {
    getSnapshot: () => rows,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add: ({ name, description }) => {
      added += 1
      const row = { key: `pending-${added}`, name, ...(description !== undefined && { description }) }
      show([...rows, row])
      return () => show(rows.filter((other) => other !== row))
    },
  }
  overlays.set(client, overlay)
  return overlay
}

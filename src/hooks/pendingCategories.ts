import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { NewCategory } from '../contract/category.ts'
import { createListeners } from '../base/listeners.ts'
import { oncePerObject } from './oncePerObject.ts'

/** A category whose creation is in progress. It has no id: the service has not confirmed it yet. */
export interface PendingCategory extends NewCategory {
  /** A React key, unique on the page. */
  readonly key: string
}

/** The optimistic rows of one client. They stay out of the SWR cache, so a failure cannot leave a ghost row there. */
export interface PendingCategories {
  /** The same array until something changes. */
  readonly getSnapshot: () => readonly PendingCategory[]
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the function that removes the category again. */
  readonly add: (category: NewCategory) => () => void
}

export const noPendingCategories: readonly PendingCategory[] = []

let lastKey = 0

export const pendingCategoriesOf = oncePerObject<PetstoreClient, PendingCategories>(() => {
  const listeners = createListeners()
  let rows = noPendingCategories
  const setRows = (next: readonly PendingCategory[]) => {
    rows = next
    listeners.call()
  }
  return {
    getSnapshot: () => rows,
    subscribe: listeners.add,
    add: ({ name, description }) => {
      lastKey += 1
      const row = { key: `pending-${lastKey}`, name, ...(description !== undefined && { description }) }
      setRows([...rows, row])
      return () => setRows(rows.filter((other) => other !== row))
    },
  }
})

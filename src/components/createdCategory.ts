import { useSyncExternalStore } from 'react'
import { createListeners } from '../base/listeners.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { CategoryId } from '../contract/fields.ts'
import { oncePerObject } from '../hooks/state.ts'
import { usePetstoreContext } from '../hooks/PetstoreContext.ts'

/** The category that a form has created last, and what the lists have done about it. */
interface CreatedCategory {
  readonly id: CategoryId
  /** Whether a list shows its row to the person. */
  readonly isShown: boolean
  /** Shows its row in a list that hides it. */
  readonly show: (() => void) | undefined
}

/** Where the forms and the lists of one client meet. */
export interface CreatedCategoryStore {
  readonly getSnapshot: () => CreatedCategory | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Called by a form. */
  readonly add: (id: CategoryId) => void
  /** Called by a list that shows the row: without `show`; or that hides it: with a function that shows it. */
  readonly report: (id: CategoryId, show: (() => void) | undefined) => void
  /** Called by a list that unmounts. */
  readonly withdraw: (show: () => void) => void
}

const createdCategoryOf = /* @__PURE__ */ oncePerObject<PetstoreClient, CreatedCategoryStore>(() => {
  const listeners = createListeners()
  let created: CreatedCategory | undefined
  const set = (next: CreatedCategory) => {
    created = next
    listeners.call()
  }
  return {
    getSnapshot: () => created,
    subscribe: listeners.add,
    add: (id) => set({ id, isShown: false, show: undefined }),
    report: (id, show) => {
      if (created?.id === id && !created.isShown) set({ id, isShown: !show, show })
    },
    withdraw: (show) => {
      if (created?.show === show) set({ ...created, show: undefined })
    },
  }
})

interface UseCreatedCategoryResult {
  readonly created: CreatedCategory | undefined
  readonly store: CreatedCategoryStore
}

/** The category that a form of the provider's client has created last. */
export function useCreatedCategory(): UseCreatedCategoryResult {
  const store = createdCategoryOf(usePetstoreContext().client)
  return { store, created: useSyncExternalStore(store.subscribe, store.getSnapshot, () => undefined) }
}

import { useSyncExternalStore } from 'react'
import { createObservable } from '../base/listeners.ts'
import type { CategoryId } from '../contract/fields.ts'
import { oncePerObject } from '../base/oncePerObject.ts'
import { usePetstoreContext } from '../hooks/PetstoreContext.ts'

/** The category that a form has created last. `show` shows its row, if a list hides that. */
interface CreatedCategory {
  readonly id: CategoryId
  readonly show: (() => void) | undefined
}

/** For each client: its forms tell its lists what was created, and a list tells them how to show it. */
const storeOf = /* @__PURE__ */ oncePerObject(() => {
  const observable = createObservable<CreatedCategory | undefined>(undefined)
  const { getSnapshot, set } = observable
  return {
    ...observable,
    /** Called by a form. */
    add: (id: CategoryId) => set({ id, show: undefined }),
    /** Called by a list that hides the row, with a function that shows it. */
    report: (id: CategoryId, show: () => void) => {
      if (getSnapshot()?.id === id) set({ id, show })
    },
    /** Called by a list that unmounts, or that no longer has the category. */
    withdraw: (show: () => void) => {
      if (getSnapshot()?.show === show) set(undefined)
    },
  }
})

/** The category that a form of the provider's client has created last. */
export function useCreatedCategory() {
  const store = storeOf(usePetstoreContext().client)
  return { store, created: useSyncExternalStore(store.subscribe, store.getSnapshot, () => undefined) }
}

'use client'

import { useSyncExternalStore } from 'react'
import { createObservable } from '../base/listeners.ts'
import { oncePerObject } from '../base/oncePerObject.ts'
import type { NewCategory } from '../contract/category.ts'
import type { CallWait } from '../rate-limit/pendingRequest.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/** A category whose creation is in progress. It has no id: the service has not confirmed it yet. */
export interface PendingCategory extends NewCategory {
  /** A React key, unique on the page. */
  readonly key: string
  /** When its request leaves, and why it has not yet; `undefined` while it is under way. */
  readonly wait?: CallWait | undefined
}

/**
 * Returns the categories that `useCreateCategory({ optimistic: true })` is creating, in the order of their triggers, to
 * show after those of `useCategories`. A row disappears when its call ends; after a success, in the same render in which
 * the list contains the created category. If the list has not loaded yet, the row stays until it has.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function usePendingCategories(): readonly PendingCategory[] {
  const { subscribe, getSnapshot } = pendingCategoriesOf(usePetstoreContext().client)
  return useSyncExternalStore(subscribe, getSnapshot, () => noPendingCategories)
}

const noPendingCategories: readonly PendingCategory[] = []

let lastKey = 0

/** The optimistic rows of one client. They stay out of the SWR cache, so a failure cannot leave a ghost row there. */
export const pendingCategoriesOf = /* @__PURE__ */ oncePerObject(() => {
  const { set, subscribe, getSnapshot } = createObservable(noPendingCategories)
  return {
    subscribe,
    /** The same array until something changes. */
    getSnapshot,
    add: ({ name, description }: NewCategory) => {
      lastKey += 1
      const key = `pending-${lastKey}`
      const row = { key, name, ...(description !== undefined && { description }) }
      set([...getSnapshot(), row])
      return {
        setWait: (wait: CallWait | undefined) =>
          set(getSnapshot().map((other) => (other.key === key ? { ...row, ...(wait && { wait }) } : other))),
        remove: () => set(getSnapshot().filter((other) => other.key !== key)),
      }
    },
  }
})

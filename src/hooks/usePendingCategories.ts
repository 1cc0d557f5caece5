'use client'

import { useSyncExternalStore } from 'react'
import { noPendingCategories, type PendingCategory, pendingCategoriesOf } from './pendingCategories.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

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

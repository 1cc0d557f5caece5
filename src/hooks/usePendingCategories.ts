'use client'

import { useSyncExternalStore } from 'react'
import { noPendingCategories, type PendingCategory, pendingCategoriesOf } from './pendingCategories.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * The categories that `useCreateCategory({ optimistic: true })` is creating right now, in the order of their triggers, to
 * be shown after those of `useCategories`. A row goes when its call ends; if that went well, in the very render in which
 * the list has the created one. Where there is no list yet, it stays until that is loaded.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function usePendingCategories(): readonly PendingCategory[] {
  const { subscribe, getSnapshot } = pendingCategoriesOf(usePetstoreContext('usePendingCategories').client)
  return useSyncExternalStore(subscribe, getSnapshot, () => noPendingCategories)
}

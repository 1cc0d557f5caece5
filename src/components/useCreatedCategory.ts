import { useSyncExternalStore } from 'react'
import { usePetstoreContext } from '../hooks/PetstoreContext.ts'
import { type CreatedCategory, createdCategoryOf, type CreatedCategoryStore } from './createdCategory.ts'

interface UseCreatedCategoryResult {
  readonly created: CreatedCategory | undefined
  readonly store: CreatedCategoryStore
}

/** The category that a form of the provider's client has created last. */
export function useCreatedCategory(): UseCreatedCategoryResult {
  const store = createdCategoryOf(usePetstoreContext().client)
  return { store, created: useSyncExternalStore(store.subscribe, store.getSnapshot, () => undefined) }
}

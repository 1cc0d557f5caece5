import type { RateLimitStore } from '../RateLimitStore.ts'

/** Listens to one record of a store. */
export interface StoreSubscription {
  /** Does nothing if it is open. Throws what the store's `subscribe` throws. */
  readonly open: () => void
  /** Stays open if the store has given no function to end it, so that `open` does not subscribe twice. */
  readonly close: () => void
}

export function createStoreSubscription(
  store: RateLimitStore,
  name: string,
  onRecord: (stored: unknown) => void,
): StoreSubscription {
  let isOpen = false
  /** An app's store may return anything. */
  let unsubscribe: unknown

  return {
    open: () => {
      if (isOpen) return
      unsubscribe = store.subscribe(name, onRecord)
      isOpen = true
    },
    close: () => {
      if (typeof unsubscribe !== 'function') return
      isOpen = false
      unsubscribe()
      unsubscribe = undefined
    },
  }
}

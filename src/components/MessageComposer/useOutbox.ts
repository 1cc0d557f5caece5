import { useState, useSyncExternalStore } from 'react'
import { blankOutbox, type Outbox } from './outbox.ts'
import { type OutboxStore, outboxStoreFor } from './outboxStore.ts'

/** The store of this composer. Another key gives another store, with the texts of that key. */
export function useOutboxStore(draftKey: string | undefined): OutboxStore {
  const [held, setHeld] = useState(() => ({ draftKey, store: outboxStoreFor(draftKey) }))
  if (held.draftKey === draftKey) return held.store
  const next = { draftKey, store: outboxStoreFor(draftKey) }
  setHeld(next)
  return next.store
}

/** A part of the outbox; re-renders when that part changes. Blank on a server and during hydration. */
export function useOutbox<Part>(store: OutboxStore, select: (outbox: Outbox) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getSnapshot()),
    () => select(blankOutbox),
  )
}

import { useSyncExternalStore } from 'react'
import { blankOutbox, type Outbox } from './outbox.ts'
import type { OutboxStore } from './outboxStore.ts'

/** A part of the outbox; re-renders when that part changes. Blank on a server and during hydration. */
export function useOutbox<Part>(store: OutboxStore, select: (outbox: Outbox) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getSnapshot()),
    () => select(blankOutbox),
  )
}

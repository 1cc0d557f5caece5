import { type RefObject, useEffect, useRef, useState } from 'react'
import type { OutboxStore } from './outboxStore.ts'

/** Keeps the text that was typed into the server's HTML before hydration. */
export function useTextBeforeHydration(
  store: OutboxStore,
  fieldRef: RefObject<HTMLTextAreaElement | null>,
  draft: string,
): void {
  const [rendered] = useState(draft)
  const isDone = useRef(false)
  useEffect(() => {
    const typed = fieldRef.current?.value ?? ''
    const stored = store.getSnapshot().draft
    // A browser that restores fields after a reload may restore the text that the storage holds too.
    if (!isDone.current && typed !== rendered && typed !== stored) {
      store.write([stored, typed].filter(Boolean).join('\n'))
    }
    isDone.current = true
  }, [store, fieldRef, rendered])
}

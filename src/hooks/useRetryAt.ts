import { useRef, useSyncExternalStore } from 'react'
import type { QueryEntry } from './useQueryEntry.ts'

/**
 * Returns a function that reads `retryAt`. Changes render the component only once it has been read. During hydration it
 * is `undefined`, as in the server's HTML.
 */
export function useRetryAt({ activity, serializedKey }: QueryEntry): () => number | undefined {
  const isRead = useRef(false)
  const isHydrating = useRef(false)
  useSyncExternalStore(
    activity.subscribe,
    () => {
      isHydrating.current = false
      return isRead.current ? activity.retryAt(serializedKey) : undefined
    },
    () => {
      isHydrating.current = true
      return undefined
    },
  )
  return () => {
    isRead.current = true
    return isHydrating.current ? undefined : activity.retryAt(serializedKey)
  }
}

import { useRef, useSyncExternalStore } from 'react'

/**
 * Returns a function that reads a value from outside React. Changes render the component only once it has been read.
 * During hydration it is `unknown`, as in the server's HTML.
 */
export function useTrackedValue<Value>(
  subscribe: (listener: () => void) => () => void,
  read: () => Value,
  unknown: Value,
): () => Value {
  const isRead = useRef(false)
  const isHydrating = useRef(false)
  useSyncExternalStore(
    subscribe,
    () => {
      isHydrating.current = false
      return isRead.current ? read() : unknown
    },
    () => {
      isHydrating.current = true
      return unknown
    },
  )
  return () => {
    isRead.current = true
    return isHydrating.current ? unknown : read()
  }
}

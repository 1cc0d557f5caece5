import { type RefObject, useInsertionEffect, useRef, useState, useSyncExternalStore } from 'react'

/**
 * A ref to the value of the last committed render, for callbacks that must not change with it. An insertion effect,
 * since layout effects warn on servers and run after those of children.
 */
export function useLatestRef<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

/**
 * A value that belongs to a key. Another key gets another value in the same render, so that nothing of the old key shows
 * under the new one.
 *
 * @param create - receives the state that it replaces: the same object in each attempt of a transition, and none on mount
 */
export function useKeyedState<Value>(key: unknown, create: (replaced?: object) => Value): Value {
  const [state, setState] = useState(() => ({ key, value: create() }))
  if (state.key === key) return state.value
  const next = { key, value: create(state) }
  setState(next)
  return next.value
}

/**
 * Returns a function that reads a value from outside React. Changes render the component only once it has been read.
 * During hydration it is `serverValue`, as in the server's HTML.
 */
export function useTrackedValue<Value>(
  subscribe: (listener: () => void) => () => void,
  read: () => Value,
  serverValue: Value,
): () => Value {
  const isRead = useRef(false)
  const isHydrating = useRef(false)
  useSyncExternalStore(
    subscribe,
    () => {
      isHydrating.current = false
      return isRead.current ? read() : serverValue
    },
    () => {
      isHydrating.current = true
      return serverValue
    },
  )
  return () => {
    isRead.current = true
    return isHydrating.current ? serverValue : read()
  }
}

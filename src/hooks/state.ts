import { createListeners } from '../base/listeners.ts'
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

/** Returns a function that creates one value for each object, on first use. */
export function oncePerObject<Key extends object, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? create(key)
    values.set(key, value)
    return value
  }
}

/** Whether a person may be looking at the page, as far as its window tells. */
interface Sight {
  /** `false` in a hidden tab, and in a window that has lost the focus. A window that never had it counts as seen. */
  readonly isSeen: () => boolean
  /** `false` in a hidden tab. */
  readonly isVisible: () => boolean
  /** Calls `listener` when a hidden tab is shown, until the returned function is called. */
  readonly onVisible: (listener: () => void) => () => void
  /** Calls `listener` when the page comes into sight, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Hears of the window from the first use on, since nothing tells later whether it has had the focus. */
function createSight(): Sight {
  const listeners = createListeners()
  const visibleListeners = createListeners()
  let isBlurred = false
  const isVisible = () => document.visibilityState === 'visible'
  const isSeen = () => !isBlurred && isVisible()
  const change = (blurred: boolean) => () => {
    isBlurred = blurred
    if (isSeen()) listeners.call()
  }
  // An iframe of the page takes the focus of its window, but not of its document.
  addEventListener('blur', () => change(!document.hasFocus())())
  addEventListener('focus', change(false))
  document.addEventListener('visibilitychange', () => {
    if (isSeen()) listeners.call()
    if (isVisible()) visibleListeners.call()
  })
  return { isSeen, isVisible, subscribe: listeners.add, onVisible: visibleListeners.add }
}

/** Outside of a page, as in React Native, nobody can tell. */
const always: Sight = {
  isSeen: () => true,
  isVisible: () => true,
  subscribe: () => () => {},
  onVisible: () => () => {},
}

let sight: Sight | undefined

/** The sight of this page. */
export function sightOfPage(): Sight {
  return (sight ??= typeof document === 'undefined' ? always : createSight())
}

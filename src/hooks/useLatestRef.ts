import { type RefObject, useInsertionEffect, useRef } from 'react'

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

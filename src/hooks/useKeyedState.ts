import { useState } from 'react'

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

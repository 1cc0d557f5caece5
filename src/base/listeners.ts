/** A set of functions that are called with each value. */
export interface Listeners<Value> {
  /** Returns the function that removes the listener. */
  readonly add: (listener: (value: Value) => void) => () => void
  readonly call: (value: Value) => void
  readonly isEmpty: boolean
}

export function createListeners<Value = void>(): Listeners<Value> {
  const all = new Set<(value: Value) => void>()
  return {
    add: (listener) => {
      // A wrapper for each call of `add`: a function that is added twice is called twice, and removed one at a time.
      const wrapper = (value: Value) => listener(value)
      all.add(wrapper)
      return () => void all.delete(wrapper)
    },
    call: (value) => {
      for (const listener of [...all]) listener(value)
    },
    get isEmpty() {
      return all.size === 0
    },
  }
}

/** Returns a function that calls `action` once in the next microtask, however often it is called until then. */
export function coalesce(action: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    void Promise.resolve().then(() => {
      isDue = false
      action()
    })
  }
}

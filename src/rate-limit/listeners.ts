/** Functions to call when something happens. */
export interface Listeners<Value> {
  /** Gives the function that removes it. */
  readonly add: (listener: (value: Value) => void) => () => void
  readonly call: (value: Value) => void
  readonly isEmpty: boolean
}

export function createListeners<Value = void>(): Listeners<Value> {
  const all = new Set<(value: Value) => void>()
  return {
    add: (listener) => {
      // Wrapped, so that a function that was added twice is called twice, and removed once.
      const called = (value: Value) => listener(value)
      all.add(called)
      return () => void all.delete(called)
    },
    call: (value) => {
      for (const listener of [...all]) listener(value)
    },
    get isEmpty() {
      return all.size === 0
    },
  }
}

/** Functions to call, by name. */
export interface Listeners<Value> {
  readonly add: (name: string, listener: (value: Value) => void) => () => void
  readonly call: (name: string, value: Value) => void
  readonly isEmpty: boolean
}

export function createListeners<Value>(): Listeners<Value> {
  const byName = new Map<string, Set<(value: Value) => void>>()
  return {
    add: (name, listener) => {
      // Wrapped, so that a function that was added twice is called twice, and removed once.
      const called = (value: Value) => listener(value)
      const all = byName.get(name) ?? new Set()
      byName.set(name, all.add(called))
      return () => {
        all.delete(called)
        if (all.size === 0 && byName.get(name) === all) byName.delete(name)
      }
    },
    call: (name, value) => {
      for (const listener of [...(byName.get(name) ?? [])]) listener(value)
    },
    get isEmpty() {
      return byName.size === 0
    },
  }
}

export type Listeners<Value> = ReturnType<typeof createListeners<Value>>

export function createListeners<Value = void>() {
  const all = new Set<(value: Value) => void>()
  return {
    /** Returns the function that removes the listener. */
    add: (listener: (value: Value) => void): (() => void) => {
      all.add(listener)
      return () => void all.delete(listener)
    },
    call: (value: Value): void => {
      for (const listener of [...all]) listener(value)
    },
    get isEmpty() {
      return all.size === 0
    },
  }
}

/** A value with listeners. Made for `useSyncExternalStore`. */
export function createObservable<Value>(initial: Value) {
  const listeners = createListeners()
  let value = initial
  return {
    getSnapshot: () => value,
    /** Calls the listener after each `set`, until the returned function is called. */
    subscribe: listeners.add,
    set: (next: Value) => {
      value = next
      listeners.call()
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

/** Calls a function of the app. What it throws or rejects with is reported, and does not reach the caller. */
export function invokeCallback<Values extends readonly unknown[]>(
  listener: ((...values: Values) => void) | undefined,
  ...values: Values
): void {
  // TypeScript accepts an async function, too, and Node ends a process if nobody handles its rejection.
  const invoke = async (): Promise<void> => listener?.(...values)
  invoke().catch(reportAppError)
}

/** Reports an error as if nobody had caught it: in browsers to listeners of `error` events and the console. */
export function reportAppError(error: unknown): void {
  // Node has no `reportError`, whatever the type says.
  const report: typeof reportError | undefined = globalThis.reportError
  if (report) report(error)
  else console.error(error)
}

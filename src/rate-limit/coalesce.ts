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

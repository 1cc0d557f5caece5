/** Values by key, up to a total size. Beyond that, those that were set longest ago are removed first. */
export type BoundedCache<Value extends { readonly size: number }> = ReturnType<typeof createBoundedCache<Value>>

export function createBoundedCache<Value extends { readonly size: number }>(maxSize: number) {
  const values = new Map<string, Value>()
  let size = 0

  function remove(key: string): void {
    size -= values.get(key)?.size ?? 0
    values.delete(key)
  }

  /** Sets a value, which makes it the most recent one. If it alone is too large, only removes the key's old value. */
  function set(key: string, value: Value): void {
    remove(key)
    if (value.size > maxSize) return
    values.set(key, value)
    size += value.size
    for (const oldest of values.keys()) {
      if (size > maxSize) remove(oldest)
    }
  }

  function clear(): void {
    values.clear()
    size = 0
  }

  /** In the order in which the keys were last set, the oldest first. */
  const readable: ReadonlyMap<string, Value> = values
  return { values: readable, set, remove, clear }
}

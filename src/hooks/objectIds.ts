const ids = new WeakMap<object, number>()
let lastId = 0

/** A number for each object or function, the same for the same one; 0 for any other value. */
export function objectIds(values: readonly unknown[]): readonly number[] {
  return values.map((value) =>
    typeof value === 'function' || (typeof value === 'object' && value !== null) ? idOf(value) : 0,
  )
}

function idOf(value: object): number {
  const existing = ids.get(value)
  if (existing !== undefined) return existing
  lastId += 1
  ids.set(value, lastId)
  return lastId
}

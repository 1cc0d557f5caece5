/** A copy of plain data that nobody can change, and through which nobody can change the original. */
export function frozenCopy<Value>(value: Value): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy has the shape of what it copies
  return copy(value) as Value
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copy))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field)])))
}

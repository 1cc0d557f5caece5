/** Freezes arrays and plain objects all the way down, so that a caller's change cannot show in a later result. */
export function deepFreeze(value: unknown): void {
  const pending: unknown[] = [value]
  for (const part of pending) {
    if (!isPlain(part) || Object.isFrozen(part)) continue
    Object.freeze(part)
    for (const inner of Object.values(part)) pending.push(inner)
  }
}

/** A schema may make instances of classes, which may need to change. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || prototype === Array.prototype
}

import type { CacheKey } from './cacheKey.ts'

/** The key of prepared data in the `fallback` of SWR, as SWR serializes it. Importing SWR would bring React along. */
export function preparedKey(key: CacheKey): string {
  return serialize(key)
}

/** Where the time stands at which they were loaded. */
export function loadedAtKey(serializedKey: string): string {
  return `${serializedKey}loadedAt`
}

/** As SWR does it, for what JSON can hold. */
function serialize(value: unknown): string {
  if (Array.isArray(value)) return `@${value.map((item) => `${serialize(item)},`).join('')}`
  if (value instanceof Date) return value.toJSON()
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const sorted = fields.sort(([one], [other]) => (one < other ? 1 : -1))
  return `#${sorted.map(([name, field]) => `${name}:${serialize(field)},`).join('')}`
}

import { hash } from './hash.ts'

/** The texts of the records that were stored, by their keys. */
const texts = new Map<string, string>()
const keys = new WeakMap<object, string>()

/** A short text that stands for a record; `-` for none. */
export function keyOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '-'
  const known = keys.get(record)
  if (known !== undefined) return known
  const key = hash(JSON.stringify(record)).join('.')
  keys.set(record, key)
  return key
}

/** Keeps a record for `recordOf`. Returns its key. */
export function storeRecord(record: unknown): string {
  const key = keyOf(record)
  if (key !== '-' && !texts.has(key)) texts.set(key, JSON.stringify(record))
  return key
}

/** A copy of the record, as a page gets it from a store. */
export function recordOf(key: string): unknown {
  const text = texts.get(key)
  if (text === undefined) return undefined
  const record: unknown = JSON.parse(text)
  if (typeof record === 'object' && record !== null) keys.set(record, key)
  return record
}

/** Whether a value is an object, but no array. Its fields may have any values. */
export function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether a text that the interface document calls required is not blank ("Resources and their fields"). The document does
 * not forbid a blank one, but a category without a name or a message without words is a mistake, so it is not sent.
 */
export const isRequiredText = (text: string): boolean => text.trim() !== ''

export const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(text) && Number.isFinite(Date.parse(text))

const decimal = /^(?:0|-?[1-9]\d{0,18})$/
const max = '9223372036854775807'
const min = '-9223372036854775808'

/** Whether `text` is an int64 in canonical decimal notation: no plus sign, no leading zero, no `-0`. */
export function isInt64(text: string): boolean {
  if (!decimal.test(text)) return false
  // Comparing digits of one length as text gives the order of their values, ten times as fast as bigints do.
  const limit = text.startsWith('-') ? min : max
  return text.length < limit.length || text <= limit
}

/** Whether a value of a response is an int64 that lost no digits. */
export function isExactInt64(value: unknown): value is string | number {
  return typeof value === 'string' ? isInt64(value) : Number.isSafeInteger(value)
}

declare const categoryId: unique symbol

/**
 * The id of a category: an int64 as its exact decimal string, because a JavaScript number cannot hold ids beyond 2^53.
 * The type is branded, so TypeScript accepts no other string.
 */
export type CategoryId = string & {
  /** For the compiler alone. */
  readonly [categoryId]: true
}

/** Replaces each `{name}` in an operation's path. */
export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(/\{([^{}/]+)\}/g, (_, name: string) => valueOf(name))
}

/** Whether a value is an object with fields, which may be anything. */
export function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether a text that the interface document calls required says something ("Resources and their fields"). It does not
 * say whether an empty one would do: a row without a name, or a message without words, is a mistake in the page, so it is
 * not sent.
 */
export const isRequiredText = (text: string): boolean => text.trim() !== ''

/** Whether a text is an ISO 8601 time. */
export const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(text) && Number.isFinite(Date.parse(text))

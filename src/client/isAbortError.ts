/** Whether a call was cancelled: an `AbortError` of any realm, as `AbortController.abort()` makes it. */
export function isAbortError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
}

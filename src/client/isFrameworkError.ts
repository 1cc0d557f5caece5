/**
 * Whether a framework has ended the work that asked, such as Next where a prerender is complete or becomes dynamic. It finds
 * its errors by their `digest`, so they must reach it unchanged.
 */
export function isFrameworkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'digest' in error && typeof error.digest === 'string'
}

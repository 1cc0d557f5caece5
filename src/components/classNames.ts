/** The class of an element of ours, and the app's own beside it. */
export function classNames(own: string, ...others: readonly (string | undefined)[]): string {
  return [own, ...others].filter(Boolean).join(' ')
}

/** A button in a line of text. */
export const inlineButton = 'petstore-button petstore-button-quiet petstore-button-inline'

/** Joins the class of one of our elements with the app's own classes for it. */
export function classNames(ours: string, ...others: readonly (string | undefined)[]): string {
  return [ours, ...others].filter(Boolean).join(' ')
}

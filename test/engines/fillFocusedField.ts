/**
 * Replaces the text of the field that has the focus, in the way of a paste, so that React hears of it. Runs in the page:
 * it may use nothing from outside.
 */
export function fillFocusedField(text: string): void {
  const field = document.activeElement
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select()
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}

/** Moves the focus to an element that takes none by itself, for as long as it stays there. */
export function focusQuietly(element: HTMLElement, options?: FocusOptions): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus(options)
}

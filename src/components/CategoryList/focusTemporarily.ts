import { focusedElement } from '../focusedElement.ts'

/** Moves the focus to an element that takes none by itself, for as long as it stays there. */
export function focusTemporarily(element: HTMLElement, options?: FocusOptions): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', function leave() {
      // Still there when it is the whole window that has lost the focus.
      if (focusedElement(element) === element) return
      element.removeEventListener('blur', leave)
      element.removeAttribute('tabindex')
    })
  }
  element.focus(options)
}

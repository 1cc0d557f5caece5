/** By what it can do: `instanceof` knows the elements of one window only, and a portal may lead into another. */
export function isHtmlElement(element: Element | null | undefined): element is HTMLElement {
  return element ? 'focus' in element : false
}

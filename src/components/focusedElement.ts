/**
 * What has the focus in the document or shadow root that an element stands in. The page's own `activeElement` is no
 * more than the host of a shadow root, and in another window, where a portal may lead, somebody else's.
 */
export function focusedElement(near: Element): Element | null {
  const root: Node & Partial<DocumentOrShadowRoot> = near.getRootNode()
  return root.activeElement ?? null
}

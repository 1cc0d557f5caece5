import { Component, type ComponentPropsWithoutRef, createRef, type ReactNode, type RefObject } from 'react'

/** The props of a `div`, and: */
interface RestoreFocusProps extends ComponentPropsWithoutRef<'div'> {
  /** Receives the focus if the focused element inside disappears. Otherwise the browser would move it to the body. */
  readonly fallbackRef: RefObject<HTMLElement | null>
}

/**
 * A `div` around elements that may disappear while one of them has the focus, such as a button that has done its work.
 * A class, because only a class can look at the focus right before React changes the page, without warnings on servers.
 */
export class RestoreFocus extends Component<RestoreFocusProps, object, boolean> {
  private readonly rootRef = createRef<HTMLDivElement>()

  override componentWillUnmount(): void {
    if (this.hasFocus()) this.restore()
  }

  override getSnapshotBeforeUpdate(): boolean {
    return this.hasFocus()
  }

  override componentDidUpdate(_props: RestoreFocusProps, _state: object, hadFocus: boolean): void {
    if (hadFocus) this.restore()
  }

  private hasFocus(): boolean {
    const root = this.rootRef.current
    return root?.contains(focusedElement(root)) ?? false
  }

  private restore(): void {
    const { fallbackRef } = this.props
    // After React has finished: by then something else may have taken the focus, or the fallback may be gone too.
    queueMicrotask(() => {
      const fallback = fallbackRef.current
      const focused = fallback?.ownerDocument.activeElement
      if (!focused || focused === fallback?.ownerDocument.body) focusTemporarily(fallback, { preventScroll: true })
    })
  }

  override render(): ReactNode {
    const { fallbackRef: _, ...rest } = this.props
    return <div {...rest} ref={this.rootRef} />
  }
}

/**
 * The focused element of the document or shadow root that contains `near`. The page's own `document.activeElement` is
 * only the host of a shadow root, and belongs to the wrong document for a portal into another window.
 */
export function focusedElement(near: Element): Element | null {
  const root: Node & Partial<DocumentOrShadowRoot> = near.getRootNode()
  return root.activeElement ?? null
}

/** Whether the focus is inside an element, on something around it, or nowhere: the person is in no other part of the page. */
export function isFocusAround(element: Element): boolean {
  const focused = focusedElement(element)
  if (focused) return focused.contains(element) || element.contains(focused)
  // A shadow root has no focused element while its host, or something else in the page, has the focus.
  const root: Node & Partial<Pick<ShadowRoot, 'host'>> = element.getRootNode()
  return !root.host || isFocusAround(root.host)
}

/** Moves the focus to an element. One that is not focusable becomes focusable until the focus leaves it. */
export function focusTemporarily(element: Element | null | undefined, options?: FocusOptions): void {
  if (!isFocusable(element)) return
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', function leave() {
      // A blur of the whole window leaves the element focused in its document.
      if (focusedElement(element) === element) return
      element.removeEventListener('blur', leave)
      element.removeAttribute('tabindex')
    })
  }
  element.focus(options)
}

/** Checks for the method: `instanceof HTMLElement` is false for an element of another window, such as in a portal. */
function isFocusable(element: Element | null | undefined): element is HTMLElement {
  return element ? 'focus' in element : false
}

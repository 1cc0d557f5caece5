/**
 * Remembers what has the focus in the pages around this frame of `SideBySide`, whose play function is about to take it.
 * The returned function leaves nothing focused in the frame, so that all frames look alike, and gives the focus back,
 * unless the reader has moved it elsewhere.
 */
export function borrowFocus(): () => void {
  const pages = [parent.document, parent.frameElement?.ownerDocument]
  const focused = pages.flatMap((page) => page?.querySelector<HTMLElement>(':focus') ?? [])
  return () => {
    const isFocusInFrame = document.hasFocus()
    document.querySelector<HTMLElement>(':focus')?.blur()
    if (!isFocusInFrame) return
    parent.parent.focus()
    for (const element of focused) element.focus({ preventScroll: true })
  }
}

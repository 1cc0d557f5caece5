/**
 * For a story beside others, whose play function cannot do without the focus. The returned function leaves nothing focused in
 * its frame, so that all frames look alike, and gives the focus back to what has it now, unless the reader has moved it.
 */
export function borrowFocus(): () => void {
  const pages = [parent.document, parent.frameElement?.ownerDocument]
  const focused = pages.flatMap((page) => page?.querySelector<HTMLElement>(':focus') ?? [])
  return () => {
    const isStillHere = document.hasFocus()
    document.querySelector<HTMLElement>(':focus')?.blur()
    if (!isStillHere) return
    parent.parent.focus()
    for (const element of focused) element.focus({ preventScroll: true })
  }
}

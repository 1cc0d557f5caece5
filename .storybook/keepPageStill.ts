/**
 * Stories get into their states by themselves, and the focus that they move must not scroll a page of many stories. Returns
 * what ends it.
 */
export function keepPageStill(): () => void {
  const { prototype } = HTMLElement
  const focus = Object.getOwnPropertyDescriptor(prototype, 'focus')
  if (!focus) return () => {}
  const { value: moveFocus }: { value?: HTMLElement['focus'] } = focus
  prototype.focus = function focusInPlace(options) {
    moveFocus?.call(this, { ...options, preventScroll: true })
  }
  return () => void Object.defineProperty(prototype, 'focus', focus)
}

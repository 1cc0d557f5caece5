/** The class and text of each element inside `box` whose content is cut, or which runs out of `box`. */
export function cutElements(box: Element): string[] {
  for (const animation of box.getAnimations({ subtree: true })) {
    // An element that is still moving in would look cut. The animation of a spinner never ends.
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  }
  const outer = box.getBoundingClientRect()
  return Array.from(box.querySelectorAll('*')).flatMap((element) => {
    if (element.closest('svg, .petstore-visually-hidden')) return []
    const { left, right } = element.getBoundingClientRect()
    const { overflowX, overflowY } = getComputedStyle(element)
    // The text of a button that shows its icon alone has no width: it is hidden, not cut.
    if (overflowX === 'hidden' && element.clientWidth === 0) return []
    // What scrolls is not cut, and neither is the text of an input, which scrolls whatever its style says.
    const cuts = (overflow: string) => /hidden|clip/.test(overflow) && !element.matches('input')
    const isCut =
      left < outer.left - 1 ||
      right > outer.right + 1 ||
      (cuts(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (cuts(overflowY) && element.scrollHeight > element.clientHeight + 1)
    return isCut ? [`${element.className} ${element.textContent}`] : []
  })
}

/** The least height and width of what a finger presses, in px. */
const fingerSize = 44

const interactive = 'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="option"]'

/**
 * Checks a story, as it stands after its play function: no text is cut off, a finger can press everything, and on a phone
 * with text of twice the size the page does not scroll sideways.
 *
 * @throws Error that names what is too small, cut off or too wide
 */
export async function checkLayout(story: HTMLElement): Promise<void> {
  const { cdp, page, server } = await import('vitest/browser')
  if (server.browser !== 'chromium') return // the others emulate no touch screen
  const session = cdp() as { send: (method: string, params: object) => Promise<unknown> }
  const { innerWidth, innerHeight } = globalThis
  const root = document.documentElement
  const found = cutTexts(story)
  try {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    if (!matchMedia('(pointer: coarse)').matches) throw new Error('Cannot emulate a touch screen.')
    found.push(...smallTargets(story))
    root.style.fontSize = '200%'
    await page.viewport(360, innerHeight)
    found.push(...wideElements(story))
  } finally {
    root.style.fontSize = ''
    await page.viewport(innerWidth, innerHeight)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  }
  if (found.length > 0) throw new Error(`The layout fails:\n${found.join('\n')}`)
}

const visible = (story: HTMLElement, selector: string) =>
  [...story.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())

const nameOf = (element: Element) =>
  `<${element.localName} class="${element.className}"> “${element.textContent.trim().slice(0, 40)}”`

/** Texts that end at the edge of a box which hides the rest. */
function cutTexts(story: HTMLElement): string[] {
  return visible(story, ':not(input, textarea, select)').flatMap((element) => {
    const { overflowX, clipPath } = getComputedStyle(element)
    const isHidden = (overflowX === 'hidden' || overflowX === 'clip') && clipPath === 'none'
    const rest = element.scrollWidth - element.clientWidth
    return isHidden && element.clientWidth > 1 && rest > 1 ? [`${rest} px are cut off: ${nameOf(element)}`] : []
  })
}

function smallTargets(story: HTMLElement): string[] {
  return visible(story, interactive).flatMap((element) => {
    // A link or button inside a sentence is as high as its line.
    if (getComputedStyle(element).display === 'inline') return []
    const label = element.matches('[type="checkbox"], [type="radio"]') ? element.closest('label') : null
    const { width, height } = (label ?? element).getBoundingClientRect()
    const isSmall = width > 1 && (width < fingerSize - 0.5 || height < fingerSize - 0.5)
    return isSmall ? [`Only ${Math.round(width)} × ${Math.round(height)} px for a finger: ${nameOf(element)}`] : []
  })
}

/** What makes the page scroll sideways. */
function wideElements(story: HTMLElement): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth + 1) return []
  const widest = visible(story, '*').filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    for (let box = element.parentElement; box && box !== story; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== 'visible') return false // scrolls by itself
    }
    return right > clientWidth + 1 || left < -1
  })
  return [`${scrollWidth} px wide at 360 px and 200 % text: ${widest.slice(-3).map(nameOf).join(', ')}`]
}

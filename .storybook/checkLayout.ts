import { isDeep } from './isDeep.ts'

/** The least height and width of what a finger presses, in px. */
const fingerSize = 44

const interactive =
  'a[href], button, input, select, textarea, summary, [tabindex="0"], ' +
  ['button', 'checkbox', 'link', 'menuitem', 'option', 'radio', 'slider', 'switch', 'tab']
    .map((role) => `[role="${role}"]`)
    .join()

/**
 * Checks a story, as it stands after its play function: no text is cut off, a finger can press everything, and on a phone
 * with text of twice the size the page does not scroll sideways. `vitest run --mode deep` also checks a width of 320 px (WCAG
 * 1.4.10), and that no text of twice the size is cut off (1.4.4).
 *
 * @throws Error that names what is too small, cut off or too wide
 */
export async function checkLayout(story: HTMLElement): Promise<void> {
  const { cdp, page, server } = await import('vitest/browser')
  if (server.browser !== 'chromium') return // the others emulate no touch screen
  const session = cdp() as { send: (method: string, params: object) => Promise<unknown> }
  const { innerWidth, innerHeight } = globalThis
  const root = document.documentElement
  const found = [...cutTexts(story), ...cutPlaceholders(story)]
  const lookAt = async (width: number, textSize: string, ...checks: readonly Check[]) => {
    root.style.fontSize = textSize
    await page.viewport(width, innerHeight)
    const name = `${width} px, text of ${textSize}`
    found.push(...checks.flatMap((check) => check(story).map((text) => `${name}: ${text}`)))
  }
  try {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    if (!matchMedia('(pointer: coarse)').matches) throw new Error('Cannot emulate a touch screen.')
    found.push(...smallTargets(story))
    await lookAt(360, '200%', wideElements, ...(isDeep ? [cutTexts] : []))
    if (isDeep) {
      await lookAt(innerWidth, '200%', cutTexts)
      await lookAt(320, '100%', wideElements, cutTexts)
    }
  } finally {
    root.style.fontSize = ''
    await page.viewport(innerWidth, innerHeight)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  }
  if (found.length > 0) throw new Error(`The layout fails:\n${found.join('\n')}`)
}

/** Returns what it finds. */
type Check = (story: HTMLElement) => string[]

const visible = (story: HTMLElement, selector: string) =>
  [...story.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())

const nameOf = (element: Element) =>
  `<${element.localName} class="${element.className}"> “${element.textContent.trim().slice(0, 40)}”`

/** Texts whose box hides what does not fit. Not texts for screen readers alone, which are clipped or 1 px wide. */
function cutTexts(story: HTMLElement): string[] {
  return visible(story, ':not(input, textarea, select)').flatMap((element) => {
    const { overflowX, clipPath } = getComputedStyle(element)
    const isHidden = (overflowX === 'hidden' || overflowX === 'clip') && clipPath === 'none'
    const rest = element.scrollWidth - element.clientWidth
    return isHidden && element.clientWidth > 1 && rest > 1 ? [`${rest} px are cut off: ${nameOf(element)}`] : []
  })
}

/** Placeholders that are wider than their field. */
function cutPlaceholders(story: HTMLElement): string[] {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('Cannot measure text.')
  return visible(story, 'input:placeholder-shown').flatMap((input) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(input)
    context.font = font
    const width = context.measureText(input.getAttribute('placeholder') ?? '').width
    const rest = width - (input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
    return rest > 1 ? [`${Math.round(rest)} px of the placeholder are cut off: ${nameOf(input)}`] : []
  })
}

/** Whether an element stands inside a sentence. Such a link may be as small as its line (WCAG 2.5.5). */
function isInSentence(element: HTMLElement): boolean {
  const neighbors = [...(element.parentElement?.childNodes ?? [])]
  const hasWords = neighbors.some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim())
  return hasWords && getComputedStyle(element).display === 'inline'
}

/** Targets that are too small for a finger. Not those that are hidden visually: 1 px wide. */
function smallTargets(story: HTMLElement): string[] {
  return visible(story, interactive).flatMap((element) => {
    if (isInSentence(element)) return []
    const label = element.matches('[type="checkbox"], [type="radio"]') ? element.closest('label') : null
    const { width, height } = (label ?? element).getBoundingClientRect()
    const isSmall = width > 1 && (width < fingerSize - 0.5 || height < fingerSize - 0.5)
    return isSmall ? [`Only ${Math.round(width)} × ${Math.round(height)} px for a finger: ${nameOf(element)}`] : []
  })
}

/** If the page scrolls sideways, a message that names the last elements which stick out of it. */
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
  return [`the page is ${scrollWidth} px wide: ${widest.slice(-3).map(nameOf).join(', ')}`]
}

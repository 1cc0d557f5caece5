import { afterEach } from 'vitest'
import styles from '../../src/styles.css?inline'
import { contrastRatio } from '../../stories/docs/readTokens.ts'
import type { ContrastPair, Look } from '../../stories/themeBuilder/contrastPairs.ts'
import { tokenSets } from '../../stories/themeBuilder/theme.ts'

afterEach(() => {
  for (const frame of document.querySelectorAll('iframe')) frame.remove()
})

/** A page of an app in an iframe, with the kit's styles, those of a theme, and the app's variables. */
export function openThemedPage(
  theme: string,
  { scheme, isHighContrast }: Look,
  variables: Readonly<Record<string, string>> = {},
): HTMLElement {
  const page = document.body.appendChild(document.createElement('iframe')).contentDocument
  if (!page) throw new Error('The frame has no page.')
  const own = Object.entries(variables).map(([name, value]) => `${name}: ${value};`)
  for (const text of [styles, `:root { color-scheme: ${scheme}; ${own.join(' ')} }`, theme]) {
    page.head.append(Object.assign(page.createElement('style'), { textContent: text }))
  }
  const { documentElement: root, body } = page
  root.className = 'petstore-theme'
  if (isHighContrast) root.dataset['petstoreContrast'] = 'more'
  body.innerHTML = `
    <form class="petstore-root petstore-category-form">
      <input class="petstore-input">
      <button class="petstore-button petstore-button-primary">Create</button>
    </form>`
  return body
}

/** The contrast of two tokens in a page, from the colors that the browser resolves. */
export function measuredRatio(page: HTMLElement, { token, surface }: ContrastPair): number {
  const probe = page.querySelector<HTMLElement>('.petstore-input')
  if (!probe) throw new Error('The page has no component.')
  const colorOf = (name: string) => {
    probe.style.color = `var(--${tokenSets.derived.has(name) ? '_' : ''}petstore-${name})`
    return getComputedStyle(probe).color
  }
  const [shown, behind] = [colorOf(token), colorOf(surface)]
  // A translucent color shows what is behind it: the background on the surface, the text on both.
  return contrastRatio(paint(colorOf('surface'), behind, shown), paint(colorOf('surface'), behind))
}

/** The color of a pixel on which one color was painted after the other, as `#rrggbb`. */
export function paint(...colors: readonly string[]): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) throw new Error('The browser has no canvas.')
  for (const color of colors) {
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

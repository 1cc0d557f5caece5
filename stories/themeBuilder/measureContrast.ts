import { contrastRatio } from '../docs/readTokens.ts'
import { type ContrastPair, contrastPairs } from './contrastPairs.ts'
import { tokenSets } from './theme.ts'

/**
 * The WCAG contrast of each pair of tokens, in the order of `contrastPairs`, from the colors that the browser resolves.
 *
 * @param probe - an element with one of the kit's classes, in the theme. Its color changes.
 */
export function measureContrast(probe: HTMLElement): readonly number[] {
  const colors = new Map<string, string>()
  const colorOf = (token: string) => {
    const known = colors.get(token)
    if (known !== undefined) return known
    probe.style.color = `var(--${tokenSets.derived.has(token) ? '_' : ''}petstore-${token})`
    const color = getComputedStyle(probe).color
    colors.set(token, color)
    return color
  }
  return contrastPairs.map(({ token, surface }: ContrastPair) =>
    ratioOf(colorOf(token), colorOf(surface), colorOf('surface')),
  )
}

/** The contrast of two CSS colors of any notation. What is translucent shows the surface behind it. */
export function ratioOf(color: string, background: string, surface: string): number {
  return contrastRatio(paint(surface, background, color), paint(surface, background))
}

let context: CanvasRenderingContext2D | null = null

/** The color of a pixel on which one color was painted after the other, as `#rrggbb`. */
function paint(...colors: readonly string[]): string {
  context ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  if (!context) throw new Error('The browser has no canvas.')
  for (const color of colors) {
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Tokens by name, without `--petstore-`. */
export type Tokens = ReadonlyMap<string, string>

export type Scheme = 'light' | 'dark'

/** The tokens that the block with this selector declares. */
export function readTokens(css: string, selector: string): Tokens {
  const text = css.replaceAll(/\s+/g, ' ')
  const start = text.indexOf(`${selector} {`)
  if (start < 0) throw new Error(`The styles have no block ${selector}.`)
  return declarations(text.slice(start, text.indexOf('}', start)), '--petstore-')
}

/** The tokens that derive from others, each with the value that it has until an app sets it. */
export function readDerivedTokens(css: string): Tokens {
  const derived = declarations(css, '--_petstore-')
  return new Map(
    [...derived].map(([name, value]) => {
      const [, fallback] = new RegExp(`^var\\( ?--petstore-${name}, (.+?) ?\\)$`).exec(value) ?? []
      if (fallback === undefined) throw new Error(`An app cannot set --petstore-${name}.`)
      return [name, fallback]
    }),
  )
}

function declarations(text: string, prefix: string): Tokens {
  const found = text.matchAll(new RegExp(`\\s${prefix}([a-z-]+):\\s+([^;]+);`, 'g'))
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ')]))
}

/**
 * A color in a scheme, as `#rrggbb`; `undefined` for a token that is no color.
 *
 * @param value - a value of `tokens`: `light-dark()`, another token, `color-mix()` of two, or one color for both schemes
 */
export function resolveColor(value: string, scheme: Scheme, tokens: Tokens): string | undefined {
  const [, light, dark] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? []
  if (light !== undefined) return scheme === 'light' ? light : dark
  if (/^#[0-9a-f]{6}$/.test(value)) return value
  const [, same] = /^var\(--petstore-([a-z-]+)\)$/.exec(value) ?? []
  if (same !== undefined) return resolveColor(tokens.get(same) ?? '', scheme, tokens)
  const mix = /^color-mix\(in srgb, var\(--_?petstore-([a-z-]+)\) (\d+)%, var\(--petstore-([a-z-]+)\)\)$/.exec(value)
  const [, one, percentage, other] = mix ?? []
  if (one === undefined || other === undefined) return undefined
  const [from, to] = [one, other].map((name) => resolveColor(tokens.get(name) ?? '', scheme, tokens))
  return from === undefined || to === undefined ? undefined : mixInSrgb(from, Number(percentage) / 100, to)
}

/** The contrast of two colors, by the "contrast ratio" and the "relative luminance" of WCAG 2.2. */
export function contrastRatio(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = colorParts(color).map(linear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Three parts of a color, such as red, green and blue from 0 to 1. */
export type Parts = readonly [number, number, number]

/** The linear light of a part of an sRGB color. */
export const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** Red, green and blue from 0 to 1, as CSS writes them. */
export function colorParts(color: string): Parts {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

/** Mixes two colors as `color-mix(in srgb, …)` of CSS Color 5 does. `share` is the first color's. */
export function mixInSrgb(one: string, share: number, other: string): string {
  const [from, to] = [colorParts(one), colorParts(other)]
  const digits = (index: 0 | 1 | 2) =>
    Math.round((from[index] * share + to[index] * (1 - share)) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${digits(0)}${digits(1)}${digits(2)}`
}

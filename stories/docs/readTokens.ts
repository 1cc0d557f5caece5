/** Tokens by name, without `--petstore-`. */
export type Tokens = ReadonlyMap<string, string>

export type Scheme = 'light' | 'dark'

/** The tokens that the block after `selector` declares, within what begins with `after`. */
export function readTokens(css: string, selector: string, after = ''): Tokens {
  const start = css.indexOf(`${selector} {`, css.indexOf(after))
  if (start < 0) throw new Error(`The styles have no block ${selector}.`)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map(
    Array.from(block.matchAll(/--petstore-([a-z-]+): ([^;]+);/g), ([, name = '', value = '']) => [name, value]),
  )
}

/** A colour of a scheme, as `#rrggbb`; `undefined` for a token that is none. */
export function colourOf(value: string, scheme: Scheme): string | undefined {
  const [, light, dark] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? []
  return scheme === 'light' ? light : dark
}

/** WCAG 2.2, "contrast ratio" and "relative luminance". */
export function contrastRatio(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

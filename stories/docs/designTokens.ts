import { colorParts, resolveColor, type Scheme, type Tokens } from './readTokens.ts'
import { readTokenSets } from './tokenSets.ts'

type Value = number | string | { readonly [name: string]: Value } | readonly number[]

/** A token of the W3C Design Tokens format. */
interface DesignToken {
  readonly $type: string
  readonly $value: Value
  readonly $description?: string
}

type Group = Record<string, DesignToken>

/** The content of `tokens.json`: the tokens of `tokens.css` in the W3C Design Tokens format (2025.10). */
export function designTokens(css: string): Record<string, unknown> {
  const { usual, highContrast, compact, spacious, derived } = readTokenSets(css)
  const colors = (tokens: Tokens, scheme: Scheme) =>
    group(tokens, (name, value) => {
      const color = resolveColor(value, scheme, tokens)
      if (color === undefined) return undefined
      return { $type: 'color', $value: colorValue(color), ...describe(derived.get(name)) }
    })
  return {
    $description:
      'The design tokens of petstore-react, generated from tokens.css. Prefix a name with --petstore- for CSS.',
    light: colors(usual, 'light'),
    dark: colors(usual, 'dark'),
    'high-contrast-light': colors(highContrast, 'light'),
    'high-contrast-dark': colors(highContrast, 'dark'),
    regular: lengths(usual, derived),
    compact: lengths(compact, derived),
    spacious: lengths(spacious, derived),
    other: group(usual, (_, value) => {
      const [, duration] = /^(\d+)ms$/.exec(value) ?? []
      if (duration !== undefined) return { $type: 'duration', $value: { value: Number(duration), unit: 'ms' } }
      return /^\d+$/.test(value) ? { $type: 'fontWeight', $value: Number(value) } : undefined
    }),
    'shadow-light': shadows(usual, 0),
    'shadow-dark': shadows(usual, 1),
  }
}

function group(tokens: Tokens, convert: (name: string, value: string) => DesignToken | undefined): Group {
  const converted: Group = {}
  for (const [name, value] of tokens) {
    const token = convert(name, value)
    if (token) converted[name] = token
  }
  return converted
}

const describe = (formula: string | undefined) =>
  formula === undefined ? {} : { $description: `Until you set it: ${formula}` }

function colorValue(hex: string, alpha = 1): Value {
  const components = colorParts(hex).map((part) => Math.round(part * 10_000) / 10_000)
  return { colorSpace: 'srgb', components, alpha, hex }
}

/** The format knows px and rem alone. An em of the styles is a rem where the text has the size of the page's. */
function lengths(tokens: Tokens, derived: Tokens): Group {
  const length = (value: string): number | undefined => {
    const [, em] = /^([\d.]+)em$/.exec(value) ?? []
    if (em !== undefined) return Number(em)
    const [, name = '', factor] = /^calc\(var\(--petstore-([a-z-]+)\) \* ([\d.]+)\)$/.exec(value) ?? []
    const base = factor === undefined ? undefined : length(tokens.get(name) ?? '')
    return base === undefined ? undefined : Math.round(base * Number(factor) * 10_000) / 10_000
  }
  return group(tokens, (name, value) => {
    const rem = length(value)
    if (rem === undefined) return undefined
    return { $type: 'dimension', $value: { value: rem, unit: 'rem' }, ...describe(derived.get(name)) }
  })
}

/** A shadow without spread, whose color has a variant for each scheme. */
function shadows(tokens: Tokens, variant: 0 | 1): Group {
  return group(tokens, (_, value) => {
    const [, x, y, blur, ...colors] =
      /^(\d+) (\d+)px (\d+)px light-dark\(rgb\(([\d ]+) \/ (\d+)%\), rgb\(([\d ]+) \/ (\d+)%\)\)$/.exec(value) ?? []
    if (x === undefined) return undefined
    const [channels = '', percentage] = colors.slice(variant * 2)
    const hex = `#${channels
      .split(' ')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}`
    const pixels = (size: string | undefined) => ({ value: Number(size), unit: 'px' })
    const lengthsOf = { offsetX: pixels(x), offsetY: pixels(y), blur: pixels(blur), spread: pixels('0') }
    return { $type: 'shadow', $value: { color: colorValue(hex, Number(percentage) / 100), ...lengthsOf } }
  })
}

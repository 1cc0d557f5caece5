import { colorParts, resolveColor, type Scheme, type Tokens } from './readTokens.ts'
import { readTokenSets } from './tokenSets.ts'

type Value = number | string | { readonly [name: string]: Value } | readonly (number | string)[]

/** A token of the W3C Design Tokens format. */
export interface DesignToken {
  readonly $type: string
  readonly $value: Value
  readonly $description?: string
}

type Group = Record<string, DesignToken>

/** The content of `tokens.json`: the tokens of `tokens.css` in the W3C Design Tokens format (2025.10). */
export function designTokens(css: string): Record<string, unknown> {
  const { usual, highContrast, compact, spacious, derived } = readTokenSets(css)
  return {
    $description:
      'The design tokens of petstore-react, generated from tokens.css. Prefix a name with --petstore- for CSS.',
    light: colorGroup(usual, 'light', derived),
    dark: colorGroup(usual, 'dark', derived),
    'high-contrast-light': colorGroup(highContrast, 'light', derived),
    'high-contrast-dark': colorGroup(highContrast, 'dark', derived),
    regular: lengthGroup(usual, derived),
    compact: lengthGroup(compact, derived),
    spacious: lengthGroup(spacious, derived),
    other: otherGroup(usual),
    'shadow-light': shadowGroup(usual, 0),
    'shadow-dark': shadowGroup(usual, 1),
  }
}

/** The colors among the tokens. */
export function colorGroup(tokens: Tokens, scheme: Scheme, derived: Tokens): Group {
  return group(tokens, (name, value) => {
    const color = resolveColor(value, scheme, tokens)
    return color === undefined ? undefined : { ...colorToken(color), ...describe(derived.get(name)) }
  })
}

/** A color as a token. */
export const colorToken = (hex: string): DesignToken => ({ $type: 'color', $value: colorValue(hex) })

/** The durations and font weights among the tokens. */
export function otherGroup(tokens: Tokens): Group {
  return group(tokens, (_, value) => {
    const [, duration] = /^(\d+)ms$/.exec(value) ?? []
    if (duration !== undefined) return { $type: 'duration', $value: { value: Number(duration), unit: 'ms' } }
    return /^\d+$/.test(value) ? { $type: 'fontWeight', $value: Number(value) } : undefined
  })
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

/** The lengths among the tokens. The format has only px and rem, so 1em becomes 1rem: the same at the page's text size. */
export function lengthGroup(tokens: Tokens, derived: Tokens): Group {
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

/** The shadows without spread among the tokens. `variant` chooses their color: 0 for light, 1 for dark. */
export function shadowGroup(tokens: Tokens, variant: 0 | 1): Group {
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

import css from '../../src/components/tokens.css?raw'
import { resolveColor, type Scheme } from '../docs/readTokens.ts'
import { readTokenSets } from '../docs/tokenSets.ts'

export const tokenSets = readTokenSets(css)

export const sources = {
  own: 'Chosen here',
  shadcn: 'Variables of shadcn/ui',
  tailwind: 'Variables of Tailwind 4',
} as const

/** Tints of the gray colors. `slate` is the kit's own; the others keep its lightness. */
export const neutrals = {
  slate: 'Slate',
  gray: 'Gray',
  warm: 'Warm',
  green: 'Green',
  accent: 'Like the accent',
} as const

export const densities = { compact: 'Compact', regular: 'Regular', spacious: 'Spacious' } as const

export const colorNames = ['accent', 'danger', 'warning', 'success'] as const
export type ColorName = (typeof colorNames)[number]

/** `#rrggbb` in each scheme. */
export type SchemeColors = Readonly<Record<Scheme, string>>

export interface Theme extends Readonly<Record<ColorName, SchemeColors>> {
  /** `own`: the values below. Otherwise the variables of the app decide, and only the density is left to choose. */
  readonly source: keyof typeof sources
  readonly neutral: keyof typeof neutrals
  /** In em. */
  readonly radius: number
  readonly density: keyof typeof densities
}

/** In em. */
export const maxRadius = 1.25

const colorsOf = (token: string): SchemeColors => ({ light: kitColor(token, 'light'), dark: kitColor(token, 'dark') })

export const defaultTheme: Theme = {
  source: 'own',
  accent: colorsOf('accent'),
  neutral: 'slate',
  danger: colorsOf('danger'),
  warning: colorsOf('warning'),
  success: colorsOf('success'),
  radius: Number.parseFloat(tokenSets.usual.get('radius') ?? ''),
  density: 'regular',
}

/**
 * A color of the kit as it is without a theme.
 *
 * @throws Error if the token is no color
 */
export function kitColor(token: string, scheme: Scheme, tokens = tokenSets.usual): string {
  const color = resolveColor(tokens.get(token) ?? '', scheme, tokens)
  if (color === undefined) throw new Error(`${token} is not a color.`)
  return color
}

/** The default theme with these changes. Invalid colors and radii, which anyone can write into an address, are left out. */
export function completeTheme(changes: Partial<Theme>): Theme {
  const theme = { ...defaultTheme, ...changes }
  const isColor = (color: unknown) => /^#[0-9a-f]{6}$/.test(String(color))
  const colors = colorNames.map((name) => {
    const { light, dark } = theme[name]
    return [name, isColor(light) && isColor(dark) ? { light, dark } : defaultTheme[name]]
  })
  const radius = theme.radius >= 0 && theme.radius <= maxRadius ? theme.radius : defaultTheme.radius
  return { ...theme, ...Object.fromEntries(colors), radius }
}

import css from '../../src/components/tokens.css?raw'
import { resolveColor, type Scheme } from '../docs/readTokens.ts'
import { readTokenSets } from '../docs/tokenSets.ts'
import type { VariableSource } from './mappings.ts'

export const tokenSets = readTokenSets(css)

export const densities = ['compact', 'regular', 'spacious'] as const
export type Density = (typeof densities)[number]

/** The value of `font-family`; empty for the font of the page. */
export const fonts = {
  page: { title: 'Font of the page', family: '' },
  system: { title: 'System', family: 'system-ui, sans-serif' },
  serif: { title: 'Serif', family: "Georgia, 'Times New Roman', serif" },
  mono: { title: 'Monospace', family: 'ui-monospace, Menlo, Consolas, monospace' },
} as const
export type FontName = keyof typeof fonts

/** The size of the text in rem; the page's own size writes nothing. */
export const textSizes = [0.875, 0.9375, 1, 1.0625, 1.125, 1.25] as const

/** What is gray in the kit's colors: `slate` is the kit's own, the others keep its lightness. */
export const neutrals = {
  slate: 'Slate',
  gray: 'Gray',
  warm: 'Warm',
  green: 'Green',
  accent: 'Like the accent',
} as const
export type NeutralName = keyof typeof neutrals

/** The color of the text on the accent. `automatic`: white where it can be read, else black. */
export const textChoices = { automatic: 'Automatic', white: 'White', black: 'Black' } as const
export type TextChoice = keyof typeof textChoices

export const statusNames = ['danger', 'warning', 'success'] as const
export type StatusName = (typeof statusNames)[number]

/** `#rrggbb` in each scheme. */
export type SchemeColors = Readonly<Record<Scheme, string>>

export interface Theme {
  /** `own`: the values below. Otherwise the variables of the app decide, and only density and text are left to choose. */
  readonly source: 'own' | VariableSource
  readonly accent: SchemeColors
  readonly onAccent: TextChoice
  readonly neutral: NeutralName
  readonly status: Readonly<Record<StatusName, SchemeColors>>
  /** In em. */
  readonly radius: number
  readonly density: Density
  readonly font: FontName
  /** In rem. */
  readonly textSize: number
}

const colorsOf = (token: string): SchemeColors => ({ light: kitColor(token, 'light'), dark: kitColor(token, 'dark') })

export const defaultTheme: Theme = {
  source: 'own',
  accent: colorsOf('accent'),
  onAccent: 'automatic',
  neutral: 'slate',
  status: { danger: colorsOf('danger'), warning: colorsOf('warning'), success: colorsOf('success') },
  radius: Number.parseFloat(tokenSets.usual.get('radius') ?? ''),
  density: 'regular',
  font: 'page',
  textSize: 1,
}

/**
 * A color of the kit, without a theme.
 *
 * @throws Error if the token is no color
 */
export function kitColor(token: string, scheme: Scheme, tokens = tokenSets.usual): string {
  const color = resolveColor(tokens.get(token) ?? '', scheme, tokens)
  if (color === undefined) throw new Error(`${token} is not a color.`)
  return color
}

/** The part of an address that says what a theme changes; empty for the default theme. It fits a query parameter. */
export function writeTheme(theme: Theme): string {
  const parts: string[] = []
  const note = (name: string, value: string, usual: string) => {
    if (value !== usual) parts.push(`${name}:${value}`)
  }
  const pair = ({ light, dark }: SchemeColors) => `${light.slice(1)}-${dark.slice(1)}`
  note('source', theme.source, defaultTheme.source)
  note('accent', pair(theme.accent), pair(defaultTheme.accent))
  note('text', theme.onAccent, defaultTheme.onAccent)
  note('neutral', theme.neutral, defaultTheme.neutral)
  for (const name of statusNames) note(name, pair(theme.status[name]), pair(defaultTheme.status[name]))
  note('radius', String(theme.radius), String(defaultTheme.radius))
  note('density', theme.density, defaultTheme.density)
  note('font', theme.font, defaultTheme.font)
  note('size', String(theme.textSize), String(defaultTheme.textSize))
  return parts.join('_')
}

/** Reads what `writeTheme` has written. What is unknown or not allowed is left out: anyone can write an address. */
export function readTheme(text: string): Partial<Theme> {
  const parts = new Map(
    text.split('_').map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]),
  )
  const oneOf = <Name extends string>(part: string, names: readonly Name[]) =>
    names.find((name) => name === parts.get(part))
  const pairOf = (part: string): SchemeColors | undefined => {
    const [, light, dark] = /^([0-9a-f]{6})-([0-9a-f]{6})$/.exec(parts.get(part) ?? '') ?? []
    return light === undefined || dark === undefined ? undefined : { light: `#${light}`, dark: `#${dark}` }
  }
  const numberOf = (part: string, min: number, max: number) => {
    const value = Number(parts.get(part) ?? Number.NaN)
    return value >= min && value <= max ? value : undefined
  }
  const changes = statusNames.flatMap((name) => {
    const colors = pairOf(name)
    return colors ? [[name, colors] as const] : []
  })
  const found = {
    source: oneOf('source', ['own', 'shadcn', 'tailwind']),
    accent: pairOf('accent'),
    onAccent: oneOf('text', keysOf(textChoices)),
    neutral: oneOf('neutral', keysOf(neutrals)),
    status: changes.length > 0 ? { ...defaultTheme.status, ...Object.fromEntries(changes) } : undefined,
    radius: numberOf('radius', 0, maxRadius),
    density: oneOf('density', densities),
    font: oneOf('font', keysOf(fonts)),
    textSize: textSizes.find((size) => String(size) === parts.get('size')),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** In em. */
export const maxRadius = 1.25

/** The keys of an object whose type has all of them. */
export const keysOf = <Key extends string>(values: Readonly<Record<Key, unknown>>): readonly Key[] =>
  // The type of `Object.keys` does not say it, since an object may have more keys than its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  Object.keys(values) as Key[]

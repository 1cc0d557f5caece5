import css from '../../src/components/tokens.css?raw'
import { contrastRatio, mixInSrgb, resolveColor, type Scheme } from '../docs/readTokens.ts'
import { readTokenSets } from '../docs/tokenSets.ts'
import { type Declarations, mappings, type VariableSource } from './mappings.ts'

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

export interface Theme {
  /** `own`: the values below. Otherwise the variables of the app decide, and only the density is left to choose. */
  readonly source: 'own' | VariableSource
  /** `#rrggbb` in each scheme. */
  readonly accent: Readonly<Record<Scheme, string>>
  /** In em. */
  readonly radius: number
  readonly density: Density
  readonly font: FontName
}

export const defaultTheme: Theme = {
  source: 'own',
  accent: { light: colorOf('accent', 'light'), dark: colorOf('accent', 'dark') },
  radius: Number.parseFloat(tokenSets.usual.get('radius') ?? ''),
  density: 'regular',
  font: 'page',
}

function colorOf(token: string, scheme: Scheme, tokens = tokenSets.usual): string {
  const color = resolveColor(tokens.get(token) ?? '', scheme, tokens)
  if (color === undefined) throw new Error(`${token} is not a color.`)
  return color
}

/** The styles of a theme, for elements of the class `petstore-theme` and what is in them. */
export function themeCss(theme: Theme): string {
  const density = densityDeclarations(theme.density)
  return theme.source === 'own' ? ownCss(theme, density) : mappedCss(theme.source, density)
}

function ownCss({ accent, radius, font }: Theme, density: Declarations): string {
  const { family } = fonts[font]
  const always = {
    ...accentDeclarations(accent),
    '--petstore-radius': `${radius}em`,
    ...density,
    ...(family !== '' && { 'font-family': family }),
  }
  const more = accentDeclarations({
    light: strengthen(accent.light, 'light'),
    dark: strengthen(accent.dark, 'dark'),
  })
  return [
    rule('.petstore-theme', always),
    '/* High contrast, by an attribute or by the system. */',
    rule(
      [
        '.petstore-theme[data-petstore-contrast="more"]',
        '[data-petstore-contrast="more"] .petstore-theme',
        '.petstore-theme [data-petstore-contrast="more"]',
      ].join(',\n'),
      more,
    ),
    media('(prefers-contrast: more)', rule('.petstore-theme', more)),
  ].join('\n\n')
}

/** In high contrast the app's variables would be too faint, so the kit's own colors apply there. */
function mappedCss(source: VariableSource, density: Declarations): string {
  const { colors, others, rules } = mappings[source]
  const usual = '.petstore-theme:not([data-petstore-contrast="more"], [data-petstore-contrast="more"] *)'
  return [
    rule('.petstore-theme', { ...others, ...density }),
    media('not (prefers-contrast: more)', rule(usual, colors)),
    ...rules,
  ].join('\n\n')
}

/** The lengths that `data-petstore-density` sets, so that one piece of CSS says everything. */
function densityDeclarations(density: Density): Declarations {
  if (density === 'regular') return {}
  const tokens = [...tokenSets[density]].filter(([name, value]) => tokenSets.usual.get(name) !== value)
  return Object.fromEntries(tokens.map(([name, value]) => [`--petstore-${name}`, value]))
}

function accentDeclarations({ light, dark }: Theme['accent']): Declarations {
  return {
    '--petstore-accent': `light-dark(${light}, ${dark})`,
    '--petstore-on-accent': `light-dark(${readableOn(light)}, ${readableOn(dark)})`,
  }
}

/** Black or white, whichever can be read better. One of them always has at least 4.58 : 1. */
const readableOn = (color: string) =>
  contrastRatio('#ffffff', color) >= contrastRatio('#000000', color) ? '#ffffff' : '#000000'

/** Mixes a color with the text's, in the smallest of twenty steps after which it has 7 : 1 on the surface. */
function strengthen(color: string, scheme: Scheme): string {
  const surface = colorOf('surface', scheme, tokenSets.highContrast)
  const text = colorOf('text', scheme, tokenSets.highContrast)
  const steps = Array.from({ length: 21 }, (_, step) => mixInSrgb(color, 1 - step / 20, text))
  return steps.find((step) => contrastRatio(step, surface) >= 7) ?? text
}

function rule(selector: string, declarations: Declarations): string {
  const lines = Object.entries(declarations).map(([property, value]) => `  ${property}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}

const media = (query: string, content: string) => `@media ${query} {\n${content.replaceAll(/^/gm, '  ')}\n}`

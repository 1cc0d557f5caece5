import { resolveColor, type Scheme, type Tokens } from '../docs/readTokens.ts'
import { colorGroup, colorToken, type DesignToken, lengthGroup, otherGroup, shadowGroup } from '../docs/designTokens.ts'
import { type Declarations, mappings, type VariableSource } from './mappings.ts'
import { type Density, fonts, type Theme, tokenSets } from './theme.ts'
import { lightnessOf } from './oklch.ts'
import { type ColorTokens, lightDark, neutralTokens, themeColors, themedTokens } from './themeColors.ts'

/** The styles of a theme, for elements of the class `petstore-theme` and what is in them. */
export function themeCss(theme: Theme): string {
  return theme.source === 'own' ? ownCss(theme) : mappedCss(theme.source, theme)
}

function ownCss(theme: Theme): string {
  const { usual, more } = themeColors(theme)
  return [
    rule('.petstore-theme', {
      ...colorDeclarations(usual),
      '--petstore-radius': `${theme.radius}em`,
      ...densityDeclarations(theme.density),
      ...textDeclarations(theme),
    }),
    '/* High contrast, by an attribute or by the system. */',
    rule(
      [
        '.petstore-theme[data-petstore-contrast="more"]',
        '[data-petstore-contrast="more"] .petstore-theme',
        '.petstore-theme [data-petstore-contrast="more"]',
      ].join(',\n'),
      colorDeclarations(more),
    ),
    media('(prefers-contrast: more)', rule('.petstore-theme', colorDeclarations(more))),
  ].join('\n\n')
}

/** In high contrast the app's variables would be too faint, so the kit's own colors apply there. */
function mappedCss(source: VariableSource, theme: Theme): string {
  const { colors, others, rules } = mappings[source]
  const usual = '.petstore-theme:not([data-petstore-contrast="more"], [data-petstore-contrast="more"] *)'
  return [
    rule('.petstore-theme', { ...others, ...densityDeclarations(theme.density), ...textDeclarations(theme) }),
    media('not (prefers-contrast: more)', rule(usual, colors)),
    ...rules,
  ].join('\n\n')
}

const colorDeclarations = (colors: ColorTokens): Declarations =>
  Object.fromEntries([...colors].map(([token, value]) => [`--petstore-${token}`, lightDark(value)]))

/** The lengths that `data-petstore-density` sets, so that one piece of CSS says everything. */
function densityDeclarations(density: Density): Declarations {
  if (density === 'regular') return {}
  const tokens = [...tokenSets[density]].filter(([name, value]) => tokenSets.usual.get(name) !== value)
  return Object.fromEntries(tokens.map(([name, value]) => [`--petstore-${name}`, value]))
}

function textDeclarations({ font, textSize }: Theme): Declarations {
  const { family } = fonts[font]
  return { ...(family !== '' && { 'font-family': family }), ...(textSize !== 1 && { 'font-size': `${textSize}rem` }) }
}

/**
 * The styles of a theme, and its tokens as Tailwind's: `bg-petstore-accent`, `rounded-petstore`. They name the kit's
 * variables, so they follow scheme and contrast as the components do.
 */
export function tailwindCss(theme: Theme): string {
  const colors = [...tokenSets.usual].flatMap(([token, value]) => {
    if (resolveColor(value, 'light', tokenSets.usual) === undefined) return []
    const formula = tokenSets.derived.get(token)
    return [[`--color-petstore-${token}`, `var(--petstore-${token}${formula === undefined ? '' : `, ${formula}`})`]]
  })
  const names: Declarations = { ...Object.fromEntries(colors), '--radius-petstore': 'var(--petstore-radius)' }
  return [
    "@layer theme, base, petstore, components, utilities;\n@import 'tailwindcss';\n@import 'petstore-react/styles.layer.css';",
    rule('@theme inline', names),
    themeCss(theme),
  ].join('\n\n')
}

/**
 * `tokens.json` of an own theme, in the W3C Design Tokens format: a palette, and what the components use, as aliases of it.
 * A color that is mixed from others has its value.
 */
export function themeTokens(theme: Theme): string {
  const usual = themedTokens(theme, false)
  const more = themedTokens(theme, true)
  const palette = paletteOf(theme, usual, more)
  const names = new Map<string, string>([...palette].map(([name, color]) => [color, name] as const).toReversed())
  const colors = (tokens: Tokens, scheme: Scheme) => {
    const group = colorGroup(tokens, scheme, tokenSets.derived)
    return Object.fromEntries(
      Object.entries(group).map(([token, value]): [string, DesignToken] => {
        const color = resolveColor(tokens.get(token) ?? '', scheme, tokens) ?? ''
        const name = isMixed(tokens, token) ? undefined : names.get(color)
        return [token, name === undefined ? value : { $type: 'color', $value: `{palette.${name}}` }]
      }),
    )
  }
  const sizes = new Map([
    ...(theme.density === 'regular' ? tokenSets.usual : tokenSets[theme.density]),
    ['radius', `${theme.radius}em`],
  ])
  const { family } = fonts[theme.font]
  const text: Record<string, DesignToken> = {
    'text-size': { $type: 'dimension', $value: { value: theme.textSize, unit: 'rem' } },
    ...(family !== '' && {
      'font-family': { $type: 'fontFamily', $value: family.split(', ').map((name) => name.replaceAll("'", '')) },
    }),
  }
  const file = {
    $description: 'A theme of petstore-react. Prefix a name with --petstore- for CSS.',
    palette: Object.fromEntries([...palette].map(([name, color]) => [name, colorToken(color)])),
    light: colors(usual, 'light'),
    dark: colors(usual, 'dark'),
    'high-contrast-light': colors(more, 'light'),
    'high-contrast-dark': colors(more, 'dark'),
    size: lengthGroup(sizes, tokenSets.derived),
    text,
    other: otherGroup(usual),
    'shadow-light': shadowGroup(usual, 0),
    'shadow-dark': shadowGroup(usual, 1),
  }
  return JSON.stringify(file, null, 2)
}

const isMixed = (tokens: Tokens, token: string) => (tokens.get(token) ?? '').startsWith('color-mix(')

/** Every color that is not mixed, by what people call it: by its use, or by how dark a gray is, in percent. */
function paletteOf(theme: Theme, usual: Tokens, more: Tokens): ReadonlyMap<string, string> {
  const named = new Map([
    ['white', '#ffffff'],
    ['black', '#000000'],
  ])
  for (const [name, { light, dark }] of Object.entries({ accent: theme.accent, ...theme.status })) {
    named.set(`${name}-light`, light).set(`${name}-dark`, dark)
  }
  for (const tokens of [usual, more]) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const [token, value] of tokens) {
        const color = isMixed(tokens, token) ? undefined : resolveColor(value, scheme, tokens)
        if (color === undefined || [...named.values()].includes(color)) continue
        const name = neutralTokens.includes(token) ? `neutral-${darkness(color)}` : `${token}-${scheme}`
        named.set(named.has(name) ? `${name}-${named.size}` : name, color)
      }
    }
  }
  return named
}

const darkness = (color: string) => Math.round((1 - lightnessOf(color)) * 100)

function rule(selector: string, declarations: Declarations): string {
  const lines = Object.entries(declarations).map(([property, value]) => `  ${property}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}

const media = (query: string, content: string) => `@media ${query} {\n${content.replaceAll(/^/gm, '  ')}\n}`

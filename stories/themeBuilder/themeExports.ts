import { colorGroup, lengthGroup, otherGroup, shadowGroup } from '../docs/designTokens.ts'
import { type Declarations, mappings, type VariableSource } from './hostVariables.ts'
import { defaultTheme, type Theme, tokenSets } from './theme.ts'
import { lightDark, themeColors, themedTokens } from './themeColors.ts'

/** The styles of a theme, for elements of the class `petstore-theme` and what is in them. */
export function themeCss(theme: Theme): string {
  return theme.source === 'own' ? ownCss(theme) : mappedCss(theme.source, theme)
}

function ownCss(theme: Theme): string {
  const usual = { ...colorDeclarations(theme, false), ...radiusOf(theme), ...densityOf(theme) }
  const more = colorDeclarations(theme, true)
  const highContrast = [
    '.petstore-theme[data-petstore-contrast="more"]',
    '[data-petstore-contrast="more"] .petstore-theme',
    '.petstore-theme [data-petstore-contrast="more"]',
  ].join(',\n')
  if (Object.keys(usual).length === 0) return '/* The default theme: nothing to set. */'
  const rules = [rule('.petstore-theme', usual), ...textOf(theme)]
  if (Object.keys(more).length === 0) return rules.join('\n\n')
  return [
    ...rules,
    '/* High contrast, by an attribute or by the system. */',
    rule(highContrast, more),
    media('(prefers-contrast: more)', rule('.petstore-theme', more)),
  ].join('\n\n')
}

/** In high contrast the app's variables would be too faint, so the kit's own colors apply there. */
function mappedCss(source: VariableSource, theme: Theme): string {
  const { colors, others, rule: ruleOfApp } = mappings[source]
  const usual = '.petstore-theme:not([data-petstore-contrast="more"], [data-petstore-contrast="more"] *)'
  return [
    rule('.petstore-theme', { ...others, ...densityOf(theme) }),
    ...textOf(theme),
    media('not (prefers-contrast: more)', rule(usual, colors)),
    ...(ruleOfApp === undefined ? [] : [ruleOfApp]),
  ].join('\n\n')
}

const colorDeclarations = (theme: Theme, isHighContrast: boolean): Declarations =>
  Object.fromEntries(
    [...themeColors(theme, isHighContrast)].map(([token, colors]) => [`--petstore-${token}`, lightDark(colors)]),
  )

const radiusOf = ({ radius }: Theme): Declarations =>
  radius === defaultTheme.radius ? {} : { '--petstore-radius': `${radius}em` }

/** The lengths that `data-petstore-density` sets, so that one piece of CSS says everything. */
function densityOf({ density }: Theme): Declarations {
  if (density === 'regular') return {}
  const tokens = [...tokenSets[density]].filter(([name, value]) => tokenSets.usual.get(name) !== value)
  return Object.fromEntries(tokens.map(([name, value]) => [`--petstore-${name}`, value]))
}

/** The size of the text, which `data-petstore-density="compact"` changes too: once, not again in what a component contains. */
function textOf({ density }: Theme): readonly string[] {
  if (density !== 'compact') return []
  const outer = ['form', 'list', 'manager'].map((name) => `.petstore-category-${name}`)
  const all = [...outer, '.petstore-error-notice', '.petstore-message-composer', '.petstore-rate-limit-badge']
  const selector = `.petstore-theme :is(${all.join(', ')}):not(:is(${outer.join(', ')}) *)`
  return [rule(selector, { 'font-size': '0.875em' })]
}

/** `tokens.json` of an own theme, in the W3C Design Tokens format. */
export function themeTokens(theme: Theme): string {
  const { derived } = tokenSets
  const [usual, more] = [themedTokens(theme, false), themedTokens(theme, true)]
  const density = theme.density === 'regular' ? tokenSets.usual : tokenSets[theme.density]
  const file = {
    $description: 'A theme of petstore-react. Prefix a name with --petstore- for CSS.',
    light: colorGroup(usual, 'light', derived),
    dark: colorGroup(usual, 'dark', derived),
    'high-contrast-light': colorGroup(more, 'light', derived),
    'high-contrast-dark': colorGroup(more, 'dark', derived),
    size: lengthGroup(new Map([...density, ['radius', `${theme.radius}em`]]), derived),
    other: otherGroup(usual),
    'shadow-light': shadowGroup(usual, 0),
    'shadow-dark': shadowGroup(usual, 1),
  }
  return JSON.stringify(file, null, 2)
}

function rule(selector: string, declarations: Declarations): string {
  const lines = Object.entries(declarations).map(([property, value]) => `  ${property}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}

const media = (query: string, content: string) => `@media ${query} {\n${content.replaceAll(/^/gm, '  ')}\n}`

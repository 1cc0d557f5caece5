import { colorGroup, lengthGroup, otherGroup, shadowGroup } from '../docs/designTokens.ts'
import { type Declarations, mappings, type VariableSource } from './hostVariables.ts'
import { defaultTheme, type Theme, tokenSets } from './theme.ts'
import { lightDark, themeColors, themedTokens } from './themeColors.ts'

/** The styles of a theme, for elements of the class `petstore-theme` and what is in them. */
export function themeCss(theme: Theme): string {
  return theme.source === 'own' ? ownCss(theme) : mappedCss(theme.source, theme)
}

function ownCss(theme: Theme): string {
  const sizes = { ...radiusOf(theme), ...densityOf(theme) }
  const rules = [...(Object.keys(sizes).length === 0 ? [] : [rule('.petstore-theme', sizes)]), ...textOf(theme)]
  const usual = colorDeclarations(theme, false)
  if (Object.keys(usual).length > 0) {
    const highContrast = '.petstore-theme,\n.petstore-theme [data-petstore-contrast="more"]'
    rules.push(
      inUsualContrast(usual),
      '/* High contrast, by an attribute or by the system: wherever the rule above does not apply. */',
      rule(highContrast, colorDeclarations(theme, true)),
    )
  }
  return rules.join('\n\n') || '/* The default theme: nothing to set. */'
}

/** In high contrast the app's variables would be too faint, so the kit's own colors apply there. */
function mappedCss(source: VariableSource, theme: Theme): string {
  const { colors, others, rule: ruleOfApp } = mappings[source]
  return [
    rule('.petstore-theme', { ...others, ...densityOf(theme) }),
    ...textOf(theme),
    inUsualContrast(colors),
    ...(ruleOfApp === undefined ? [] : [ruleOfApp]),
  ].join('\n\n')
}

/** One rule can require that neither system nor attribute asks for high contrast, not that one does: `tokens.css`. */
function inUsualContrast(colors: Declarations): string {
  const selector = '.petstore-theme:not([data-petstore-contrast="more"], [data-petstore-contrast="more"] *)'
  return media('not (prefers-contrast: more)', rule(selector, colors))
}

const colorDeclarations = (theme: Theme, isHighContrast: boolean): Declarations =>
  Object.fromEntries(
    [...themeColors(theme, isHighContrast)].map(([token, colors]) => [`--petstore-${token}`, lightDark(colors)]),
  )

const radiusOf = ({ radius }: Theme): Declarations =>
  radius === defaultTheme.radius ? {} : { '--petstore-radius': `${radius}em` }

/** The lengths that `data-petstore-density` sets, so that the CSS works without that attribute. */
function densityOf({ density }: Theme): Declarations {
  if (density === 'regular') return {}
  const tokens = [...tokenSets[density]].filter(([name, value]) => tokenSets.usual.get(name) !== value)
  return Object.fromEntries(tokens.map(([name, value]) => [`--petstore-${name}`, value]))
}

/** The text size of `data-petstore-density="compact"`, for outer components alone: those inside them inherit it. */
function textOf({ density }: Theme): readonly string[] {
  if (density !== 'compact') return []
  const outer = ['form', 'list', 'manager'].map((name) => `.petstore-category-${name}`)
  const all = [...outer, '.petstore-error-notice', '.petstore-message-composer', '.petstore-rate-limit-badge']
  const selector = `.petstore-theme :is(${all.join(', ')}):not(:is(${outer.join(', ')}) *)`
  return [rule(selector, { 'font-size': '0.875em' })]
}

/** `tokens.json` of a theme of source `own`, in the W3C Design Tokens format. */
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

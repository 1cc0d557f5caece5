import { contrastRatio, mixInSrgb, resolveColor, type Scheme, type Tokens } from '../docs/readTokens.ts'
import { type ContrastPair, contrastPairs, minRatio } from './contrastPairs.ts'
import { type Look, looks } from './looks.ts'
import { hueOf, tint } from './oklch.ts'
import {
  defaultTheme,
  kitColor,
  type NeutralName,
  type SchemeColors,
  statusNames,
  type Theme,
  tokenSets,
} from './theme.ts'

/** Colors by token. */
export type ColorTokens = ReadonlyMap<string, SchemeColors>

/** The gray ones among the tokens. */
export const neutralTokens: readonly string[] = [
  'text',
  'text-muted',
  'surface',
  'surface-hover',
  'surface-active',
  'divider',
  'border',
  'control-border',
  'skeleton',
]

/** The colors that an own theme sets, in usual and in high contrast. Both set the same tokens. */
export function themeColors(theme: Theme): { readonly usual: ColorTokens; readonly more: ColorTokens } {
  const usual = new Map<string, SchemeColors>()
  const more = new Map<string, SchemeColors>()
  const set = (token: string, colorOf: (scheme: Scheme, isHighContrast: boolean) => string) => {
    const both = (isHighContrast: boolean) => ({
      light: colorOf('light', isHighContrast),
      dark: colorOf('dark', isHighContrast),
    })
    usual.set(token, both(false))
    more.set(token, both(true))
  }
  const at = (token: string, scheme: Scheme, isHighContrast: boolean) =>
    (isHighContrast ? more : usual).get(token)?.[scheme] ??
    kitColor(token, scheme, isHighContrast ? tokenSets.highContrast : tokenSets.usual)

  if (theme.neutral !== 'slate') {
    for (const token of neutralTokens) {
      set(token, (scheme, isHighContrast) =>
        // High contrast is about black and white.
        isHighContrast
          ? kitColor(token, scheme, tokenSets.highContrast)
          : neutralColor(theme.neutral, kitColor(token, scheme), theme.accent[scheme]),
      )
    }
  }

  const accentOf = (scheme: Scheme, isHighContrast: boolean) =>
    isHighContrast ? strengthen(theme.accent[scheme], scheme) : theme.accent[scheme]
  const onAccentOf = (scheme: Scheme, isHighContrast: boolean) => textOn(theme, scheme, isHighContrast)
  const hoverOf = (scheme: Scheme, isHighContrast: boolean) =>
    hoverColor(
      accentOf(scheme, isHighContrast),
      onAccentOf(scheme, isHighContrast),
      at('text', scheme, isHighContrast),
      scheme,
    )
  set('accent', accentOf)
  set('on-accent', onAccentOf)
  const isHoverOwn = (['light', 'dark'] as const).some((scheme) => !hoverOf(scheme, false).isDerived)
  if (isHoverOwn) set('accent-hover', (scheme, isHighContrast) => hoverOf(scheme, isHighContrast).color)

  for (const name of statusNames) {
    const colors = theme.status[name]
    const usualColors = defaultTheme.status[name]
    if (colors.light === usualColors.light && colors.dark === usualColors.dark) continue
    const colorOf = (scheme: Scheme, isHighContrast: boolean) =>
      isHighContrast ? strengthen(colors[scheme], scheme) : colors[scheme]
    const onSurface = (share: number) => (scheme: Scheme, isHighContrast: boolean) =>
      mixInSrgb(colorOf(scheme, isHighContrast), share, at('surface', scheme, isHighContrast))
    set(name, colorOf)
    if (tokenSets.usual.has(`${name}-border`))
      set(`${name}-border`, (scheme, isHighContrast) => onSurface(isHighContrast ? 1 : 0.3)(scheme, isHighContrast))
    if (tokenSets.usual.has(`${name}-fill`)) set(`${name}-fill`, colorOf)
    if (tokenSets.usual.has(`${name}-surface`)) set(`${name}-surface`, onSurface(0.06))
  }
  return { usual, more }
}

function neutralColor(neutral: NeutralName, color: string, accent: string): string {
  if (neutral === 'gray') return tint(color, 0, 0)
  return tint(
    color,
    { warm: 70, green: 150, accent: hueOf(accent), slate: 260 }[neutral],
    neutral === 'warm' ? 0.6 : 0.9,
  )
}

/** White is what most people expect on a color, so it goes before black wherever it is enough. */
function textOn({ accent, onAccent }: Theme, scheme: Scheme, isHighContrast: boolean): string {
  const color = isHighContrast ? strengthen(accent[scheme], scheme) : accent[scheme]
  const [white, black] = [contrastRatio('#ffffff', color), contrastRatio('#000000', color)]
  if (isHighContrast) return white >= black ? '#ffffff' : '#000000'
  if (onAccent !== 'automatic') return onAccent === 'white' ? '#ffffff' : '#000000'
  // The kit's own accent keeps the kit's own text.
  if (color === defaultTheme.accent[scheme]) return kitColor('on-accent', scheme)
  return white >= 4.5 || white >= black ? '#ffffff' : '#000000'
}

/**
 * The color of a primary button under the pointer. The styles mix it with the text of the page; where that comes closer to
 * the text of the button, the theme moves the other way.
 */
function hoverColor(
  accent: string,
  onAccent: string,
  pageText: string,
  scheme: Scheme,
): { readonly color: string; readonly isDerived: boolean } {
  const tokens = new Map([...tokenSets.usual, ['accent', accent], ['text', pageText]])
  const derived = kitColor('accent-hover', scheme, tokens)
  if (contrastRatio(onAccent, derived) >= contrastRatio(onAccent, accent)) return { color: derived, isDerived: true }
  const isDarkText = contrastRatio(onAccent, '#ffffff') > contrastRatio(onAccent, '#000000')
  const moved = mixInSrgb(accent, 0.75, isDarkText ? '#ffffff' : '#000000')
  // Nothing is whiter than white.
  const canBeSeen = contrastRatio(moved, accent) >= 1.05
  return { color: canBeSeen ? moved : mixInSrgb(accent, 0.9, onAccent), isDerived: false }
}

/** Mixes a color with the text's, in the smallest of twenty steps after which it has 7 : 1 on the surface. */
function strengthen(color: string, scheme: Scheme): string {
  const surface = kitColor('surface', scheme, tokenSets.highContrast)
  const text = kitColor('text', scheme, tokenSets.highContrast)
  for (let step = 0; step < 20; step += 1) {
    const mixed = mixInSrgb(color, 1 - step / 20, text)
    if (contrastRatio(mixed, surface) >= 7) return mixed
  }
  return text
}

/** Every token of a page with an own theme, as the styles would say it. */
export function themedTokens(theme: Theme, isHighContrast: boolean): Tokens {
  const { usual, more } = themeColors(theme)
  const own = [...(isHighContrast ? more : usual)].map(([token, value]) => [token, lightDark(value)] as const)
  return new Map([...(isHighContrast ? tokenSets.highContrast : tokenSets.usual), ...own])
}

export const lightDark = ({ light, dark }: SchemeColors): string => `light-dark(${light}, ${dark})`

/** How many of all ratios of a theme are too low, counted when it is asked for; the same that the table measures in the page. */
export function failures(theme: Theme): {
  readonly count: number
  readonly fails: (pair: ContrastPair, look: Look) => boolean
} {
  const tokens = { usual: themedTokens(theme, false), more: themedTokens(theme, true) }
  const fails = (pair: ContrastPair, { scheme, isHighContrast }: Look) => {
    const used = isHighContrast ? tokens.more : tokens.usual
    const [one = '', other = ''] = [pair.token, pair.surface].map((name) =>
      resolveColor(used.get(name) ?? '', scheme, used),
    )
    return contrastRatio(one, other) < minRatio(pair, isHighContrast)
  }
  return {
    get count() {
      return looks.flatMap((look) => contrastPairs.filter((pair) => fails(pair, look))).length
    },
    fails,
  }
}

/**
 * The theme with the smallest change after which a pair has enough contrast, and nothing else has less than before.
 *
 * @returns `undefined` if no change of a color of the pair is enough
 */
export function fixContrast(theme: Theme, pair: ContrastPair, look: Look): Theme | undefined {
  const before = failures(theme).count
  let second: Theme | undefined
  for (const candidate of [pair.token, pair.surface].flatMap((token) => candidates(theme, token, look.scheme))) {
    const fixed = failures(candidate)
    if (fixed.fails(pair, look)) continue
    if (fixed.count < before) return candidate
    second ??= candidate
  }
  return second
}

/** Fixes one pair after the other, as far as that is possible. */
export function fixAll(theme: Theme): Theme {
  let fixed = theme
  for (const look of looks) {
    for (const pair of contrastPairs) {
      if (failures(fixed).fails(pair, look)) fixed = fixContrast(fixed, pair, look) ?? fixed
    }
  }
  return fixed
}

/** Themes in which a token has other colors, the smallest change first. */
function candidates(theme: Theme, token: string, scheme: Scheme): readonly Theme[] {
  const status = statusNames.find((name) => token === name || token.startsWith(`${name}-`))
  if (status) {
    return shades(theme.status[status][scheme]).map((color) => ({
      ...theme,
      status: { ...theme.status, [status]: { ...theme.status[status], [scheme]: color } },
    }))
  }
  const isOfAccent = token === 'on-accent' || token === 'accent' || tokenSets.derived.get(token)?.includes('-accent)')
  if (!isOfAccent) return theme.neutral === 'slate' ? [] : [{ ...theme, neutral: 'slate' }]
  const texts =
    token === 'on-accent' ? (['automatic', 'white', 'black'] as const).map((onAccent) => ({ ...theme, onAccent })) : []
  const accents = shades(theme.accent[scheme]).map((color) => ({
    ...theme,
    accent: { ...theme.accent, [scheme]: color },
  }))
  return [...texts, ...accents]
}

/** A color, step by step darker and lighter. */
const shades = (color: string) =>
  Array.from({ length: 40 }, (_, index) => index / 40).flatMap((share) =>
    share === 0 ? [] : ['#000000', '#ffffff'].map((end) => mixInSrgb(color, 1 - share, end)),
  )

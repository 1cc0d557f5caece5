import { contrastRatio, mixInSrgb, type Scheme, type Tokens } from '../docs/readTokens.ts'
import { hueOf, tint } from './oklch.ts'
import { type ColorName, defaultTheme, kitColor, type SchemeColors, type Theme, tokenSets } from './theme.ts'

/** Colors by token. */
export type ColorTokens = ReadonlyMap<string, SchemeColors>

/** The tokens whose colors the choice of neutrals changes. */
const neutralTokens: readonly string[] = [
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

/** The colors that a theme of source `own` sets, in usual or in high contrast. Both set the same tokens. */
export function themeColors(theme: Theme, isHighContrast: boolean): ColorTokens {
  const kit = isHighContrast ? tokenSets.highContrast : tokenSets.usual
  const colors = new Map<string, SchemeColors>()
  const set = (token: string, colorOf: (scheme: Scheme) => string) =>
    colors.set(token, { light: colorOf('light'), dark: colorOf('dark') })
  const current = (token: string, scheme: Scheme) => colors.get(token)?.[scheme] ?? kitColor(token, scheme, kit)
  const chosen = (name: ColorName) => (scheme: Scheme) =>
    isHighContrast
      ? strengthen(theme[name][scheme], kitColor('surface', scheme, kit), kitColor('text', scheme, kit), 7)
      : theme[name][scheme]
  const isChanged = (name: ColorName) =>
    theme[name].light !== defaultTheme[name].light || theme[name].dark !== defaultTheme[name].dark

  if (theme.neutral !== 'slate') {
    for (const token of neutralTokens) {
      const color = (scheme: Scheme) => kitColor(token, scheme, kit)
      // In high contrast, the neutrals stay black and white.
      set(token, isHighContrast ? color : (scheme) => neutralColor(theme, color(scheme), scheme))
    }
  }
  if (isChanged('accent')) {
    set('accent', chosen('accent'))
    // The brand's color fills buttons as it is. As text on a surface it gets the contrast that text needs.
    set('accent-text', (scheme) =>
      strengthen(current('accent', scheme), current('surface', scheme), current('text', scheme), 4.5),
    )
    set('on-accent', (scheme) => textOn(current('accent', scheme), isHighContrast))
    set('accent-hover', (scheme) => hoverColor(current('accent', scheme), current('on-accent', scheme)))
  }
  // The kit mixes the border and the background of a notice from its color and the surface.
  const shares = { '': 1, '-fill': 1, '-border': isHighContrast ? 1 : 0.3, '-surface': 0.06 }
  for (const name of (['danger', 'warning', 'success'] as const).filter(isChanged)) {
    for (const [suffix, share] of Object.entries(shares)) {
      if (!tokenSets.usual.has(name + suffix)) continue
      set(name + suffix, (scheme) => mixInSrgb(chosen(name)(scheme), share, current('surface', scheme)))
    }
  }
  return colors
}

function neutralColor({ neutral, accent }: Theme, color: string, scheme: Scheme): string {
  const hue = { slate: 260, gray: 0, warm: 70, green: 150, accent: hueOf(accent[scheme]) }[neutral]
  return tint(color, hue, { slate: 1, gray: 0, warm: 0.6, green: 0.9, accent: 0.9 }[neutral])
}

/** White is what most people expect on a color, so it goes before black wherever it is enough. */
function textOn(accent: string, isHighContrast: boolean): string {
  const [white, black] = [contrastRatio('#ffffff', accent), contrastRatio('#000000', accent)]
  return white >= black || (white >= 4.5 && !isHighContrast) ? '#ffffff' : '#000000'
}

/** The color of a primary button under the pointer: it moves away from the button's text. */
function hoverColor(accent: string, onAccent: string): string {
  const moved = mixInSrgb(accent, 0.75, onAccent === '#ffffff' ? '#000000' : '#ffffff')
  // White cannot get whiter, nor black blacker: then the color moves towards the text.
  return contrastRatio(moved, accent) >= 1.05 ? moved : mixInSrgb(accent, 0.9, onAccent)
}

/** Mixes a color with the text's, in the smallest of twenty steps after which it has this contrast to the surface. */
function strengthen(color: string, surface: string, text: string, ratio: number): string {
  const mixed = Array.from({ length: 20 }, (_, step) => mixInSrgb(color, 1 - step / 20, text))
  return mixed.find((one) => contrastRatio(one, surface) >= ratio) ?? text
}

/** Every token of a page with a theme of source `own`, as its styles would declare it. */
export function themedTokens(theme: Theme, isHighContrast: boolean): Tokens {
  const themed = [...themeColors(theme, isHighContrast)].map(([token, colors]) => [token, lightDark(colors)] as const)
  return new Map([...(isHighContrast ? tokenSets.highContrast : tokenSets.usual), ...themed])
}

export const lightDark = ({ light, dark }: SchemeColors): string => `light-dark(${light}, ${dark})`

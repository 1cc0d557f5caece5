import { contrastRatio, mixInSrgb, resolveColor, type Scheme } from '../docs/readTokens.ts'
import { type ContrastPair, contrastPairs, type Look, looks, minRatio } from './contrastPairs.ts'
import { colorNames, type Theme, tokenSets } from './theme.ts'
import { themedTokens } from './themeColors.ts'

/** The contrast of a theme whose source is `own`, computed on demand. */
interface Contrast {
  /** The colors of the token and of its surface. */
  readonly colors: (pair: ContrastPair, look: Look) => readonly [color: string, surface: string]
  readonly ratio: (pair: ContrastPair, look: Look) => number
  readonly isTooLow: (pair: ContrastPair, look: Look) => boolean
  /** How many ratios are too low. */
  readonly failures: () => number
}

export function contrastOf(theme: Theme): Contrast {
  const tokens = { usual: themedTokens(theme, false), more: themedTokens(theme, true) }
  const colors: Contrast['colors'] = ({ token, surface }, { scheme, isHighContrast }) => {
    const used = isHighContrast ? tokens.more : tokens.usual
    const colorOf = (name: string) => resolveColor(used.get(name) ?? '', scheme, used) ?? ''
    return [colorOf(token), colorOf(surface)]
  }
  const ratio: Contrast['ratio'] = (pair, look) => contrastRatio(...colors(pair, look))
  // Not `<`: an invalid color has the ratio NaN, and has to fail.
  const isTooLow = (pair: ContrastPair, look: Look) => !(ratio(pair, look) >= minRatio(pair, look.isHighContrast))
  const failures = () => looks.flatMap((look) => contrastPairs.filter((pair) => isTooLow(pair, look))).length
  return { colors, ratio, isTooLow, failures }
}

/**
 * Changes the pair's token, else its surface, as little as fixes the pair and lets fewer ratios fail in all.
 * If that is impossible, takes the first change that fixes the pair; if none does, returns the same theme.
 */
export function fixContrast(theme: Theme, pair: ContrastPair, look: Look): Theme {
  const before = contrastOf(theme).failures()
  let fallback: Theme | undefined
  for (const candidate of [pair.token, pair.surface].flatMap((token) => candidates(theme, token, look.scheme))) {
    const { isTooLow, failures } = contrastOf(candidate)
    if (isTooLow(pair, look)) continue
    if (failures() < before) return candidate
    fallback ??= candidate
  }
  return fallback ?? theme
}

/** Fixes one pair after the other, as far as that is possible. */
export function fixAll(theme: Theme): Theme {
  let fixed = theme
  for (const look of looks) {
    for (const pair of contrastPairs) {
      if (contrastOf(fixed).isTooLow(pair, look)) fixed = fixContrast(fixed, pair, look)
    }
  }
  return fixed
}

/** Themes in which a token has another color, the smallest change first. Neutrals can only return to the kit's own. */
function candidates(theme: Theme, token: string, scheme: Scheme): readonly Theme[] {
  const isOfAccent = token === 'on-accent' || tokenSets.derived.get(token)?.includes('-accent)')
  const name = isOfAccent ? 'accent' : colorNames.find((one) => token === one || token.startsWith(`${one}-`))
  if (!name) return theme.neutral === 'slate' ? [] : [{ ...theme, neutral: 'slate' }]
  return shades(theme[name][scheme]).map((color) => ({ ...theme, [name]: { ...theme[name], [scheme]: color } }))
}

/** A color, step by step darker and lighter. */
const shades = (color: string) =>
  Array.from({ length: 40 }, (_, index) => (index + 1) / 40).flatMap((share) =>
    ['#000000', '#ffffff'].map((end) => mixInSrgb(color, 1 - share, end)),
  )

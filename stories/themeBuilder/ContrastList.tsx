import type { ReactElement } from 'react'
import { type ContrastPair, contrastPairs, type Look, looks } from './contrastPairs.ts'
import { contrastOf, fixContrast } from './fixContrast.ts'
import type { Theme } from './theme.ts'

interface ContrastListProps {
  readonly theme: Theme
  /** Shows one look. Default: all looks. */
  readonly look?: Look
  /** Called with the theme after a fix. If set, the list has only the ratios that fail, each with a button. */
  readonly onFix?: (theme: Theme) => void
}

/** The contrast of each pair of colors of a theme whose source is `own`. */
export function ContrastList({ theme, look: only, onFix }: ContrastListProps): ReactElement {
  const contrast = contrastOf(theme)
  const shown = (only ? [only] : looks)
    .flatMap((look) => contrastPairs.map((pair) => ({ pair, look, isTooLow: contrast.isTooLow(pair, look) })))
    .toSorted((one, other) => Number(other.isTooLow) - Number(one.isTooLow))
  return (
    <ul className="theme-ratios">
      {shown.map(({ pair, look, isTooLow }) => {
        if (onFix && !isTooLow) return null
        const name = `${pair.token} on ${pair.surface}, ${pair.kind}${only ? '' : `, ${look.title}`}`
        const ratio = contrast.ratio(pair, look)
        const [color, background] = contrast.colors(pair, look)
        return (
          <li key={name}>
            <span>{name}</span>
            <span>
              <span
                className="theme-sample"
                data-sample={pair.kind === 'text' ? 'Aa' : '●'}
                style={{ color, background }}
              />
              <bdi dir="ltr">{`${formatRatio(ratio)} : 1`}</bdi>{' '}
              <strong data-fails={isTooLow}>{isTooLow ? 'fails' : gradeOf(pair, ratio)}</strong>
            </span>
            {onFix && (
              <button
                type="button"
                className="petstore-button"
                aria-label={`Fix ${name}`}
                onClick={() => onFix(fixContrast(theme, pair, look))}
              >
                Fix
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The level of WCAG 2.2 of a ratio that does not fail. WCAG has an AAA for text alone. */
const gradeOf = ({ kind }: ContrastPair, ratio: number) => (kind === 'text' && ratio >= 7 ? 'AAA' : 'AA')

/** Rounded down, since 4.49 is not 4.5. */
const formatRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

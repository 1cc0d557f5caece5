import type { ReactElement } from 'react'
import { type ContrastPair, contrastPairs, minRatio } from './contrastPairs.ts'
import { type Look, looks } from './looks.ts'

/** The ratios of `contrastPairs` in each of `looks`. */
export type Ratios = readonly (readonly number[])[]

interface ContrastTableProps {
  readonly ratios: Ratios
  /** Called with the pair to change. Without it, nothing can be fixed here. */
  readonly onFix?: (pair: ContrastPair, look: Look) => void
  readonly onFixAll?: () => void
}

const nameOf = ({ token, surface }: ContrastPair) => `${token} on ${surface}`

/** The contrast of each pair of colors: those that fail first, each with a button that mends it. */
export function ContrastTable({ ratios, onFix, onFixAll }: ContrastTableProps): ReactElement {
  const rows = contrastPairs.map((pair, index) => ({
    pair,
    cells: looks.map((look, place) => {
      const ratio = ratios[place]?.[index] ?? Number.NaN
      return { look, ratio, grade: gradeOf(pair, ratio, look.isHighContrast) }
    }),
  }))
  const hasFailure = ({ cells }: (typeof rows)[number]) => cells.some(({ grade }) => grade === 'fails')
  const failures = rows.flatMap(({ cells }) => cells.filter(({ grade }) => grade === 'fails')).length
  const sorted = [...rows.filter(hasFailure), ...rows.filter((row) => !hasFailure(row))]
  return (
    <div className="theme-part">
      <h2 id="theme-contrast">Contrast</h2>
      <div className="theme-head">
        <output className="theme-summary" data-good={failures === 0}>
          {failures === 0
            ? `All ${contrastPairs.length} pairs of colors have enough contrast in each look.`
            : `${failures} of ${contrastPairs.length * looks.length} ratios fail.`}
        </output>
        {failures > 0 && onFixAll && (
          <button type="button" className="petstore-button petstore-button-primary" onClick={onFixAll}>
            Fix all
          </button>
        )}
      </div>
      {/* A wide table scrolls in its box, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="theme-table" aria-labelledby="theme-contrast" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Colors</th>
              {looks.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ pair, cells }) => (
              <tr key={nameOf(pair) + pair.kind}>
                <th scope="row">
                  {nameOf(pair)} <small>{pair.kind}</small>
                </th>
                {cells.map(({ look, ratio, grade }) => (
                  <td key={look.title}>
                    <bdi dir="ltr">{`${formatRatio(ratio)} : 1`}</bdi> <strong data-grade={grade}>{grade}</strong>
                    {grade === 'fails' && onFix && (
                      <button
                        type="button"
                        className="petstore-button"
                        aria-label={`Fix ${nameOf(pair)}, ${pair.kind}, ${look.title}`}
                        onClick={() => onFix(pair, look)}
                      >
                        Fix
                      </button>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** The level of WCAG 2.2 that a ratio has. It knows AAA for text alone, and in high contrast less than that fails. */
function gradeOf(pair: ContrastPair, ratio: number, isHighContrast: boolean): 'AAA' | 'AA' | 'fails' {
  if (!(ratio >= minRatio(pair, isHighContrast))) return 'fails'
  return pair.kind === 'text' && ratio >= 7 ? 'AAA' : 'AA'
}

/** Rounded down, since 4.49 is not 4.5. */
const formatRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

import type { ReactElement } from 'react'
import { type ContrastPair, contrastPairs, looks } from './contrastPairs.ts'
import { contrastOf, fixContrast } from './fixContrast.ts'
import type { Theme } from './theme.ts'

interface ContrastTableProps {
  readonly theme: Theme
  readonly onChange: (theme: Theme) => void
}

/** The contrast of each pair of colors of an own theme: those that fail first, each with a button that mends it. */
export function ContrastTable({ theme, onChange }: ContrastTableProps): ReactElement {
  const contrast = contrastOf(theme)
  const hasFailure = (pair: ContrastPair) => looks.some((look) => contrast.fails(pair, look))
  const sorted = contrastPairs.toSorted((one, other) => Number(hasFailure(other)) - Number(hasFailure(one)))
  return (
    <div className="theme-part">
      <h2 id="theme-contrast">Contrast</h2>
      {/* A wide table scrolls in its box, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="theme-box" aria-labelledby="theme-contrast" tabIndex={0}>
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
            {sorted.map((pair) => (
              <tr key={nameOf(pair)}>
                <th scope="row">{nameOf(pair)}</th>
                {looks.map((look) => {
                  const ratio = contrast.ratio(pair, look)
                  const fails = contrast.fails(pair, look)
                  const [color, background] = contrast.colors(pair, look)
                  return (
                    <td key={look.title}>
                      <span
                        className="theme-sample"
                        data-sample={pair.kind === 'text' ? 'Aa' : '●'}
                        style={{ color, background }}
                      />
                      <bdi dir="ltr">{`${formatRatio(ratio)} : 1`}</bdi>{' '}
                      <strong data-fails={fails}>{fails ? 'fails' : gradeOf(pair, ratio)}</strong>
                      {fails && (
                        <button
                          type="button"
                          className="petstore-button"
                          aria-label={`Fix ${nameOf(pair)}, ${look.title}`}
                          onClick={() => onChange(fixContrast(theme, pair, look))}
                        >
                          Fix
                        </button>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

const nameOf = ({ token, surface, kind }: ContrastPair) => `${token} on ${surface}, ${kind}`

/** The level of WCAG 2.2 that a ratio has. It knows AAA for text alone. */
const gradeOf = ({ kind }: ContrastPair, ratio: number) => (kind === 'text' && ratio >= 7 ? 'AAA' : 'AA')

/** Rounded down, since 4.49 is not 4.5. */
const formatRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

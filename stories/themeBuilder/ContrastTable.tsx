import type { ReactElement } from 'react'
import { type ContrastPair, contrastPairs, minRatio } from './contrastPairs.ts'
import { looks } from './looks.ts'

/** The ratios of `contrastPairs` in each of `looks`. */
export type Ratios = readonly (readonly number[])[]

/** Shown also where all of them are good. */
const important = new Set([
  'text on surface',
  'text-muted on surface',
  'text on selected',
  'on-accent on accent',
  'accent on surface',
  'focus on surface',
  'control-border on surface',
  'danger on surface',
])

const nameOf = ({ token, surface }: ContrastPair) => `${token} on ${surface}`

/** The contrast of the most important pairs of colors, and of each pair that has too little. */
export function ContrastTable({ ratios }: { readonly ratios: Ratios }): ReactElement {
  const rows = contrastPairs.map((pair, index) => ({
    pair,
    cells: looks.map(({ title, isHighContrast }, look) => {
      const ratio = ratios[look]?.[index] ?? Number.NaN
      return { title, ratio, isTooLow: ratio < minRatio(pair, isHighContrast) }
    }),
  }))
  const tooLow = rows.flatMap(({ cells }) => cells.filter(({ isTooLow }) => isTooLow)).length
  const shown = rows.filter(({ pair, cells }) => important.has(nameOf(pair)) || cells.some(({ isTooLow }) => isTooLow))
  return (
    <div className="theme-part">
      <h2 id="theme-contrast">Contrast</h2>
      <output className="theme-summary" data-good={tooLow === 0}>
        {tooLow === 0
          ? `All ${contrastPairs.length} pairs of colors have enough contrast in each look.`
          : `${tooLow} of ${contrastPairs.length * looks.length} ratios are too low.`}
      </output>
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
            {shown.map(({ pair, cells }) => (
              <tr key={nameOf(pair) + pair.kind}>
                <th scope="row">
                  {nameOf(pair)} <small>{pair.kind}</small>
                </th>
                {cells.map(({ title, ratio, isTooLow }) => (
                  <td key={title} data-too-low={isTooLow}>
                    <bdi dir="ltr">{`${formatRatio(ratio)} : 1`}</bdi>
                    {isTooLow && <strong>too low</strong>}
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

/** Rounded down, since 4.49 is not 4.5. */
const formatRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

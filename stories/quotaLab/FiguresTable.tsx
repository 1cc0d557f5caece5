import type { ReactElement } from 'react'
import type { SimulationResult } from './simulate.ts'
import { figuresOf } from './summarize.ts'

interface FiguresTableProps {
  /** Of each client. */
  readonly titles: readonly string[]
  /** In the same order. */
  readonly results: readonly SimulationResult[] | undefined
}

/** Every figure of every client, folded away until someone asks. */
export function FiguresTable({ titles, results = [] }: FiguresTableProps): ReactElement {
  const columns = results.map(figuresOf)
  return (
    <details className="lab-figures">
      <summary>All figures</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.keys(columns[0] ?? {}).map((label) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map((column, index) => (
                <td key={titles[index]}>{column[label]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

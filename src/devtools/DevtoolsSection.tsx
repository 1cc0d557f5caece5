import type { ReactElement, ReactNode } from 'react'

interface DevtoolsSectionProps {
  readonly title: string
  readonly children: ReactNode
}

/** A part of the panel, with a heading. */
export function DevtoolsSection({ title, children }: DevtoolsSectionProps): ReactElement {
  return (
    <div className="petstore-devtools-section">
      <h3 className="petstore-devtools-heading">{title}</h3>
      {children}
    </div>
  )
}

interface ScrollableTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** The columns of numbers, which end at one edge. Their cells have `data-number`. */
  readonly numbers?: readonly string[]
  /** The rows. */
  readonly children: ReactNode
}

/** A table that scrolls sideways where the panel is narrow, also by keys. */
export function ScrollableTable({ label, columns, numbers = [], children }: ScrollableTableProps): ReactElement {
  return (
    // Keys scroll only what has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="petstore-devtools-scroll" aria-label={label} tabIndex={0}>
      <table className="petstore-devtools-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" data-number={numbers.includes(column) || undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

import { forwardRef, memo, type ReactElement } from 'react'
import type { Category, CategoryId } from '../../contract/category.ts'
import type { PendingCategory } from '../../hooks/pendingCategories.ts'
import { rowKeys } from './rowKeys.ts'
import { CategoryRow, type RowOptions, textOf } from './CategoryRow.tsx'

export interface CategoryRowsProps {
  readonly rows: readonly Category[]
  /** Shown after the rows. */
  readonly pending: readonly PendingCategory[]
  /** Marks a pending row. */
  readonly pendingLabel: string
  readonly selectedIds: ReadonlySet<CategoryId>
  readonly options: RowOptions
  /** Ids of the texts that say how many categories there are: screen readers count only the rows in the page. */
  readonly describedBy: string
}

interface PlainRowsProps extends CategoryRowsProps {
  readonly className: string
}

/** All rows in the page. Memoized, so that requests and keystrokes do not re-render it. */
export const CategoryRows = memo(
  forwardRef<HTMLUListElement, PlainRowsProps>(function CategoryRows(props, ref) {
    const { rows, pending, pendingLabel, selectedIds, options, describedBy, className } = props
    const keys = rowKeys(rows)
    return (
      // An explicit role, because Safari drops the list role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      <ul ref={ref} className={className} role="list" aria-describedby={describedBy}>
        {rows.map((category, index) => (
          <CategoryRow
            key={keys[index]}
            category={category}
            isSelected={selectedIds.has(category.id)}
            options={options}
          />
        ))}
        {pending.map((category) => (
          <PendingRow key={category.key} category={category} label={pendingLabel} options={options} />
        ))}
      </ul>
    )
  }),
)

interface PendingRowProps {
  readonly category: PendingCategory
  readonly label: string
  readonly options: RowOptions
  readonly as?: 'li' | 'div'
}

/** A category that is being created. It has no actions and cannot be selected. */
export function PendingRow({ category, label, options, as: Element = 'li' }: PendingRowProps): ReactElement {
  return (
    <Element
      className={`${options.rowClass} petstore-category-list-row-pending`}
      aria-busy="true"
      data-indented={options.selectionMode !== 'none' || undefined}
    >
      <span className="petstore-category-list-text">{textOf(category, options)}</span>
      <span className="petstore-category-list-pending">{label}</span>
    </Element>
  )
}

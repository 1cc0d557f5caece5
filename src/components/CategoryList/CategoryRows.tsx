import { forwardRef, memo, type NamedExoticComponent, type ReactElement, type RefAttributes } from 'react'
import type { Category, CategoryId } from '../../contract/category.ts'
import type { PendingCategory } from '../../hooks/pendingCategories.ts'
import { CategoryRow, type RowOptions, textOf } from './CategoryRow.tsx'

export interface CategoryRowsProps {
  readonly rows: readonly Category[]
  /** After the others. */
  readonly pending: readonly PendingCategory[]
  /** Marks a pending row. */
  readonly pendingLabel: string
  readonly selectedIds: ReadonlySet<CategoryId>
  readonly options: RowOptions
  /** The element that says how many there are: screen readers count what is in the page only. */
  readonly describedBy: string
}

interface PlainRowsProps extends CategoryRowsProps {
  readonly className: string
}

/** The list itself, all rows in the page. Does not render for what goes on around it. */
export const CategoryRows: NamedExoticComponent<PlainRowsProps & RefAttributes<HTMLUListElement>> = memo(
  forwardRef<HTMLUListElement, PlainRowsProps>(function CategoryRows(props, ref) {
    const { rows, pending, pendingLabel, selectedIds, options, describedBy, className } = props
    return (
      // The role is spoken out because Safari drops it from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      <ul ref={ref} className={className} role="list" aria-describedby={describedBy}>
        {rows.map((category) => (
          <CategoryRow
            key={category.id}
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

/** A category that is being created: nothing can be done with it yet. */
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

import { forwardRef, memo, type ReactElement } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/int64.ts'
import type { PendingCategory } from '../../hooks/usePendingCategories.ts'
import { rowKeys } from './rowKeys.ts'
import { CategoryRow, type CategoryRowProps, type RowOptions, textOf } from './CategoryRow.tsx'
import type { RevealedRow } from './RevealedRow.ts'

export interface CategoryRowsProps {
  /** The categories, and behind them those that are being created. */
  readonly items: readonly (Category | PendingCategory)[]
  readonly selectedIds: ReadonlySet<CategoryId>
  /** The row that is highlighted. */
  readonly revealed: RevealedRow | undefined
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
    const { items, describedBy, className } = props
    const keys = rowKeys(items)
    return (
      // An explicit role, because Safari drops the list role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      <ul ref={ref} className={className} role="list" aria-describedby={describedBy}>
        {items.map((item, index) => renderRow(props, item, keys[index]))}
      </ul>
    )
  }),
)

export function renderRow(
  { selectedIds, revealed, options }: CategoryRowsProps,
  item: Category | PendingCategory,
  key: string | undefined,
  inWindow: Pick<CategoryRowProps, 'as' | 'isTabStop'> = {},
): ReactElement {
  return 'key' in item ? (
    <PendingRow key={key} category={item} options={options} as={inWindow.as} />
  ) : (
    <CategoryRow
      key={key}
      category={item}
      isSelected={selectedIds.has(item.id)}
      isNew={item.id === revealed?.id}
      options={options}
      {...inWindow}
    />
  )
}

interface PendingRowProps {
  readonly category: PendingCategory
  readonly options: RowOptions
  readonly as?: 'li' | 'div' | undefined
}

/** A category that is being created. It has no actions and cannot be selected. */
function PendingRow({ category, options, as: Element = 'li' }: PendingRowProps): ReactElement {
  return (
    <Element
      className={`${options.rowClass} petstore-category-list-row-pending`}
      aria-busy="true"
      data-indented={options.selectionMode !== 'none' || undefined}
    >
      <span className="petstore-category-list-text">{textOf(category, options)}</span>
      <span className="petstore-category-list-pending">{options.pendingLabel}</span>
    </Element>
  )
}

import { forwardRef, memo, type ReactElement, type ReactNode } from 'react'
import type { Category, NewCategory } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/fields.ts'
import type { PendingCategory } from '../../hooks/usePendingCategories.ts'
import { BusyText } from '../BusyText.tsx'
import type { SelectRow } from './useSelection.ts'

interface CategoryRowsProps {
  /** The categories, and behind them those that are being created. */
  readonly items: readonly (Category | PendingCategory)[]
  readonly selectedIds: ReadonlySet<CategoryId>
  readonly highlightedId: CategoryId | undefined
  readonly options: RowOptions
  /** Ids of the texts that say how many categories there are: screen readers count only the rows in the page. */
  readonly describedBy: string | undefined
  readonly className: string
}

/** The rows. Memoized, so that requests and keystrokes do not re-render them. */
export const CategoryRows = /* @__PURE__ */ memo(
  forwardRef<HTMLUListElement, CategoryRowsProps>(function CategoryRows(props, ref) {
    const { items, selectedIds, highlightedId, options, describedBy, className } = props
    const ids = new Set<CategoryId>()
    return (
      // An explicit role, because Safari drops the list role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      <ul ref={ref} className={className} role="list" aria-describedby={describedBy}>
        {items.map((item, index) => {
          if ('key' in item) return <PendingRow key={item.key} category={item} options={options} />
          const { id } = item
          // A service may send an id twice. With equal keys, React would keep rows that are gone.
          const key = ids.has(id) ? `${id}#${index}` : id
          ids.add(id)
          return (
            <CategoryRow
              key={key}
              category={item}
              isSelected={selectedIds.has(id)}
              isNew={id === highlightedId}
              options={options}
            />
          )
        })}
      </ul>
    )
  }),
)

/** A category that is being created. It has no actions and cannot be selected. */
function PendingRow({ category, options }: { category: PendingCategory; options: RowOptions }): ReactElement {
  return (
    <li
      className={`${options.rowClass} petstore-category-list-row-pending`}
      aria-busy="true"
      data-indented={options.selectionMode !== 'none' || undefined}
    >
      <span className="petstore-category-list-text">{textOf(category, options)}</span>
      <span className="petstore-hint">
        <BusyText phase={category.wait ? 'waiting' : 'sending'}>
          {category.wait ? options.heldLabel : options.pendingLabel}
        </BusyText>
      </span>
    </li>
  )
}

/** The options that all rows of a list share. The same object until one of them changes. */
export interface RowOptions {
  readonly selectionMode: 'none' | 'single' | 'multiple'
  /** Unique on the page: the prefix of ids, and the name of the radio group. */
  readonly group: string
  readonly select: SelectRow
  readonly renderItem: ((category: Category) => ReactNode) | undefined
  readonly actions: ((category: Category) => ReactNode) | undefined
  /** Mark the row of a category that is being created: under way, and while its request waits. */
  readonly pendingLabel: string
  readonly heldLabel: string
  /** Complete class attributes: our class and the app's. */
  readonly rowClass: string
  readonly nameClass: string
  readonly descriptionClass: string
  readonly actionsClass: string
}

interface CategoryRowProps {
  readonly category: Category
  readonly isSelected: boolean
  readonly isNew: boolean
  readonly options: RowOptions
}

const CategoryRow = /* @__PURE__ */ memo(function CategoryRow(props: CategoryRowProps) {
  const { category, isSelected, isNew, options } = props
  const { selectionMode, group, select, renderItem, actions } = options
  const { id, name, description } = category
  const descriptionId = selectionMode !== 'none' && description ? `${group}-${id}` : undefined
  const text = renderItem ? renderItem(category) : textOf(category, options, descriptionId)

  // The common case, with as few elements as possible: a keystroke in the filter can replace hundreds of rows.
  if (selectionMode === 'none' && !actions) {
    return (
      <li className={`${options.rowClass} petstore-category-list-text`} data-new={isNew || undefined}>
        {text}
      </li>
    )
  }
  const wrapped = <span className="petstore-category-list-text">{text}</span>
  return (
    <li
      className={options.rowClass}
      data-indented={selectionMode !== 'none' || undefined}
      data-selected={isSelected || undefined}
      data-new={isNew || undefined}
    >
      {selectionMode === 'none' ? (
        wrapped
      ) : (
        <label className="petstore-category-list-choice">
          <input
            type={selectionMode === 'single' ? 'radio' : 'checkbox'}
            name={selectionMode === 'single' ? group : undefined}
            className="petstore-category-list-input"
            // Without a label, the name would be the whole text of the row, or whatever the app renders.
            aria-label={name || id}
            aria-describedby={renderItem ? undefined : descriptionId}
            checked={isSelected}
            ref={(input) => {
              // A reset of a form around the list restores this. React sets such a default for text fields alone.
              if (input) input.defaultChecked = isSelected
            }}
            onKeyUp={({ shiftKey }) => {
              isShiftDown = shiftKey
            }}
            onChange={({ nativeEvent, currentTarget }) => {
              // The event behind a change of a checkbox is a click, also if the keyboard caused it.
              const isRange = isShiftDown || ('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              // With Shift, the browser has also selected the text between the two presses.
              if (isRange) currentTarget.ownerDocument.getSelection()?.removeAllRanges()
              select(id, !isSelected, isRange)
              isShiftDown = false
            }}
          />
          {wrapped}
        </label>
      )}
      {actions && <div className={options.actionsClass}>{actions(category)}</div>}
    </li>
  )
}, isSame)

/** Whether Shift was held when a key was last released: in Firefox, the click that Space makes next does not say. */
let isShiftDown = false

/** Compares by value: a new response consists of new objects, most of them with the same values. */
function isSame(one: CategoryRowProps, other: CategoryRowProps): boolean {
  return (
    one.isSelected === other.isSelected &&
    one.isNew === other.isNew &&
    one.options === other.options &&
    one.category.id === other.category.id &&
    one.category.name === other.category.name &&
    one.category.description === other.category.description
  )
}

function textOf({ name, description }: NewCategory, options: RowOptions, descriptionId?: string): ReactNode {
  return (
    <>
      <span className={options.nameClass} dir="auto">
        {name}
      </span>
      {description && (
        <span id={descriptionId} className={options.descriptionClass} dir="auto">
          {description}
        </span>
      )}
    </>
  )
}

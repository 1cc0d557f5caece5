import { memo, type NamedExoticComponent, type ReactNode } from 'react'
import type { Category, CategoryId, NewCategory } from '../../contract/category.ts'

/** What is the same for all rows of a list. The same object for as long as nothing in it changes. */
export interface RowOptions {
  readonly selectionMode: 'none' | 'single' | 'multiple'
  /** Unique on the page: begins ids, and makes the radio buttons one group. */
  readonly group: string
  readonly select: (id: CategoryId, isSelected: boolean) => void
  readonly renderItem: ((category: Category) => ReactNode) | undefined
  readonly actions: ((category: Category) => ReactNode) | undefined
  /** Whole class attributes, ours and the app's. */
  readonly rowClass: string
  readonly nameClass: string
  readonly descriptionClass: string
  readonly actionsClass: string
}

interface CategoryRowProps {
  readonly category: Category
  readonly isSelected: boolean
  readonly options: RowOptions
  /** `div` where a list item is around it already. */
  readonly as?: 'li' | 'div'
}

/** One category. Renders again only when something of its own changes. */
export const CategoryRow: NamedExoticComponent<CategoryRowProps> = memo(function CategoryRow(props: CategoryRowProps) {
  const { category, isSelected, options, as: Element = 'li' } = props
  const { selectionMode, group, select, renderItem, actions } = options
  const { id, name, description } = category
  const descriptionId = selectionMode !== 'none' && description ? `${group}-${id}` : undefined
  const text = renderItem ? renderItem(category) : textOf(category, options, descriptionId)
  const textClass = renderItem ? 'petstore-category-list-custom' : 'petstore-category-list-text'

  // Most rows are no more than this, and hundreds of them come and go with a keystroke.
  if (selectionMode === 'none' && !actions) {
    return <Element className={`${options.rowClass} ${textClass}`}>{text}</Element>
  }
  const wrapped = <span className={textClass}>{text}</span>
  return (
    <Element className={options.rowClass} data-selected={isSelected || undefined}>
      {selectionMode === 'none' ? (
        wrapped
      ) : (
        <label className="petstore-category-list-choice">
          <input
            type={selectionMode === 'single' ? 'radio' : 'checkbox'}
            name={selectionMode === 'single' ? group : undefined}
            className="petstore-category-list-input"
            // The label's text is the whole row, or whatever the app renders.
            aria-label={name}
            aria-describedby={renderItem ? undefined : descriptionId}
            checked={isSelected}
            onChange={({ currentTarget }) => select(id, currentTarget.checked)}
          />
          {wrapped}
        </label>
      )}
      {actions && <div className={options.actionsClass}>{actions(category)}</div>}
    </Element>
  )
}, isSame)

/** By value: a new response of the service is made of new objects, most of which say the same. */
function isSame(one: CategoryRowProps, other: CategoryRowProps): boolean {
  return (
    one.isSelected === other.isSelected &&
    one.options === other.options &&
    one.as === other.as &&
    one.category.id === other.category.id &&
    one.category.name === other.category.name &&
    one.category.description === other.category.description
  )
}

/** Name and description, each in its own direction. */
export function textOf({ name, description }: NewCategory, options: RowOptions, descriptionId?: string): ReactNode {
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

import { memo, type NamedExoticComponent, type ReactElement, type ReactNode } from 'react'
import type { Category, CategoryId } from '../../contract/category.ts'
import { classNames } from '../classNames.ts'

/** What is the same for all rows of a list. The same object for as long as nothing in it changes. */
export interface RowOptions {
  readonly selectionMode: 'none' | 'single' | 'multiple'
  /** Unique on the page: begins ids, and makes the radio buttons one group. */
  readonly group: string
  readonly select: (id: CategoryId, isSelected: boolean) => void
  readonly renderItem: ((category: Category) => ReactNode) | undefined
  readonly actions: ((category: Category) => ReactNode) | undefined
  readonly row: string | undefined
  readonly name: string | undefined
  readonly description: string | undefined
  readonly actionsSlot: string | undefined
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
  const text = (
    <span className="petstore-category-list-text">
      {renderItem ? (
        renderItem(category)
      ) : (
        <CategoryText name={name} description={description} descriptionId={descriptionId} options={options} />
      )}
    </span>
  )

  return (
    <Element className={classNames('petstore-category-list-row', options.row)} data-selected={isSelected || undefined}>
      {selectionMode === 'none' ? (
        text
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
          {text}
        </label>
      )}
      {actions && (
        <div className={classNames('petstore-category-list-actions', options.actionsSlot)}>{actions(category)}</div>
      )}
    </Element>
  )
}, isSame)

/** By value: a new answer of the service is made of new objects, most of which say the same. */
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

interface CategoryTextProps {
  readonly name: string
  readonly description: string | undefined
  readonly descriptionId?: string | undefined
  readonly options: RowOptions
}

/** Name and description, each in its own direction. */
export function CategoryText({ name, description, descriptionId, options }: CategoryTextProps): ReactElement {
  return (
    <>
      <span className={classNames('petstore-category-list-name', options.name)} dir="auto">
        {name}
      </span>
      {description && (
        <span
          id={descriptionId}
          className={classNames('petstore-category-list-description', options.description)}
          dir="auto"
        >
          {description}
        </span>
      )}
    </>
  )
}

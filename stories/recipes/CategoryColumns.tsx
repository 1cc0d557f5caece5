import { type ReactElement, type ReactNode, useCallback, useState } from 'react'
import { type Category, CategoryList } from '../../src/index.ts'
import './Recipes.css'

/** Defined outside the component, so that its identity is stable and only changed rows render again. */
function renderColumns({ id, name, description }: Category): ReactNode {
  return (
    <span className="recipe-columns">
      <span dir="auto">{name}</span>
      <span dir="auto">{description ?? '–'}</span>
      <span>{id}</span>
    </span>
  )
}

/**
 * `renderItem` lays out rows in columns, and `actions` adds a button to each row. To sort by column, build a real table
 * on `useCategories`: see [Examples/Category table](?path=/docs/examples-category-table--docs).
 */
export function CategoryColumns(): ReactElement {
  const [editedCategory, setEditedCategory] = useState<Category>()
  const renderActions = useCallback(
    (category: Category) => (
      <button
        type="button"
        className="petstore-button"
        aria-label={`Edit ${category.name}`}
        onClick={() => setEditedCategory(category)}
      >
        Edit
      </button>
    ),
    [],
  )
  return (
    <>
      <CategoryList renderItem={renderColumns} actions={renderActions} />
      <output className="recipe-message">
        {editedCategory && `Your app would open its editor for ${editedCategory.name} here.`}
      </output>
    </>
  )
}

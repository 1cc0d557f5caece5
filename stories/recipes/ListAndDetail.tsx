import { type ReactElement, useState } from 'react'
import { type CategoryId, CategoryList, useCategories } from '../../src/index.ts'
import './Recipes.css'

function CategoryDetail({ id }: { readonly id: CategoryId | undefined }): ReactElement {
  // Shares the list's data, so it sends no request.
  const { data } = useCategories()
  const category = data?.find((candidate) => candidate.id === id)
  if (!category) return <p>Select a category to see its details.</p>
  return (
    <>
      <h2 dir="auto">{category.name}</h2>
      <p dir="auto">{category.description ?? 'No description.'}</p>
      <p>{`Number ${category.id}`}</p>
    </>
  )
}

/** A `CategoryList` with the details of the selected category next to it. Ids are strings, exact beyond 2^53. */
export function ListAndDetail(): ReactElement {
  const [selection, setSelection] = useState<readonly CategoryId[]>([])
  return (
    <div className="recipe-panes">
      <CategoryList selectionMode="single" selection={selection} onSelectionChange={setSelection} />
      <section className="recipe-detail" aria-label="Selected category">
        <CategoryDetail id={selection[0]} />
      </section>
    </div>
  )
}

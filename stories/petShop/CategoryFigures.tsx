import type { ReactElement } from 'react'
import { useCategories } from '../../src/index.ts'

/** A few numbers about the categories. Suspends until they are there, and throws if they cannot be had. */
export function CategoryFigures(): ReactElement {
  const { data } = useCategories({ suspense: true })
  return (
    <dl className="pet-shop-figures">
      <div>
        <dt>Categories</dt>
        <dd>{data.length}</dd>
      </div>
      <div>
        <dt>Without a description</dt>
        <dd>{data.filter(({ description }) => !description).length}</dd>
      </div>
    </dl>
  )
}

import type { ReactElement } from 'react'
import { useCategories } from '../../src/index.ts'

/** A few numbers about the categories. It suspends while they load, and throws when they fail to load. */
export function CategoryStats(): ReactElement {
  const { data } = useCategories({ suspense: true })
  const withoutDescription = data.filter(({ description }) => !description)
  return (
    <dl className="pet-shop-stats">
      <div>
        <dt>Categories</dt>
        <dd>{data.length}</dd>
      </div>
      <div>
        <dt>Without a description</dt>
        <dd>{withoutDescription.length}</dd>
      </div>
    </dl>
  )
}

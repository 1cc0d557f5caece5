import type { ReactElement } from 'react'
import type { Category } from '../../../src/index.ts'

/** The simplest row, with the content that a row of `CategoryList` has. */
export function PlainRow({ category: { name, description } }: { readonly category: Category }): ReactElement {
  return (
    <li className="petstore-category-list-row">
      <span className="petstore-category-list-text">
        <span className="petstore-category-list-name">{name}</span>
        {description && <span className="petstore-category-list-description">{description}</span>}
      </span>
    </li>
  )
}

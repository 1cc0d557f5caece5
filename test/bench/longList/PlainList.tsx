import type { ReactElement, ReactNode } from 'react'
import type { Category } from '../../../src/index.ts'

/** The content of a row, the same for all contenders. */
export function RowText({ name, description }: Category): ReactElement {
  return (
    <span className="petstore-category-list-text">
      <span className="petstore-category-list-name">{name}</span>
      {description && <span className="petstore-category-list-description">{description}</span>}
    </span>
  )
}

/** The simplest row. */
export function PlainRow({ category }: { readonly category: Category }): ReactElement {
  return (
    <li className="petstore-category-list-row">
      <RowText {...category} />
    </li>
  )
}

/** The scroll container of virtualizers. */
export function ScrollBox({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <div className="petstore-category-list-rows" style={scrolls}>
      {children}
    </div>
  )
}

export const scrolls = { maxBlockSize: '30em', overflow: 'auto' } as const

export function plainList(count: number) {
  return function PlainList({ rows }: { readonly rows: readonly Category[] | undefined }): ReactElement {
    if (!rows) return <p>Loading…</p>
    return (
      <ul className="petstore-category-list-rows">
        {rows.slice(0, count).map((category) => (
          <PlainRow key={category.id} category={category} />
        ))}
      </ul>
    )
  }
}

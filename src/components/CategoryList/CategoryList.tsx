'use client'

import { type ComponentPropsWithoutRef, type ForwardRefExoticComponent, forwardRef, type RefAttributes } from 'react'
import { useCategories } from '../../hooks/useCategories.ts'
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'

/** Native props go to the root element, a `section`. */
export type CategoryListProps = Omit<ComponentPropsWithoutRef<'section'>, 'children'>

/** The service's categories, with their descriptions, in every state: loading, empty, failed (with a retry), shown. */
export const CategoryList: ForwardRefExoticComponent<CategoryListProps & RefAttributes<HTMLElement>> = forwardRef<
  HTMLElement,
  CategoryListProps
>(function CategoryList({ className, ...rest }, ref) {
  const { labels } = usePetstoreContext('CategoryList')
  const { data, error, isValidating, refresh } = useCategories()
  const { name, loading, empty } = labels.categoryList

  return (
    <section
      aria-label={name}
      aria-busy={isValidating}
      {...rest}
      ref={ref}
      className={className ? `petstore-category-list ${className}` : 'petstore-category-list'}
    >
      {error && <ErrorNotice error={error} isRetrying={isValidating} onRetry={() => void refresh()} />}
      {!data && !error && (
        <div className="petstore-skeleton petstore-category-list-skeleton">
          <span className="petstore-visually-hidden">{loading}</span>
          <div className="petstore-skeleton-row" />
          <div className="petstore-skeleton-row" />
          <div className="petstore-skeleton-row" />
        </div>
      )}
      {data?.length === 0 && <p className="petstore-category-list-empty">{empty}</p>}
      {data && data.length > 0 && (
        // The role is spoken out because Safari drops it from lists without markers.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        <ul className="petstore-category-list-rows" role="list">
          {data.map(({ id, name: categoryName, description }) => (
            <li key={id} className="petstore-category-list-row">
              <span className="petstore-category-list-name" dir="auto">
                {categoryName}
              </span>
              {description && (
                <span className="petstore-category-list-description" dir="auto">
                  {description}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
})

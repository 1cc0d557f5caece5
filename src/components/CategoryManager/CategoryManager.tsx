'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  useRef,
} from 'react'
import { CategoryForm, type CategoryFormProps } from '../CategoryForm/CategoryForm.tsx'
import { CategoryList, type CategoryListProps } from '../CategoryList/CategoryList.tsx'
import { classNames } from '../classNames.ts'
import { RateLimitBadge, type RateLimitBadgeProps } from '../RateLimitBadge/RateLimitBadge.tsx'
import { useLabels } from '../useLabels.ts'

/** Native props go to the root element, a `div`. */
export interface CategoryManagerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Props of the list. */
  readonly list?: CategoryListProps | undefined
  /** Props of the form. Its categories show in the list while they are being created, unless `optimistic` is `false`. */
  readonly form?: CategoryFormProps | undefined
  /** Props of the badge. */
  readonly badge?: RateLimitBadgeProps | undefined
}

/** All there is to do with categories, to be dropped in whole: the list, a form beside it, and what is left of the quota. */
export const CategoryManager: ForwardRefExoticComponent<CategoryManagerProps & RefAttributes<HTMLDivElement>> =
  forwardRef<HTMLDivElement, CategoryManagerProps>(function CategoryManager(
    { list, form, badge, className, ...rest },
    ref,
  ) {
    const { labels } = useLabels('CategoryManager')
    const formArea = useRef<HTMLDivElement>(null)

    return (
      <div {...rest} ref={ref} className={classNames('petstore-category-manager', className)}>
        <div className="petstore-category-manager-columns">
          <div ref={formArea} className="petstore-category-manager-side">
            <CategoryForm optimistic {...form} />
            <RateLimitBadge {...badge} />
          </div>
          <CategoryList
            emptyAction={
              <button
                type="button"
                className="petstore-button"
                onClick={() => formArea.current?.querySelector('input')?.focus()}
              >
                {labels.categoryForm.submit}
              </button>
            }
            {...list}
          />
        </div>
      </div>
    )
  })

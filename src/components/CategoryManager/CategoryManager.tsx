'use client'

import { type ComponentPropsWithoutRef, forwardRef, useId, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import { categoryForm } from '../../labels/en/categoryForm.ts'
import { categoryList } from '../../labels/en/categoryList.ts'
import { CategoryForm, type CategoryFormProps } from '../CategoryForm/CategoryForm.tsx'
import { CategoryList, type CategoryListProps } from '../CategoryList/CategoryList.tsx'
import { classNames } from '../classNames.ts'
import { chevron, Icon } from '../Icon.tsx'
import { RateLimitBadge, type RateLimitBadgeProps } from '../RateLimitBadge/RateLimitBadge.tsx'
import { isFocusAround } from '../RestoreFocus.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useLabels } from '../useLabels.ts'

/** Native props go to the root element, a `div`. */
export interface CategoryManagerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Props of the list. */
  readonly list?: CategoryListProps | undefined
  /** Props of the form. The list shows its categories while they are being created, unless `optimistic` is `false`. */
  readonly form?: CategoryFormProps | undefined
  /** Props of the badge. */
  readonly badge?: RateLimitBadgeProps | undefined
  /** Adds headings of this level, which name the form and the list. Default: no headings. */
  readonly headingLevel?: 2 | 3 | 4 | 5 | 6 | undefined
}

/** A complete screen for categories: the list, the form and the rate limit badge. */
export const CategoryManager = /* @__PURE__ */ forwardRef<HTMLDivElement, CategoryManagerProps>(
  function CategoryManager(props, ref) {
    const { list, form, badge, headingLevel, className, ...native } = props
    const { labels: formLabels } = useLabels('categoryForm', categoryForm, form?.labels)
    const { labels: listLabels } = useLabels('categoryList', categoryList, list?.labels)
    const formColumnRef = useRef<HTMLDivElement>(null)
    const toggleRef = useRef<HTMLButtonElement>(null)
    // The styles hide a closed form, in a narrow manager alone.
    const [isOpen, setOpen] = useState(false)
    const id = useId()
    const formId = form?.id ?? `${id}-fields`
    const heading = (name: 'form' | 'list', text: string) => {
      const Heading = headingLevel && (`h${headingLevel}` as const)
      return (
        Heading && (
          <Heading id={`${id}-${name}`} className="petstore-category-manager-heading">
            {text}
          </Heading>
        )
      )
    }
    const nameOf = (name: 'form' | 'list') => (headingLevel ? { 'aria-labelledby': `${id}-${name}` } : {})
    const focusForm = () => formColumnRef.current?.querySelector('input')?.focus()

    // A hidden form can take the focus only once it is shown.
    useChangeEffect(isOpen, () => {
      if (isOpen) focusForm()
    })

    function openForm(): void {
      setOpen(true)
      focusForm()
    }

    function handleCreated(category: Category): void {
      // In a wide manager the button is hidden, and this does nothing: the focus stays in the form.
      if (formColumnRef.current && isFocusAround(formColumnRef.current)) toggleRef.current?.focus()
      setOpen(false)
      form?.onCreated?.(category)
    }

    return (
      <div {...native} ref={ref} className={classNames('petstore-root petstore-category-manager', className)}>
        <div className="petstore-category-manager-columns">
          <div ref={formColumnRef} className="petstore-category-manager-side">
            {heading('form', formLabels.title)}
            <button
              ref={toggleRef}
              type="button"
              className="petstore-button petstore-category-manager-toggle"
              aria-expanded={isOpen}
              aria-controls={formId}
              onClick={() => (isOpen ? setOpen(false) : openForm())}
            >
              <span>{formLabels.title}</span>
              <Icon path={chevron} />
            </button>
            <CategoryForm
              {...nameOf('form')}
              {...form}
              id={formId}
              optimistic={form?.optimistic ?? true}
              onCreated={handleCreated}
            />
            <RateLimitBadge {...badge} />
          </div>
          <div className="petstore-category-manager-side">
            {heading('list', listLabels.name)}
            <CategoryList
              {...nameOf('list')}
              {...list}
              emptyAction={
                list?.emptyAction === undefined ? (
                  <button type="button" className="petstore-button" onClick={openForm}>
                    {formLabels.submit}
                  </button>
                ) : (
                  list.emptyAction
                )
              }
            />
          </div>
        </div>
      </div>
    )
  },
)

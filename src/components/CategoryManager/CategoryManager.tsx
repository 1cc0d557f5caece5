'use client'

import { type ComponentPropsWithoutRef, forwardRef, useId, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import { categoryForm } from '../../labels/en/categoryForm.ts'
import { categoryList } from '../../labels/en/categoryList.ts'
import { CategoryForm, type CategoryFormProps } from '../CategoryForm/CategoryForm.tsx'
import { CategoryList, type CategoryListProps } from '../CategoryList/CategoryList.tsx'
import { BusyText } from '../BusyText.tsx'
import { classNames } from '../classNames.ts'
import { close, plus } from '../Icon.tsx'
import { RateLimitBadge, type RateLimitBadgeProps } from '../RateLimitBadge/RateLimitBadge.tsx'
import { isFocusAround } from '../RestoreFocus.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useLabels } from '../useLabels.ts'

/** Native props go to the root element, a `div`. */
export interface CategoryManagerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Props of the list. */
  readonly list?: CategoryListProps | undefined
  /** Props of the form. The list shows a category while the form creates it, unless `optimistic` is `false`. */
  readonly form?: CategoryFormProps | undefined
  /** Props of the badge. */
  readonly badge?: RateLimitBadgeProps | undefined
  /**
   * Adds headings of this level, which name the form and the list. In a narrow manager, a button replaces the heading of the
   * form. Default: no headings.
   */
  readonly headingLevel?: 2 | 3 | 4 | 5 | 6 | undefined
}

/** A complete screen for categories: the list, the form and the request limit badge. */
export const CategoryManager = /* @__PURE__ */ forwardRef<HTMLDivElement, CategoryManagerProps>(
  function CategoryManager(props, ref) {
    const { list, form, badge, headingLevel, className, ...native } = props
    const { labels: formLabels } = useLabels('categoryForm', categoryForm, form?.labels)
    const { labels: listLabels } = useLabels('categoryList', categoryList, list?.labels)
    const formColumnRef = useRef<HTMLDivElement>(null)
    const toggleRef = useRef<HTMLButtonElement>(null)
    // In a narrow manager, the styles hide a closed form, but not its status and what the service says about it.
    const [isOpen, setOpen] = useState(false)
    const id = useId()
    const formId = form?.id ?? `${id}-fields`
    const Heading = headingLevel && (`h${headingLevel}` as const)
    const heading = (name: 'form' | 'list', text: string) =>
      Heading && (
        <Heading id={`${id}-${name}`} className="petstore-category-manager-heading">
          {text}
        </Heading>
      )
    const nameOf = (name: 'form' | 'list') => (Heading ? { 'aria-labelledby': `${id}-${name}` } : {})
    const focusForm = () => formColumnRef.current?.querySelector('input')?.focus()

    // `openForm` cannot focus a form that is still hidden, as in a narrow manager. This does, after the render.
    useChangeEffect(isOpen, () => {
      if (isOpen) focusForm()
    })

    function openForm(): void {
      setOpen(true)
      focusForm()
    }

    // Styles hide it in a wide manager, where the form beside it has a button with the same text.
    const openButton = (
      <button type="button" className="petstore-button petstore-category-manager-toggle" onClick={openForm}>
        {formLabels.submit}
      </button>
    )

    function handleCreated(category: Category): void {
      // In a wide manager the button is hidden, and this does nothing: the focus stays in the form.
      if (formColumnRef.current && isFocusAround(formColumnRef.current)) toggleRef.current?.focus()
      setOpen(false)
      form?.onCreated?.(category)
    }

    return (
      <div {...native} ref={ref} className={classNames('petstore-root petstore-category-manager', className)}>
        <div className="petstore-category-manager-columns">
          <div ref={formColumnRef} className="petstore-category-manager-column">
            {heading('form', formLabels.title)}
            <button
              ref={toggleRef}
              type="button"
              className="petstore-button petstore-category-manager-toggle"
              aria-expanded={isOpen}
              aria-controls={formId}
              onClick={() => (isOpen ? setOpen(false) : openForm())}
            >
              <BusyText phase="idle" icon={isOpen ? close : plus}>
                {isOpen ? formLabels.close : formLabels.title}
              </BusyText>
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
          <div className="petstore-category-manager-column">
            {heading('list', listLabels.name)}
            <CategoryList
              {...nameOf('list')}
              {...list}
              emptyAction={list?.emptyAction === undefined ? openButton : list.emptyAction}
            />
          </div>
        </div>
      </div>
    )
  },
)

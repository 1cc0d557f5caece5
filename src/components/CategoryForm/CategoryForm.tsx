'use client'

import { type ComponentPropsWithoutRef, forwardRef, type ReactNode, useId, useRef } from 'react'
import type { Category, NewCategory } from '../../contract/category.ts'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { useLabels } from '../useLabels.ts'
import { CategoryField } from './CategoryField.tsx'
import type { CategoryFormClassNames } from './CategoryFormClassNames.ts'
import { FormActions } from './FormActions.tsx'
import { ProblemSummary } from './ProblemSummary.tsx'
import { type FieldName, needsSummary, problemsOf } from './problems.ts'
import { SubmissionNotice } from './SubmissionNotice.tsx'
import { useCategorySubmission } from './useCategorySubmission.ts'
import { useFormAnnouncements } from './useFormAnnouncements.ts'
import { useSubmissionFocus } from './useSubmissionFocus.ts'

/** Native props go to the root element, a `form`. If `onSubmit` prevents the default, nothing is sent. */
export interface CategoryFormProps
  extends Omit<ComponentPropsWithoutRef<'form'>, 'action' | 'children' | 'noValidate'> {
  /** The initial values of the fields, and their values after a success. */
  readonly defaultValues?: Partial<NewCategory> | undefined
  /** Called when a category was created, even after the form unmounts. */
  readonly onCreated?: ((category: Category) => void) | undefined
  /** Adds the category to `usePendingCategories` while it is being created. Default `false`. */
  readonly optimistic?: boolean | undefined
  /** More buttons, beside the submit button. */
  readonly actions?: ReactNode
  /** Overrides the provider's labels. */
  readonly labels?: Partial<CategoryFormLabels> | undefined
  /** Class names for the parts of the form. */
  readonly classNames?: CategoryFormClassNames | undefined
}

/**
 * Creates a category. The fields keep their text through every failure; only a success clears them. Nothing is sent
 * twice unless a person asks for it.
 */
export const CategoryForm = forwardRef<HTMLFormElement, CategoryFormProps>(function CategoryForm(props, ref) {
  const { defaultValues, onCreated, optimistic, actions, labels: overrides, classNames: slots = {}, ...root } = props
  const { className, onSubmit, onReset, ...native } = root
  const { labels: provided, format } = useLabels()
  const labels = { ...provided.categoryForm, ...overrides }
  const id = useId()
  const idOf = (field: FieldName) => `${id}-${field}`
  const nameRef = useRef<HTMLInputElement>(null)
  const descriptionRef = useRef<HTMLInputElement>(null)
  const summaryRef = useRef<HTMLDivElement>(null)
  const submitRef = useRef<HTMLButtonElement>(null)
  const focusField = (field: FieldName) => (field === 'name' ? nameRef : descriptionRef).current?.focus()

  const submissionOptions = { nameRef, descriptionRef, onSubmit, onReset, onCreated, optimistic }
  const { creation, isNameMissing, announcementKey, submit, reset } = useCategorySubmission(submissionOptions)
  const { error, isMutating, status } = creation
  const failures = error ? problemsOf(error, { ...provided, categoryForm: labels }) : []
  const problems = isNameMissing ? [{ field: 'name', text: labels.nameMissing } as const] : failures
  useFormAnnouncements(submitRef, announcementKey, creation, labels, format)
  useSubmissionFocus({ nameRef, summaryRef, focusField }, announcementKey, problems, status === 'success')

  function submitAgain(): void {
    // Before the notice disappears with the focused button in it.
    submitRef.current?.focus()
    submitRef.current?.form?.requestSubmit(submitRef.current)
  }

  function cancel(): void {
    submitRef.current?.focus()
    creation.cancel()
    announce(labels.cancelled, submitRef.current)
  }

  const fieldProps = (field: FieldName) => ({
    id: idOf(field),
    name: field,
    problem: problems.find((problem) => problem.field === field),
    slots,
    defaultValue: defaultValues?.[field] ?? '',
    readOnly: isMutating,
  })

  return (
    <form
      aria-label={labels.title}
      // Before hydration, submitting would reload the page and lose the text. With this method it does nothing.
      method="dialog"
      {...native}
      ref={ref}
      className={classNames('petstore-category-form', className)}
      noValidate
      onSubmit={submit}
      onReset={reset}
    >
      {needsSummary(problems) && (
        <ProblemSummary
          ref={summaryRef}
          id={`${id}-problems`}
          className={classNames('petstore-category-form-summary', slots.summary)}
          title={labels.problems}
          problems={problems}
          idOf={idOf}
          onChoose={focusField}
        />
      )}
      <CategoryField
        {...fieldProps('name')}
        ref={nameRef}
        label={labels.name}
        hint={labels.nameHint}
        autoComplete="off" // browsers would suggest the names of people
      />
      <CategoryField
        {...fieldProps('description')}
        ref={descriptionRef}
        label={labels.description}
        optional={labels.optional}
        hint={labels.descriptionHint}
      />
      {error && problems.length === 0 && (
        <SubmissionNotice error={error} onRetry={submitAgain} labels={labels} className={slots.notice} />
      )}
      <FormActions
        {...{ creation, submitRef, actions, labels, format, slots }}
        onCancel={cancel}
        reasonId={`${id}-reason`}
      />
    </form>
  )
})

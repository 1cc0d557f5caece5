'use client'

import { type ComponentPropsWithoutRef, forwardRef, type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import type { Category, NewCategory } from '../../contract/category.ts'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { useLabels } from '../useLabels.ts'
import { CategoryField } from './CategoryField.tsx'
import type { CategoryFormClassNames } from './CategoryFormClassNames.ts'
import { FormActions } from './FormActions.tsx'
import { ignoreRepeatedEnter } from './ignoreRepeats.ts'
import { ProblemSummary } from './ProblemSummary.tsx'
import { fieldNames, needsSummary, problemsOf } from './problems.ts'
import { type FieldRefs, useCategorySubmission } from './useCategorySubmission.ts'
import { useSubmissionEffects } from './useSubmissionEffects.ts'

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
  const { defaultValues, onCreated, optimistic, actions, labels: overrides, classNames: slots = {}, ...native } = props
  const { labels: provided, format } = useLabels()
  const labels = { ...provided.categoryForm, ...overrides }
  const id = useId()
  const fields: FieldRefs = { name: useRef(null), description: useRef(null) }
  const summaryRef = useRef<HTMLDivElement>(null)
  const submitRef = useRef<HTMLButtonElement>(null)

  const submission = useCategorySubmission(fields, { optimistic, onSuccess: onCreated }, native)
  const { creation, isNameMissing, mayBeCreated, createdUnread, submit, reset, edit } = submission
  const { error, isMutating } = creation
  const failures = error ? problemsOf(error, { ...provided, categoryForm: labels }) : []
  const problems = isNameMissing ? [{ field: 'name', text: labels.nameMissing } as const] : failures
  useSubmissionEffects(submission, fields, problems, () => summaryRef.current?.focus(), labels, format)

  function handleKeyDown(event: KeyboardEvent): void {
    ignoreRepeatedEnter(event)
    // What may exist already is created again with the button alone, which says so.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !mayBeCreated) return
    event.preventDefault()
    announce(labels.mayHaveBeenCreated, event.currentTarget)
  }

  function submitAgain(): void {
    // Before the notice disappears with the focused button in it.
    submitRef.current?.focus()
    submitRef.current?.form?.requestSubmit(submitRef.current)
  }

  return (
    <form
      aria-label={labels.title}
      // Before hydration, submitting would reload the page and lose the text. With this method it does nothing.
      method="dialog"
      {...native}
      ref={ref}
      className={classNames('petstore-category-form', native.className)}
      noValidate
      onSubmit={submit}
      onReset={reset}
    >
      {needsSummary(problems) && (
        <ProblemSummary
          ref={summaryRef}
          id={id}
          className={classNames('petstore-category-form-summary', slots.summary)}
          title={labels.problems}
          problems={problems}
          onChoose={(field) => fields[field].current?.focus()}
        />
      )}
      {fieldNames.map((field) => (
        <CategoryField
          key={field}
          ref={fields[field]}
          id={`${id}-${field}`}
          name={field}
          label={labels[field]}
          optional={field === 'description' ? labels.optional : undefined}
          hint={labels[`${field}Hint`]}
          problem={problems.find((problem) => problem.field === field)}
          slots={slots}
          defaultValue={defaultValues?.[field] ?? ''}
          readOnly={isMutating}
          onInput={edit}
          onKeyDown={handleKeyDown}
          autoComplete={field === 'name' ? 'off' : undefined} // browsers would suggest the names of people
        />
      ))}
      {error && problems.length === 0 && !createdUnread && (
        <ErrorNotice
          className={slots.notice}
          error={error}
          // The one button that may create the category a second time is the submit button.
          onRetry={error.outcome === 'not-applied' ? submitAgain : undefined}
          labels={{ mayHaveHappened: labels.mayHaveBeenCreated }}
        />
      )}
      <FormActions {...{ submission, submitRef, actions, labels, format, slots }} reasonId={`${id}-reason`} />
    </form>
  )
})

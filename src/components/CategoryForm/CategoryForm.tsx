'use client'

import {
  type ComponentPropsWithoutRef,
  type FormEvent,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { Category, NewCategory } from '../../contract/category.ts'
import { useCreateCategory } from '../../hooks/useCreateCategory.ts'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import { announce, prepareRegion } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { useLabels } from '../useLabels.ts'
import { CategoryField } from './CategoryField.tsx'
import type { CategoryFormClassNames } from './CategoryFormClassNames.ts'
import { CategoryFormStatus } from './CategoryFormStatus.tsx'
import { ignoreRepeatedEnter } from './ignoreRepeatedEnter.ts'
import { ProblemSummary } from './ProblemSummary.tsx'
import { type FieldName, problemsOf } from './problems.ts'

/** Native props go to the root element, a `form`. If `onSubmit` prevents the default, nothing is sent. */
export interface CategoryFormProps
  extends Omit<ComponentPropsWithoutRef<'form'>, 'action' | 'children' | 'noValidate'> {
  /** What the fields start with, and go back to after a success. */
  readonly defaultValues?: Partial<NewCategory> | undefined
  /** Told of each category that was created; also once the form is gone. */
  readonly onCreated?: ((category: Category) => void) | undefined
  /** Lets `usePendingCategories` show the category while it is being created. Default `false`. */
  readonly optimistic?: boolean | undefined
  /** Further buttons, beside the submit button. */
  readonly actions?: ReactNode
  /** Other words than the provider's. */
  readonly labels?: Partial<CategoryFormLabels> | undefined
  /** Further class names for the inner parts. */
  readonly classNames?: CategoryFormClassNames | undefined
}

/**
 * Creates a category. What was typed stays through every failure, and is cleared by success only; nothing is ever sent
 * twice unless a person asks for it.
 */
export const CategoryForm: ForwardRefExoticComponent<CategoryFormProps & RefAttributes<HTMLFormElement>> = forwardRef<
  HTMLFormElement,
  CategoryFormProps
>(function CategoryForm(props, ref) {
  const { defaultValues, onCreated, optimistic, actions, labels, classNames: slots = {}, ...rest } = props
  const { className, onSubmit, onReset, ...native } = rest
  const words = useLabels('CategoryForm')
  const own = { ...words.labels.categoryForm, ...labels }
  const creation = useCreateCategory({ optimistic, onSuccess: onCreated, throwOnError: false })
  const { trigger, status, isMutating, error } = creation
  /** Set when the latest submission had no name; a new object each time. */
  const [nameless, setNameless] = useState<object>()

  const problems = nameless
    ? [{ field: 'name', text: own.nameMissing } as const]
    : error
      ? problemsOf(error, { ...words.labels, categoryForm: own })
      : []
  const isSummarised = problems.length > 1 || problems.some(({ field }) => !field)

  const id = useId()
  const idOf = (field: FieldName) => `${id}-${field}`
  const nameInput = useRef<HTMLInputElement>(null)
  const descriptionInput = useRef<HTMLInputElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const formElement = () => nameInput.current?.form ?? null
  const focusField = (field: FieldName) => (field === 'name' ? nameInput : descriptionInput).current?.focus()

  /** The `trigger` whose call is under way; the client of another address or key has another, and need not wait. */
  const triggered = useRef<typeof trigger>(undefined)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    // React lets the events of forms in portals come by, too.
    const isOwn = event.target === event.currentTarget
    if (isOwn && triggered.current === trigger) return event.preventDefault()
    onSubmit?.(event)
    if (!isOwn || event.defaultPrevented) return
    event.preventDefault()
    const name = nameInput.current?.value ?? ''
    const description = descriptionInput.current?.value
    if (name.trim() === '') {
      creation.reset()
      return setNameless({})
    }
    setNameless(undefined)
    triggered.current = trigger
    void trigger({ name, ...(description && { description }) }).finally(() => {
      if (triggered.current === trigger) triggered.current = undefined
    })
  }

  function reset(event: FormEvent<HTMLFormElement>): void {
    onReset?.(event)
    if (event.target !== event.currentTarget) return
    // What is under way may fail, and its text would be lost.
    if (isMutating) return event.preventDefault()
    setNameless(undefined)
    if (error) creation.reset()
  }

  function submitAgain(): void {
    // The notice goes, and with it the button that has the focus.
    submitButton.current?.focus()
    formElement()?.requestSubmit(submitButton.current)
  }

  function cancel(): void {
    submitButton.current?.focus()
    creation.cancel()
    announce(own.cancelled, formElement())
  }

  /** Another object or word for each thing that happens, and the same one for as long as nothing does. */
  const moment = nameless ?? (status === 'success' || status === 'error' ? creation.variables : status)
  const seen = useRef<unknown>(moment)
  useEffect(() => {
    const form = formElement()
    prepareRegion(form)
    // Effects also run where nothing has happened, such as when the form comes back from an <Activity>.
    if (seen.current === moment) return
    seen.current = moment
    if (status === 'sending') announce(own.submitting, form)
    if (status === 'waiting') {
      announce(`${own.rateLimited} ${own.savingIn(words.format.duration(timeUntil(creation.retryAt)))}`, form)
    }
    if (status === 'success') {
      // Simulated typing in tests goes on from the value that was last set, whatever a reset has made of it.
      for (const input of [nameInput.current, descriptionInput.current]) if (input) input.value = input.defaultValue
      form?.reset()
      announce(own.created(creation.data.name), form)
    }
    if (!mayTakeFocus(form)) return
    if (isSummarised) summary.current?.focus()
    else if (problems[0]?.field) focusField(problems[0].field)
    else if (status === 'success') focusField('name')
  })

  const statusClass = classNames('petstore-category-form-status', slots.status)

  return (
    <form
      aria-label={own.title}
      // Before hydration, submitting would load the page anew, without what was typed: this way it does nothing.
      method="dialog"
      {...native}
      ref={ref}
      className={classNames('petstore-category-form', className)}
      noValidate
      onSubmit={submit}
      onReset={reset}
    >
      {isSummarised && (
        <ProblemSummary
          ref={summary}
          id={`${id}-problems`}
          className={classNames('petstore-category-form-summary', slots.summary)}
          title={own.problems}
          problems={problems}
          idOf={idOf}
          onChoose={focusField}
        />
      )}
      <CategoryField
        ref={nameInput}
        id={idOf('name')}
        name="name"
        label={own.name}
        hint={own.nameHint}
        problem={problems.find(({ field }) => field === 'name')}
        slots={slots}
        defaultValue={defaultValues?.name ?? ''}
        readOnly={isMutating}
        autoComplete="off" // browsers would offer the names of people
      />
      <CategoryField
        ref={descriptionInput}
        id={idOf('description')}
        name="description"
        label={own.description}
        optional={own.optional}
        hint={own.descriptionHint}
        problem={problems.find(({ field }) => field === 'description')}
        slots={slots}
        defaultValue={defaultValues?.description ?? ''}
        readOnly={isMutating}
      />
      {error && problems.length === 0 && (
        <ErrorNotice
          className={slots.notice}
          error={error}
          onRetry={error.outcome === 'applied' ? undefined : submitAgain}
          labels={
            error.outcome === 'not-applied' ? {} : { mayHaveHappened: own.mayHaveBeenCreated, retry: own.createAnyway }
          }
        />
      )}
      <div className={classNames('petstore-category-form-actions', slots.actions)}>
        <button
          ref={submitButton}
          type="submit"
          className={classNames('petstore-button', 'petstore-button-primary', slots.submit)}
          aria-disabled={isMutating}
          // Not the countdown: the description of the focused button would be spoken at each tick.
          aria-describedby={status === 'waiting' ? `${id}-reason` : undefined}
          onKeyDown={ignoreRepeatedEnter}
        >
          {isMutating ? own.submitting : own.submit}
        </button>
        {status === 'waiting' && (
          <button type="button" className={classNames('petstore-button', slots.cancel)} onClick={cancel}>
            {own.cancel}
          </button>
        )}
        {actions}
        {status === 'waiting' && (
          <CategoryFormStatus kind="waiting" className={statusClass}>
            <span id={`${id}-reason`}>{own.rateLimited}</span>{' '}
            <Countdown until={creation.retryAt} format={words.format}>
              {own.savingIn}
            </Countdown>
          </CategoryFormStatus>
        )}
        {status === 'success' && (
          <CategoryFormStatus kind="created" className={statusClass}>
            {own.created(creation.data.name)}
          </CategoryFormStatus>
        )}
      </div>
    </form>
  )
})

/** Never from somebody who has gone on to another part of the page. */
function mayTakeFocus(form: HTMLFormElement | null): boolean {
  const active = document.activeElement
  return form !== null && (!active || active.contains(form) || form.matches(':focus-within'))
}

function timeUntil(epoch: number): number {
  return epoch - Date.now()
}

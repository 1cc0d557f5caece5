'use client'

import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type SubmitEvent,
  useId,
  useRef,
} from 'react'
import type { Category, NewCategory } from '../../contract/category.ts'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import type { CategoryFormLabels, ErrorNoticeLabels } from '../../labels/en.ts'
import { categoryForm } from '../../labels/en/categoryForm.ts'
import { labelOfWait } from '../../labels/waitText.ts'
import { announce } from '../announce.ts'
import { BusyText, widthTexts } from '../BusyText.tsx'
import { classNames, inlineButton } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { useCreatedCategory } from '../createdCategory.ts'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { type ErrorText, useDescribeError } from '../ErrorNotice/useErrorText.ts'
import { checkCircle, waitIcons } from '../Icon.tsx'
import { useHeldUntil } from '../keyState.ts'
import { SharedNotice, useSharedError } from '../ErrorNotice/SharedNotice.tsx'
import { HeldText, StateLine } from '../StateLine.tsx'
import { useOfflineText } from '../useIsOffline.ts'
import { useLabels } from '../useLabels.ts'
import { problemsOf } from './problemsOf.ts'
import {
  type CategorySubmission,
  type FieldName,
  fieldNames,
  type FieldRefs,
  type Problem,
  useCategorySubmission,
  useSubmissionEffects,
} from './useCategorySubmission.ts'

/** Class names for the parts of the form. */
export interface CategoryFormClassNames {
  /** The box with label, hint, error and input of one field. */
  readonly field?: string | undefined
  /** The label of a field. */
  readonly label?: string | undefined
  /** The hint below the label. */
  readonly hint?: string | undefined
  /** The error of a field. */
  readonly fieldError?: string | undefined
  /** The input of a field. */
  readonly input?: string | undefined
  /** The `ErrorNotice`. */
  readonly notice?: string | undefined
  /** The row of buttons. */
  readonly actions?: string | undefined
  /** The submit button. */
  readonly submit?: string | undefined
  /** The button that cancels a waiting request. */
  readonly cancel?: string | undefined
  /** The line that says that the request waits, or which category was created. */
  readonly status?: string | undefined
  /** The button that shows the created category in the list. */
  readonly show?: string | undefined
}

/** Native props go to the root element, a `form`. If `onSubmit` prevents the default, nothing is sent. */
export interface CategoryFormProps
  extends Omit<ComponentPropsWithoutRef<'form'>, 'action' | 'children' | 'noValidate'> {
  /** The initial values of the fields, and their values after a success or a reset. */
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
 * Creates a category. The fields keep their text through every failure, until a success or a reset. Nothing is sent twice
 * unless a person asks for it.
 */
export const CategoryForm = /* @__PURE__ */ forwardRef<HTMLFormElement, CategoryFormProps>(
  function CategoryForm(props, ref) {
    const {
      defaultValues,
      onCreated,
      optimistic,
      actions,
      labels: overrides,
      classNames: slots = {},
      ...native
    } = props
    const { labels, format } = useLabels('categoryForm', categoryForm, overrides)
    const { errorLabels, describeError } = useDescribeError()
    const fields: FieldRefs = { name: useRef(null), description: useRef(null) }

    const submission = useCategorySubmission(fields, { optimistic, onSuccess: onCreated }, native)
    const { creation, isNameMissing, maybeCreated, submittedAt, createdUnread, submit, reset, onInput } = submission
    const { error, isMutating } = creation
    const errorText = error && describeError(error)
    const { problems: errorProblems, isSaidBesideField } = problemsOf(error, labels)
    const problems: readonly Problem[] = isNameMissing ? [{ field: 'name', text: labels.nameMissing }] : errorProblems
    const failure = useSharedError(isSaidBesideField || createdUnread ? undefined : error, submittedAt)
    useSubmissionEffects(submission, fields, problems, labels, format)

    function handleKeyDown(event: KeyboardEvent): void {
      ignoreRepeatedEnter(event)
      // A category that may exist already is created again only by the button, which says "Create anyway".
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || !maybeCreated) return
      event.preventDefault()
      const { title, advice } = errorLabels.situations.mayHaveHappened
      announce(`${title}. ${advice}`, event.currentTarget)
    }

    function handleSubmit(event: SubmitEvent<HTMLFormElement>): void {
      submit(event, errorText?.retryAt, () => announce(errorText?.wait() ?? '', event.currentTarget))
    }

    return (
      <form
        aria-label={labels.title}
        // Before hydration, submitting would reload the page and lose the text. With this method it does nothing.
        method="dialog"
        {...native}
        ref={ref}
        className={classNames('petstore-root petstore-category-form', native.className)}
        noValidate
        onSubmit={handleSubmit}
        onReset={reset}
      >
        {fieldNames.map((field) => (
          <CategoryField
            key={field}
            ref={fields[field]}
            name={field}
            problem={problems.find((problem) => problem.field === field)}
            {...{ labels, errorLabels, slots }}
            defaultValue={defaultValues?.[field] ?? ''}
            readOnly={isMutating}
            onInput={onInput}
            onKeyDown={handleKeyDown}
          />
        ))}
        {failure && (
          <SharedNotice {...failure}>
            {/* Has no retry button: the submit button below does that. */}
            <ErrorNotice className={slots.notice} error={failure.error} />
          </SharedNotice>
        )}
        <FormActions {...{ submission, actions, labels, errorLabels, slots }} errorText={errorText} />
      </form>
    )
  },
)

interface CategoryFieldProps extends ComponentPropsWithoutRef<'input'> {
  readonly name: FieldName
  readonly problem: Problem | undefined
  readonly labels: CategoryFormLabels
  readonly errorLabels: ErrorNoticeLabels
  readonly slots: CategoryFormClassNames
}

/** Uncontrolled, so that text typed before hydration is kept and typing re-renders nothing. */
const CategoryField = /* @__PURE__ */ forwardRef<HTMLInputElement, CategoryFieldProps>(function CategoryField(
  { name, problem, labels, errorLabels, slots, ...rest },
  ref,
) {
  const id = useId()
  const isRequired = name === 'name'
  const hint = isRequired ? labels.nameHint : undefined
  const [hintId, errorId] = [hint && `${id}-hint`, `${id}-error`]
  return (
    <div className={classNames('petstore-field', slots.field)}>
      <label className={classNames('petstore-label', slots.label)} htmlFor={id}>
        <span>{labels[name]}</span> {!isRequired && <span className="petstore-hint">{labels.optional}</span>}
      </label>
      {hint && (
        <span id={hintId} className={classNames('petstore-hint', slots.hint)}>
          {hint}
        </span>
      )}
      {/* Always rendered: if an element comes or goes before the field, screen readers in Firefox read the field once more. */}
      <span id={errorId} hidden={!problem} className={classNames('petstore-field-error', problem && slots.fieldError)}>
        <span>{problem?.text}</span>
        {problem?.serviceMessage && (
          <span className="petstore-category-form-service">
            <span>{` ${errorLabels.serviceSays}: `}</span>
            <span dir="auto">{problem.serviceMessage}</span>
          </span>
        )}
      </span>
      <input
        {...rest}
        ref={ref}
        id={id}
        name={name}
        className={classNames('petstore-input', slots.input)}
        dir="auto"
        autoComplete={isRequired ? 'off' : undefined} // for a field called "name", browsers suggest names of people
        required={isRequired}
        // Set also when valid: some screen readers treat an empty required field as invalid.
        aria-invalid={problem !== undefined}
        aria-describedby={[hintId, problem && errorId].filter(Boolean).join(' ') || undefined}
      />
    </div>
  )
})

interface FormActionsProps {
  readonly submission: CategorySubmission
  /** Says why and until when the submit button has to wait after a failure. */
  readonly errorText: ErrorText | undefined
  readonly actions: ReactNode
  readonly labels: CategoryFormLabels
  readonly errorLabels: ErrorNoticeLabels
  readonly slots: CategoryFormClassNames
}

/** The row of buttons, and the line that says how the submission is doing. */
function FormActions(props: FormActionsProps): ReactElement {
  const { submission, errorText, actions, labels, errorLabels, slots } = props
  const submitRef = useRef<HTMLButtonElement>(null)
  /** The id of the text that says why the request waits, why the button is held, or what was created. */
  const reasonId = useId()
  const { creation, isSlow, mayDuplicate, createdUnread } = submission
  const heldUntil = useHeldUntil() ?? errorText?.retryAt
  const { status, isMutating } = creation
  const { created } = useCreatedCategory()
  const isWaiting = status === 'waiting' && isSlow
  const offlineText = useOfflineText(creation.wait, errorLabels)
  const seconds = useSecondsUntil(heldUntil)
  const isHeld = !isMutating && heldUntil !== undefined && seconds !== 0
  const phase = isWaiting ? 'waiting' : isSlow ? 'sending' : 'idle'
  const submitText = mayDuplicate ? labels.createAnyway : labels.submit
  const texts = { idle: submitText, waiting: labels.held, sending: labels.submitting }

  function cancel(): void {
    submitRef.current?.focus()
    creation.cancel()
    announce(labels.cancelled, submitRef.current)
  }

  const statusClass = classNames('petstore-category-form-status', slots.status)
  return (
    <div className={classNames('petstore-category-form-actions', slots.actions)}>
      <button
        ref={submitRef}
        type="submit"
        className={classNames('petstore-button petstore-button-primary', slots.submit)}
        data-texts={widthTexts(texts)}
        aria-disabled={isMutating || isHeld}
        // The reason has no countdown: screen readers would speak the description of the focused button every tick.
        aria-describedby={isWaiting || (isHeld && errorText) ? reasonId : undefined}
        onClick={ignoreRepeatedClick}
        onKeyDown={ignoreRepeatedEnter}
      >
        {isHeld ? (
          <HeldText until={heldUntil} label={labels.submitIn} name={submitText} />
        ) : (
          <BusyText phase={phase}>{texts[phase]}</BusyText>
        )}
      </button>
      {actions}
      {isHeld && errorText && (
        <span id={reasonId} hidden>
          {errorText.title}
        </span>
      )}
      {isWaiting && (
        <StateLine tone="warning" icon={waitIcons[creation.wait.reason]} className={statusClass}>
          <span id={reasonId}>{offlineText ?? labels.waitReasons[creation.wait.reason]}</span>{' '}
          {offlineText === undefined && (
            <Countdown until={creation.wait.until} label={labelOfWait(labels.savingIn, creation.wait)} />
          )}{' '}
          <button type="button" className={classNames(inlineButton, slots.cancel)} onClick={cancel}>
            {labels.cancel}
          </button>
        </StateLine>
      )}
      {creation.data && (
        <StateLine tone="success" icon={checkCircle} className={statusClass}>
          <span id={reasonId}>{labels.created(creation.data.name)}</span>{' '}
          {created?.id === creation.data.id && created.show && (
            <button
              type="button"
              className={classNames(inlineButton, slots.show)}
              aria-describedby={reasonId}
              onClick={created.show}
            >
              {labels.show}
            </button>
          )}
        </StateLine>
      )}
      {createdUnread && (
        <StateLine tone="warning" icon={checkCircle} className={statusClass}>
          {labels.createdUnread(createdUnread.name)}
        </StateLine>
      )}
    </div>
  )
}

/** An Enter that is held down would submit again when the first submission ends. */
function ignoreRepeatedEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/** The second click of a double click would submit again when the first submission ends in between. */
function ignoreRepeatedClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault()
}

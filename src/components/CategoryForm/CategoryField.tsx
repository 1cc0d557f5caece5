import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import { classNames } from '../classNames.ts'
import type { CategoryFormClassNames } from './CategoryFormClassNames.ts'
import { ProblemText } from './ProblemText.tsx'
import type { Problem } from './problems.ts'

interface CategoryFieldProps extends ComponentPropsWithoutRef<'input'> {
  readonly id: string
  readonly label: string
  /** Follows the label; `undefined` for a required field. */
  readonly optional?: string | undefined
  readonly hint: string
  readonly problem: Problem | undefined
  readonly slots: CategoryFormClassNames
}

/**
 * A text field with its label, hint and error. Uncontrolled, so that text typed before hydration is kept and typing
 * re-renders nothing.
 */
export const CategoryField = forwardRef<HTMLInputElement, CategoryFieldProps>(function CategoryField(
  { id, label, optional, hint, problem, slots, ...rest },
  ref,
) {
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  return (
    <div className={classNames('petstore-field', slots.field)}>
      <label className={classNames('petstore-label', slots.label)} htmlFor={id}>
        {label} {optional && <span className="petstore-category-form-optional">{optional}</span>}
      </label>
      <span id={hintId} className={classNames('petstore-hint', slots.hint)}>
        {hint}
      </span>
      {problem && (
        <span id={errorId} className={classNames('petstore-field-error', slots.fieldError)}>
          <ProblemText {...problem} />
        </span>
      )}
      <input
        {...rest}
        ref={ref}
        id={id}
        className={classNames('petstore-input', slots.input)}
        dir="auto"
        required={!optional}
        // Also when valid: some screen readers treat an empty required field as invalid.
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? `${hintId} ${errorId}` : hintId}
      />
    </div>
  )
})

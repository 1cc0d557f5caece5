import type { ReactElement, ReactNode, RefObject } from 'react'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import type { CategoryFormClassNames } from './CategoryFormClassNames.ts'
import { CategoryFormStatus } from './CategoryFormStatus.tsx'
import { ignoreRepeatedEnter } from './ignoreRepeatedEnter.ts'
import type { Creation } from './useCategorySubmission.ts'

interface FormActionsProps {
  readonly creation: Creation
  readonly onCancel: () => void
  readonly submitRef: RefObject<HTMLButtonElement | null>
  /** Id of the text that says why the request waits. */
  readonly reasonId: string
  /** The app's own buttons. */
  readonly actions: ReactNode
  readonly labels: CategoryFormLabels
  readonly format: Formats
  readonly slots: CategoryFormClassNames
}

/** The row of buttons, and the line that says how the submission is doing. */
export function FormActions(props: FormActionsProps): ReactElement {
  const { creation, onCancel, submitRef, reasonId, actions, labels, format, slots } = props
  const { status, isMutating } = creation
  const statusClass = classNames('petstore-category-form-status', slots.status)
  return (
    <div className={classNames('petstore-category-form-actions', slots.actions)}>
      <button
        ref={submitRef}
        type="submit"
        className={classNames('petstore-button', 'petstore-button-primary', slots.submit)}
        aria-disabled={isMutating}
        // Without the countdown: screen readers would speak the description of the focused button every tick.
        aria-describedby={status === 'waiting' ? reasonId : undefined}
        onKeyDown={ignoreRepeatedEnter}
      >
        {isMutating ? labels.submitting : labels.submit}
      </button>
      {status === 'waiting' && (
        <button type="button" className={classNames('petstore-button', slots.cancel)} onClick={onCancel}>
          {labels.cancel}
        </button>
      )}
      {actions}
      {status === 'waiting' && (
        <CategoryFormStatus kind="waiting" className={statusClass}>
          <span id={reasonId}>{labels.rateLimited}</span>{' '}
          <Countdown until={creation.retryAt} format={format}>
            {labels.savingIn}
          </Countdown>
        </CategoryFormStatus>
      )}
      {status === 'success' && (
        <CategoryFormStatus kind="created" className={statusClass}>
          {labels.created(creation.data.name)}
        </CategoryFormStatus>
      )}
    </div>
  )
}

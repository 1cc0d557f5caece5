import type { ReactElement, ReactNode, RefObject } from 'react'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../../hooks/useCountdown.tsx'
import { labelOfWait } from '../../labels/waitText.ts'
import { Icon, alert, checkCircle } from '../Icon.tsx'
import { useCreatedCategory } from '../useCreatedCategory.ts'
import { waitIcons } from '../waitIcons.ts'
import type { CategoryFormClassNames } from './CategoryFormClassNames.ts'
import { ignoreRepeatedClick, ignoreRepeatedEnter } from './ignoreRepeats.ts'
import type { CategorySubmission } from './useCategorySubmission.ts'

interface FormActionsProps {
  readonly submission: CategorySubmission
  readonly submitRef: RefObject<HTMLButtonElement | null>
  /** Id of the text beside the buttons: why the request waits, or what was created. */
  readonly reasonId: string
  /** The app's own buttons. */
  readonly actions: ReactNode
  readonly labels: CategoryFormLabels
  readonly format: Formats
  readonly slots: CategoryFormClassNames
}

/** The row of buttons, and the line that says how the submission is doing. */
export function FormActions(props: FormActionsProps): ReactElement {
  const { submission, submitRef, reasonId, actions, labels, format, slots } = props
  const { creation, isSlow, isAgain, createdUnread } = submission
  const { status, isMutating } = creation
  const { created } = useCreatedCategory()
  const isWaiting = status === 'waiting' && isSlow

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
        aria-disabled={isMutating}
        // Without the countdown: screen readers would speak the description of the focused button every tick.
        aria-describedby={isWaiting ? reasonId : undefined}
        onClick={ignoreRepeatedClick}
        onKeyDown={ignoreRepeatedEnter}
      >
        {isSlow ? labels.submitting : isAgain ? labels.createAnyway : labels.submit}
      </button>
      {isWaiting && (
        <button type="button" className={classNames('petstore-button', slots.cancel)} onClick={cancel}>
          {labels.cancel}
        </button>
      )}
      {actions}
      {isWaiting && (
        <StatusLine kind="waiting" icon={waitIcons[creation.waitReason]} className={statusClass}>
          <span id={reasonId}>{labels.waitReasons[creation.waitReason]}</span>{' '}
          <Countdown until={creation.retryAt} format={format}>
            {labelOfWait(labels.savingIn, creation)}
          </Countdown>
        </StatusLine>
      )}
      {status === 'success' && (
        <StatusLine kind="created" icon={checkCircle} className={statusClass}>
          <span id={reasonId}>{labels.created(creation.data.name)}</span>{' '}
          {created?.id === creation.data.id && created.show && (
            <button
              type="button"
              className={classNames('petstore-button petstore-button-quiet petstore-category-form-show', slots.show)}
              aria-describedby={reasonId}
              onClick={created.show}
            >
              {labels.show}
            </button>
          )}
        </StatusLine>
      )}
      {createdUnread && (
        <StatusLine kind="unread" icon={alert} className={statusClass}>
          {labels.createdUnread(createdUnread.name)}
        </StatusLine>
      )}
    </div>
  )
}

interface StatusLineProps {
  readonly className: string
  readonly kind: 'waiting' | 'created' | 'unread'
  readonly icon: string
  readonly children: ReactNode
}

/** Not a live region, which would speak every tick: its changes are announced instead. */
function StatusLine({ className, kind, icon, children }: StatusLineProps): ReactElement {
  return (
    <p className={className} data-kind={kind}>
      <Icon path={icon} className="petstore-category-form-icon" />
      <span>{children}</span>
    </p>
  )
}

'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useId,
  useRef,
} from 'react'
import { isPetstoreError, type PetstoreError } from '../../client/errors.ts'
import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import { classNames } from '../classNames.ts'
import { useSecondsUntil } from '../useSecondsUntil.ts'
import { useLabels } from '../useLabels.ts'
import { ErrorDetails } from './ErrorDetails.tsx'
import { errorText } from './errorText.ts'
import { useErrorAnnouncements } from './useErrorAnnouncements.ts'

/** Class names of the app's own for the inner parts. */
export interface ErrorNoticeClassNames {
  readonly icon?: string | undefined
  readonly title?: string | undefined
  readonly advice?: string | undefined
  /** The line that counts down to the next try. */
  readonly wait?: string | undefined
  readonly details?: string | undefined
  readonly retry?: string | undefined
}

/** All that a `div` takes, and: */
export interface ErrorNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What the hooks give. Anything else than a `PetstoreError`, such as an `AbortError`, has words of its own. */
  readonly error: PetstoreError | Error
  /** Tries again. Left out, there is no such button. */
  readonly onRetry?: (() => void) | undefined
  /** Whether the retry is under way. */
  readonly isRetrying?: boolean | undefined
  /** Further buttons, after "Try again". */
  readonly actions?: ReactNode
  /** Other words than the provider's. */
  readonly labels?: Partial<ErrorNoticeLabels> | undefined
  /** Further class names for the inner parts. */
  readonly classNames?: ErrorNoticeClassNames | undefined
}

/**
 * Says what went wrong and what can be done, with a button that tries again: not before the rate limit allows. Spoken
 * when it appears, when the error becomes one of another kind, when a retry has failed, and when the wait is over.
 */
export const ErrorNotice: ForwardRefExoticComponent<ErrorNoticeProps & RefAttributes<HTMLDivElement>> = forwardRef<
  HTMLDivElement,
  ErrorNoticeProps
>(function ErrorNotice(props, ref) {
  const { error, onRetry, isRetrying = false, actions, labels, className, classNames: slots = {}, ...rest } = props
  const words = useLabels('ErrorNotice')
  const own = { ...words.labels.errorNotice, ...labels }
  const { title, advice, notes } = errorText(error, own)
  const id = useId()
  const near = useRef<HTMLElement>(null)

  const retryAt = isPetstoreError(error) && error.kind === 'rate-limit' ? error.retryAt : undefined
  const seconds = useSecondsUntil(retryAt)
  // Not known on a server, where nobody presses anything either.
  const isHeld = retryAt !== undefined && seconds !== 0
  const isBusy = isRetrying || isHeld
  const wait = seconds ? own.retryIn(words.format.duration(seconds * 1_000)) : undefined
  const spoken = [`${title}.`, advice, ...notes, wait].filter(Boolean).join(' ')
  const { noteRetry } = useErrorAnnouncements(near, error, spoken, {
    heldUntil: retryAt,
    isHeld,
    isOver: isRetrying ? '' : own.retryNow,
  })

  return (
    <div
      // A fieldset is for the parts of a form.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-labelledby={rest['aria-label'] === undefined ? id : undefined}
      {...rest}
      ref={ref}
      className={classNames('petstore-error-notice', className)}
    >
      <div className="petstore-error-notice-text">
        <svg className={classNames('petstore-error-notice-icon', slots.icon)} viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="9" />
          <path className="petstore-error-notice-mark" d="M10 5.5v5M10 14v.2" />
        </svg>
        <strong ref={near} id={id} className={classNames('petstore-error-notice-title', slots.title)}>
          {title}
        </strong>
        <div id={`${id}advice`} className={classNames('petstore-error-notice-advice', slots.advice)}>
          <p>{advice}</p>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
        {retryAt !== undefined && seconds !== undefined && !isRetrying && (
          <p className={classNames('petstore-error-notice-wait', slots.wait)}>{wait ?? own.retryNow}</p>
        )}
        {isPetstoreError(error) && <ErrorDetails error={error} words={own} className={slots.details} />}
      </div>
      {(onRetry || actions) && (
        <div className="petstore-error-notice-actions">
          {onRetry && (
            // Never `disabled`: the button may have the focus, and would lose it. Its name does not tick: that is spoken.
            <button
              type="button"
              className={classNames('petstore-button', slots.retry)}
              aria-disabled={isBusy}
              aria-describedby={isHeld ? `${id}advice` : undefined}
              onClick={() => {
                if (isBusy) return
                noteRetry()
                onRetry()
              }}
            >
              {isRetrying ? own.retrying : own.retry}
            </button>
          )}
          {actions}
        </div>
      )}
    </div>
  )
})

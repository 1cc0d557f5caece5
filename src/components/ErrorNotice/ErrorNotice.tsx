'use client'

import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { isPetstoreError, type PetstoreError } from '../../client/errors.ts'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import type { ErrorNoticeLabels } from '../../labels/en.ts'
import { isolate } from '../../labels/isolate.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { chevron, Icon } from '../Icon.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useIsSlow } from '../useIsSlow.ts'
import { serviceMessageOf, useDescribeError } from './useErrorText.ts'

/** Class names for the parts of the notice. */
export interface ErrorNoticeClassNames {
  /** The icon. */
  readonly icon?: string | undefined
  /** What failed. */
  readonly title?: string | undefined
  /** What people can do about it. */
  readonly advice?: string | undefined
  /** The details for support. */
  readonly details?: string | undefined
  /** The button that tries again. */
  readonly retry?: string | undefined
}

/** Native props go to the root element, a `div`. */
export interface ErrorNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The error of a hook. Anything but a `PetstoreError`, such as an `AbortError`, is shown with the same general text. */
  readonly error: PetstoreError | Error
  /** Called when a person retries. There is no retry button without it, or where another try cannot help. */
  readonly onRetry?: (() => void) | undefined
  /** Whether the retry is under way. */
  readonly isRetrying?: boolean | undefined
  /** More buttons, after "Try again". */
  readonly actions?: ReactNode
  /** Overrides the provider's labels. */
  readonly labels?: Partial<ErrorNoticeLabels> | undefined
  /** Class names for the parts of the notice. */
  readonly classNames?: ErrorNoticeClassNames | undefined
}

/**
 * Says what went wrong and what people can do about it, with a retry button that waits for the request limit. Announced
 * when it appears, when another error has a different title, when a retry fails, and when the wait is over.
 * For your own styles, `data-severity` is `warning` if the person can try again at a known time, if the error comes from being
 * offline, or if the request has or may have gone through; otherwise `error`.
 */
export const ErrorNotice = /* @__PURE__ */ forwardRef<HTMLDivElement, ErrorNoticeProps>(
  function ErrorNotice(props, ref) {
    const { error, onRetry, isRetrying = false, actions, labels: overrides, classNames: slots = {}, ...native } = props
    const { errorLabels: labels, describeError } = useDescribeError(overrides)
    const { situation, tone, icon, title, advice, isServiceText, canRetry, retryAt, wait } = describeError(error)
    const retry = canRetry ? onRetry : undefined
    const id = useId()
    const titleRef = useRef<HTMLElement>(null)

    const seconds = useSecondsUntil(retryAt)
    // On a server and until hydration, the seconds are unknown: that counts as waiting.
    const isWaiting = retryAt !== undefined && seconds !== 0
    const isBusy = isRetrying || isWaiting
    const isSlow = useIsSlow(isRetrying)
    /** The error that a person has retried. */
    const [retried, setRetried] = useState<Error>()
    const isStillFailing = retried !== undefined && retried !== error && describeError(retried).situation === situation
    const reason = isStillFailing ? labels.stillFailing : advice
    const sentence = (seconds !== undefined && !isRetrying ? wait(seconds) : undefined) ?? reason
    const showsServiceText = isServiceText && sentence === advice
    const retryLabel = situation === 'mayHaveHappened' ? labels.retryAnyway : labels.retry

    /** What was announced last: a tick, another language or a lost connection must not announce an error again. */
    const announced = useRef<{ error: Error; situation: string | undefined; retried: Error | undefined }>(undefined)
    useEffect(() => {
      const before = announced.current
      const isOther = !before || (before.error !== error && before.situation !== situation)
      const isNews = isOther || (isStillFailing && before.retried !== retried)
      announced.current = isNews ? { error, situation, retried } : { ...before, error }
      if (!isNews) return
      announce(`${title}. ${showsServiceText ? isolate(sentence) : sentence}`.trim(), titleRef.current, isWaiting)
    })
    useChangeEffect(isWaiting, () => {
      if (retryAt !== undefined && !isWaiting && !isRetrying) announce(sentence, titleRef.current, true)
    })
    useEffect(() => {
      if (!isStillFailing) return undefined
      const timer = setTimeout(() => setRetried(undefined), stillFailingTime)
      return () => clearTimeout(timer)
    }, [isStillFailing])

    return (
      <div
        // A fieldset groups the fields of a form; this is not one.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="group"
        aria-labelledby={native['aria-label'] === undefined ? id : undefined}
        {...native}
        ref={ref}
        data-severity={tone === 'danger' ? 'error' : 'warning'}
        className={classNames('petstore-root petstore-error-notice', native.className)}
      >
        <Icon path={icon} tone={tone} className={slots.icon} />
        <div className="petstore-error-notice-body">
          <div className="petstore-error-notice-text">
            <strong ref={titleRef} id={id} className={classNames('petstore-error-notice-title', slots.title)}>
              {title}
            </strong>
            {sentence !== '' && (
              <p
                dir={showsServiceText ? 'auto' : undefined}
                className={classNames('petstore-hint petstore-error-notice-advice', slots.advice)}
              >
                {sentence}
              </p>
            )}
            {isPetstoreError(error) && (
              <ErrorDetails {...{ error, labels, showsServiceText }} className={slots.details} />
            )}
          </div>
          {retry || actions ? (
            <div className="petstore-error-notice-actions">
              {retry && (
                // Never `disabled`: the button may have the focus and would lose it. No countdown in its name: screen readers
                // would speak each change.
                <button
                  type="button"
                  className={classNames('petstore-button', slots.retry)}
                  aria-disabled={isBusy}
                  data-texts={`${retryLabel}\n${labels.retrying}`}
                  // The title describes it, since the countdown in the sentence changes each second.
                  aria-describedby={isWaiting ? id : undefined}
                  onClick={() => {
                    if (isBusy) return
                    setRetried(error)
                    retry()
                  }}
                >
                  {/* Not a `BusyText`, which would add a clock icon (55 bytes) that this button never shows. */}
                  <span className="petstore-busy-text">
                    {isSlow && <span className="petstore-spinner" />}
                    <span>{isSlow ? labels.retrying : retryLabel}</span>
                  </span>
                </button>
              )}
              {actions}
            </div>
          ) : undefined}
        </div>
      </div>
    )
  },
)

/** How long "Still failing · just now." is shown, in ms. */
const stillFailingTime = 60_000

interface ErrorDetailsProps {
  readonly error: PetstoreError
  /** Whether the notice shows the message of the service already. */
  readonly showsServiceText: boolean
  readonly labels: ErrorNoticeLabels
  readonly className: string | undefined
}

/** Details for support, closed at first: what the service said, and the ids to find the call in logs. */
function ErrorDetails({ error, labels, showsServiceText, className }: ErrorDetailsProps): ReactElement {
  const body = 'body' in error ? error.body : undefined
  const headers = [...(error.headers ?? [])].map(([name, value]) => `${name}: ${value}`)
  const rows: readonly (readonly [term: string, ...texts: (string | number | undefined)[]])[] = [
    [labels.serviceSays, showsServiceText ? undefined : serviceMessageOf(error)],
    [labels.code, body?.code],
    [labels.status, 'status' in error ? error.status : undefined],
    [labels.operation, error.operation],
    [labels.callId, error.callId],
    [labels.headers, ...headers],
  ]
  return (
    <details className={classNames('petstore-hint petstore-error-notice-details', className)}>
      <summary>
        <span>{labels.details}</span>
        <Icon path={chevron} />
      </summary>
      <dl>
        {rows.map(
          ([term, ...texts]) =>
            texts.some(Boolean) && (
              <div key={term}>
                <dt>{term}</dt>
                {texts.map((text) => (
                  <dd key={text} dir="auto">
                    {text}
                  </dd>
                ))}
              </div>
            ),
        )}
      </dl>
    </details>
  )
}

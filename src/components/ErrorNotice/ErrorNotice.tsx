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
import { useErrorTexts } from './useErrorText.ts'

/** Class names for the parts of the notice. */
export interface ErrorNoticeClassNames {
  /** The icon. */
  readonly icon?: string | undefined
  /** What failed. */
  readonly title?: string | undefined
  /** What people can do about it. */
  readonly advice?: string | undefined
  /** The line with the countdown to the next retry. */
  readonly wait?: string | undefined
  /** The details for support. */
  readonly details?: string | undefined
  /** The button that tries again. */
  readonly retry?: string | undefined
}

/** The props of a `div`, and: */
export interface ErrorNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The error of a hook. Anything but a `PetstoreError`, such as an `AbortError`, is shown with the same general text. */
  readonly error: PetstoreError | Error
  /** Called when a person retries. Without it there is no retry button. */
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
 * Says what went wrong and what people can do about it, with a retry button that waits for the rate limit. Announced
 * when it appears, when the error changes to another kind, when a retry fails, and when the wait is over.
 * `data-severity` is `error` where somebody has to change something, else `warning`, for your own styles.
 */
export const ErrorNotice = /* @__PURE__ */ forwardRef<HTMLDivElement, ErrorNoticeProps>(
  function ErrorNotice(props, ref) {
    const { error, onRetry, isRetrying = false, actions, labels: overrides, classNames: slots = {}, ...native } = props
    const { labels, errorTextOf } = useErrorTexts(overrides)
    const { situation, tone, icon, title, advice, isServiceText, canRetry, retryAt, wait } = errorTextOf(error)
    const id = useId()
    const titleRef = useRef<HTMLElement>(null)

    const seconds = useSecondsUntil(retryAt)
    // A server has no clock: a time that is not known yet counts as waiting.
    const isWaiting = retryAt !== undefined && seconds !== 0
    const isBusy = isRetrying || isWaiting
    const isSlow = useIsSlow(isRetrying)
    const showsWait = seconds !== undefined && !isRetrying
    const [retried, setRetried] = useState<RetriedError>()
    const isStillFailing = retried !== undefined && retried.error !== error && retried.situation === situation
    const reason = isStillFailing ? labels.stillFailing : advice
    const sentence = (showsWait ? wait(seconds) : undefined) ?? reason
    const showsServiceText = isServiceText && sentence === advice

    /** What was announced last. Re-renders, ticks of a countdown and changed labels are not announced. */
    const announced = useRef<Announced>(undefined)
    useEffect(() => {
      const before = announced.current
      const isNews = !before || before.situation !== situation || (isStillFailing && before.retried !== retried)
      if (!isNews) return
      announced.current = { situation, retried }
      const text = `${title}. ${showsServiceText ? isolate(sentence) : sentence}`
      announce(text, titleRef.current, isWaiting)
    })
    useChangeEffect(isWaiting, () => {
      if (retryAt !== undefined && !isWaiting && !isRetrying) announce(labels.retryNow, titleRef.current, true)
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
        <div className="petstore-error-notice-text">
          <Icon path={icon} tone={tone} className={classNames('petstore-error-notice-icon', slots.icon)} />
          <strong ref={titleRef} id={id} className={classNames('petstore-error-notice-title', slots.title)}>
            {title}
          </strong>
          <p
            dir={showsServiceText ? 'auto' : undefined}
            className={classNames(
              'petstore-hint petstore-error-notice-advice',
              slots.advice,
              ...(showsWait ? ['petstore-error-notice-wait', slots.wait] : []),
            )}
          >
            {sentence}
          </p>
          {isPetstoreError(error) && (
            <ErrorDetails error={error} labels={labels} showsServiceText={showsServiceText} className={slots.details} />
          )}
        </div>
        {(onRetry && canRetry) || actions ? (
          <div className="petstore-error-notice-actions">
            {onRetry && canRetry && (
              // Never `disabled`: the button may have the focus and would lose it. No countdown in its name: screen readers
              // would speak each change.
              <button
                type="button"
                className={classNames('petstore-button petstore-error-notice-retry', slots.retry)}
                aria-disabled={isBusy}
                // The spinner covers the word.
                data-busy={isSlow || undefined}
                aria-label={isSlow ? labels.retrying : undefined}
                // By the title, since the countdown in the sentence changes each second.
                aria-describedby={isWaiting ? id : undefined}
                onClick={() => {
                  if (isBusy) return
                  setRetried({ error, situation })
                  onRetry()
                }}
              >
                <span>{labels.retry}</span>
              </button>
            )}
            {actions}
          </div>
        ) : undefined}
      </div>
    )
  },
)

/** How long "Still failing · just now." is shown, in ms. */
const stillFailingTime = 60_000

/** The error that a person has retried. */
interface RetriedError {
  readonly error: Error
  readonly situation: string | undefined
}

interface Announced {
  readonly situation: string | undefined
  /** Another error after it is news, even in the same situation. */
  readonly retried: RetriedError | undefined
}

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
  // A `RateLimitError` has the body alone.
  const serviceMessage = 'serviceMessage' in error ? error.serviceMessage : body?.message
  const headers = [...(error.headers ?? [])].map(([name, value]) => `${name}: ${value}`)
  const rows: readonly (readonly [term: string, ...texts: (string | number | undefined)[]])[] = [
    [labels.serviceSays, showsServiceText ? undefined : serviceMessage],
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

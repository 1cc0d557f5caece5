import type { ReactElement } from 'react'
import { useSecondsUntil } from '../../hooks/useCountdown.tsx'
import { waitText } from '../../labels/waitText.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { errorText } from '../ErrorNotice/errorText.ts'
import { Icon, alert, clock } from '../Icon.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import type { ComposerView } from './ComposerView.ts'
import type { Refusal } from './outbox.ts'

interface DraftRefusalProps extends ComposerView {
  /** Id of the text that says why, without the countdown. */
  readonly id: string
  readonly refusal: Refusal | undefined
}

/** Why the text in the field was not sent, and when it can be. Announced, as is the end of the wait. */
export function DraftRefusal({
  id,
  refusal,
  labels,
  errors,
  format,
  fieldRef,
  slots,
}: DraftRefusalProps): ReactElement | null {
  const error = refusal?.error
  const { title, advice } = error ? errorText(error, errors) : errors.otherError
  const retryAt = error && 'retryAt' in error ? error.retryAt : undefined
  const seconds = useSecondsUntil(retryAt)
  const isOver = seconds === 0
  const reason = labels.failedBecause(title)
  const waitFor = (shown?: number) =>
    retryAt === undefined ? advice : waitText(errors.retryIn, retryAt, format, shown)
  useChangeEffect(error, () => {
    if (error) announce(`${reason}. ${waitFor()}`, fieldRef.current, retryAt !== undefined)
  })
  useChangeEffect(error && isOver, () => {
    if (error && isOver) announce(errors.retryNow, fieldRef.current, true)
  })
  if (!error) return null
  return (
    <div
      data-status={retryAt === undefined ? 'failed' : 'waiting'}
      className={classNames('petstore-message-composer-status petstore-message-composer-advice', slots.advice)}
    >
      <div className="petstore-message-composer-state">
        <Icon path={retryAt === undefined ? alert : clock} className="petstore-message-composer-icon" />
        <div>
          <p id={id}>{reason}</p>
          <p>{isOver ? errors.retryNow : waitFor(seconds)}</p>
        </div>
      </div>
    </div>
  )
}

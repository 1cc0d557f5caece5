import type { ReactElement } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import { errorText } from '../ErrorNotice/errorText.ts'
import type { OutboxState } from './outbox.ts'

interface MessageAdviceProps {
  readonly status: OutboxState['status']
  readonly error: Error
  readonly labels: ErrorNoticeLabels
}

/** What a person can do about a message that failed, and the message of the service. */
export function MessageAdvice({ status, error, labels }: MessageAdviceProps): ReactElement {
  const { title, advice, notes } = errorText(error, labels)
  // The line above shows the title of a failure. "Try again" would be bad advice for a message that may have been sent.
  const lines = status === 'failed' ? [advice] : [title, ...notes]
  const body = isPetstoreError(error) && 'body' in error ? error.body : undefined
  return (
    <>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {body && (
        <p>
          {labels.serviceSays}: <bdi dir="auto">{body.message}</bdi>
        </p>
      )}
    </>
  )
}

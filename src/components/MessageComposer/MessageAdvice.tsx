import type { ReactElement } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import { errorText } from '../ErrorNotice/errorText.ts'
import type { OutboxState } from './outbox.ts'

interface MessageAdviceProps {
  readonly status: OutboxState['status']
  readonly error: Error
  readonly errors: ErrorNoticeLabels
}

/** What can be done about a message that did not go well, and what the service says about it. */
export function MessageAdvice({ status, error, errors }: MessageAdviceProps): ReactElement {
  const { title, advice, notes } = errorText(error, errors)
  // Its title stands in the line above; where it may have been sent, to simply try again is no good advice.
  const lines = status === 'failed' ? [advice] : [title, ...notes]
  const body = isPetstoreError(error) && 'body' in error ? error.body : undefined
  return (
    <>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {body && (
        <p>
          {errors.serviceSays}: <bdi dir="auto">{body.message}</bdi>
        </p>
      )}
    </>
  )
}

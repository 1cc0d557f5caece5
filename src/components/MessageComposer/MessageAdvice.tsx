import type { ReactElement } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { classNames } from '../classNames.ts'
import { errorText } from '../ErrorNotice/errorText.ts'
import type { ComposerView } from './ComposerView.ts'
import type { OutboxState } from './outbox.ts'

interface MessageAdviceProps extends Pick<ComposerView, 'errors' | 'slots'> {
  readonly id: string
  readonly status: OutboxState['status']
  readonly error: Error
}

/** What a person can do about a message that failed, and the message of the service. */
export function MessageAdvice({ id, status, error, errors, slots }: MessageAdviceProps): ReactElement {
  const { title, advice, notes } = errorText(error, errors)
  // The line above shows the title of a failure. "Try again" would be bad advice for a message that may have been sent.
  const lines = status === 'failed' ? [advice] : [title, ...notes]
  const body = isPetstoreError(error) && 'body' in error ? error.body : undefined
  // Of a rate limit, nothing matters but its end, which stands beside the button. Hidden, the advice still describes it.
  const isWaitEnough = isPetstoreError(error) && error.kind === 'rate-limit'
  return (
    <div hidden={isWaitEnough && !body} className={classNames('petstore-message-composer-advice', slots.advice)}>
      <div id={id} hidden={isWaitEnough}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {body && (
        <p>
          {errors.serviceSays}: <bdi dir="auto">{body.message}</bdi>
        </p>
      )}
    </div>
  )
}

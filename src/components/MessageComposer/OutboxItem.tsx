import { type ReactElement, type ReactNode, useId, useRef } from 'react'
import { classNames } from '../classNames.ts'
import { RestoreFocus } from '../RestoreFocus.tsx'
import type { ItemView } from './ComposerView.ts'
import { DiscardedMessage } from './DiscardedMessage.tsx'
import { MessageAdvice } from './MessageAdvice.tsx'
import { MessageBody } from './MessageBody.tsx'
import { MessageButtons } from './MessageButtons.tsx'
import { MessageStatus } from './MessageStatus.tsx'

/** A message, its state, and what a person can do about it. */
export function OutboxItem(view: ItemView): ReactElement {
  const { message, errors, slots } = view
  const { state, discardedAt } = message
  const { status } = state
  const itemRef = useRef<HTMLLIElement>(null)
  const adviceId = useId()

  // One element for both, so that it can keep the focus.
  const item = (content: ReactNode) => (
    <li
      ref={itemRef}
      tabIndex={-1}
      data-status={discardedAt === undefined ? status : 'discarded'}
      className={classNames('petstore-message-composer-message', slots.message)}
    >
      {content}
    </li>
  )

  if (discardedAt !== undefined) {
    return item(
      <RestoreFocus fallbackRef={itemRef} className="petstore-message-composer-discarded">
        <DiscardedMessage {...view} itemRef={itemRef} />
      </RestoreFocus>,
    )
  }
  return item(
    <>
      <MessageBody {...view} itemRef={itemRef} />
      <MessageStatus {...view} />
      {'error' in state && state.error && (
        <MessageAdvice id={adviceId} status={status} error={state.error} errors={errors} slots={slots} />
      )}
      {status !== 'sending' && status !== 'accepted' && (
        <RestoreFocus fallbackRef={itemRef} className={classNames('petstore-message-composer-buttons', slots.buttons)}>
          <MessageButtons {...view} adviceId={adviceId} />
        </RestoreFocus>
      )}
    </>,
  )
}

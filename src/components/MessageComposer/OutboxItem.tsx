import { type ReactElement, useId, useRef } from 'react'
import { classNames } from '../classNames.ts'
import { RestoreFocus } from '../RestoreFocus.tsx'
import type { ItemView } from './ComposerView.ts'
import { MessageAdvice } from './MessageAdvice.tsx'
import { MessageButtons } from './MessageButtons.tsx'
import { MessageStatus } from './MessageStatus.tsx'

/** A message, its state, and what a person can do about it. */
export function OutboxItem(view: ItemView): ReactElement {
  const { message, renderText, errors, slots } = view
  const { text, state } = message
  const { status } = state
  const itemRef = useRef<HTMLLIElement>(null)
  const adviceId = useId()

  return (
    <li
      ref={itemRef}
      tabIndex={-1}
      data-status={status}
      className={classNames('petstore-message-composer-message', slots.message)}
    >
      <RestoreFocus
        fallbackRef={itemRef}
        dir="auto"
        className={classNames('petstore-message-composer-text', slots.text)}
      >
        {renderText ? renderText(text) : text}
      </RestoreFocus>
      <MessageStatus {...view} />
      {'error' in state && state.error && (
        <MessageAdvice id={adviceId} status={status} error={state.error} errors={errors} slots={slots} />
      )}
      {status !== 'sending' && status !== 'accepted' && (
        <RestoreFocus fallbackRef={itemRef} className={classNames('petstore-message-composer-buttons', slots.buttons)}>
          <MessageButtons {...view} {...{ adviceId, itemRef }} />
        </RestoreFocus>
      )}
    </li>
  )
}

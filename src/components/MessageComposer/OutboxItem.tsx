import { type ReactElement, type ReactNode, type RefObject, useId, useRef } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { classNames } from '../classNames.ts'
import { focusTemporarily, RestoreFocus } from '../RestoreFocus.tsx'
import { MessageAdvice } from './MessageAdvice.tsx'
import { MessageButtons } from './MessageButtons.tsx'
import type { MessageComposerClassNames } from './MessageComposerClassNames.ts'
import { MessageStatus } from './MessageStatus.tsx'
import type { ComposerCatalog } from './messageText.ts'
import type { OutboxMessage } from './outbox.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'

interface OutboxItemProps {
  readonly message: OutboxMessage
  readonly store: OutboxStore
  readonly delivery: Delivery
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  /** Whether the field is empty. */
  readonly canEdit: boolean
  readonly renderText: ((text: string) => ReactNode) | undefined
  readonly catalog: ComposerCatalog
  readonly slots: MessageComposerClassNames
}

/** A message, its state, and what a person can do about it. */
export function OutboxItem(props: OutboxItemProps): ReactElement {
  const { message, store, delivery, fieldRef, canEdit, renderText, catalog, slots } = props
  const { id, text, state } = message
  const { status } = state
  const itemRef = useRef<HTMLLIElement>(null)
  const adviceId = useId()
  const error = 'error' in state ? state.error : undefined
  // A retry through another client has another rate limit.
  const isHeld = isPetstoreError(error) && error.kind === 'rate-limit' && message.client === delivery.client

  function edit(): void {
    fieldRef.current?.focus()
    store.edit(id)
  }

  function discard(): void {
    // The next message, not one of its buttons, which a key that is held down would press too.
    focusTemporarily(itemRef.current?.nextElementSibling ?? fieldRef.current)
    store.discard(id)
  }

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
      <MessageStatus message={message} catalog={catalog} className={slots.status} />
      {error && (
        <div id={adviceId} className={classNames('petstore-message-composer-advice', slots.advice)}>
          <MessageAdvice status={status} error={error} labels={catalog.errors} />
        </div>
      )}
      {status !== 'sending' && status !== 'accepted' && (
        <RestoreFocus fallbackRef={itemRef} className={classNames('petstore-message-composer-buttons', slots.buttons)}>
          <MessageButtons
            status={status}
            canEdit={canEdit}
            retryAt={isHeld ? error.retryAt : undefined}
            adviceId={adviceId}
            onRetry={() => store.retry(id, delivery)}
            onCancel={() => store.cancel(id)}
            onEdit={edit}
            onDiscard={discard}
            catalog={catalog}
          />
        </RestoreFocus>
      )}
    </li>
  )
}

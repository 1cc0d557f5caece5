import { type ReactElement, type ReactNode, type RefObject, useId, useRef } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { isHtmlElement } from '../isHtmlElement.ts'
import type { MessageComposerClassNames } from './MessageComposerClassNames.ts'
import { MessageAdvice } from './MessageAdvice.tsx'
import { MessageButtons } from './MessageButtons.tsx'
import { type MessageText, messageText } from './messageText.ts'
import type { OutboxMessage, OutboxState } from './outbox.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'
import { useKeptFocus } from './useKeptFocus.ts'

interface OutboxItemProps {
  readonly message: OutboxMessage
  readonly store: OutboxStore
  readonly delivery: Delivery
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  /** Whether the field is empty. */
  readonly canEdit: boolean
  readonly renderText: ((text: string) => ReactNode) | undefined
  readonly words: MessageText
  readonly slots: MessageComposerClassNames
}

/** A message on its way or at its end, and what can be done about it. */
export function OutboxItem(props: OutboxItemProps): ReactElement {
  const { message, store, delivery, fieldRef, canEdit, renderText, words, slots } = props
  const { id, text, state } = message
  const { status } = state
  const { errors, format } = words
  const itemRef = useRef<HTMLLIElement>(null)
  const focusListeners = useKeptFocus(itemRef)
  const adviceId = useId()
  const when = status === 'accepted' ? Date.parse(state.response.createdAt) : message.at
  const error = 'error' in state ? state.error : undefined
  // Another client has another rate limit.
  const isHeld = isPetstoreError(error) && error.kind === 'rate-limit' && message.client === delivery.client

  function edit(): void {
    fieldRef.current?.focus()
    store.edit(id)
  }

  function discard(): void {
    // To the next message, not to a button of it, which a key that is held down would press, too.
    const neighbour = itemRef.current?.nextElementSibling ?? fieldRef.current
    if (isHtmlElement(neighbour)) neighbour.focus()
    store.discard(id)
  }

  return (
    <li
      {...focusListeners}
      ref={itemRef}
      tabIndex={-1}
      data-status={status}
      className={classNames('petstore-message-composer-message', slots.message)}
    >
      <div dir="auto" className={classNames('petstore-message-composer-text', slots.text)}>
        {renderText ? renderText(text) : text}
      </div>
      <div className={classNames('petstore-message-composer-status', slots.status)}>
        <span className="petstore-message-composer-state">
          <svg className="petstore-message-composer-icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d={icons[status]} />
          </svg>
          <span>{statusText(state, words)}</span>
        </span>
        <time dateTime={new Date(when).toISOString()}>{format.time(when)}</time>
      </div>
      {error && (
        <div id={adviceId} className={classNames('petstore-message-composer-advice', slots.advice)}>
          <MessageAdvice status={status} error={error} errors={errors} />
        </div>
      )}
      {status !== 'sending' && status !== 'accepted' && (
        <div className={classNames('petstore-message-composer-buttons', slots.buttons)}>
          <MessageButtons
            status={status}
            canEdit={canEdit}
            retryAt={isHeld ? error.retryAt : undefined}
            adviceId={adviceId}
            onRetry={() => store.retry(id, delivery)}
            onCancel={() => store.cancel(id)}
            onEdit={edit}
            onDiscard={discard}
            words={words}
          />
        </div>
      )}
    </li>
  )
}

function statusText(state: OutboxState, words: MessageText): ReactNode {
  const { labels, format } = words
  if (state.status === 'waiting') {
    return (
      <Countdown until={state.until} format={format}>
        {labels.waiting}
      </Countdown>
    )
  }
  if (state.status !== 'accepted' || state.response.status === 'queued') return messageText(state, words)
  return (
    <>
      {labels.accepted} <bdi dir="auto">{state.response.status}</bdi>
    </>
  )
}

const circle = 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0'

/** Told apart by shape, since colour alone tells nothing to some. */
const icons: Readonly<Record<OutboxState['status'], string>> = {
  sending: 'M8 13V3M4 7l4-4 4 4',
  waiting: `${circle}M8 5v3l2 1.5`,
  accepted: 'M3 8.5l3.5 3.5L13 4.5',
  failed: `${circle}M8 5v3.5M8 11v.01`,
  unknown: `${circle}M6.5 6.5a1.5 1.5 0 1 1 2 1.4c-.3.1-.5.4-.5.8M8 11v.01`,
  applied: `${circle}M5.5 8.5l1.7 1.7 3.3-4`,
  cancelled: `${circle}M4 12l8-8`,
}

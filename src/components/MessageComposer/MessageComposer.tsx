'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
} from 'react'
import { invokeCallback } from '../../client/invokeCallback.ts'
import type { Message } from '../../contract/message.ts'
import { usePetstoreClient } from '../../hooks/usePetstoreClient.ts'
import type { MessageComposerLabels } from '../../labels/MessageComposerLabels.ts'
import { announce, prepareRegion } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { useLabels } from '../useLabels.ts'
import type { MessageComposerClassNames } from './MessageComposerClassNames.ts'
import { MessageForm } from './MessageForm.tsx'
import { messageText } from './messageText.ts'
import type { OutboxMessage } from './outbox.ts'
import type { Delivery } from './outboxStore.ts'
import { OutboxItem } from './OutboxItem.tsx'
import { useOutbox, useOutboxStore } from './useOutbox.ts'

/** Native props go to the root element, a `section`. */
export interface MessageComposerProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /**
   * Keeps the texts that the service has not taken in the tab's session storage under this key, over a reload and while
   * the composer is not shown. Composers with the same key share them. Another key shows the texts of that key.
   */
  readonly draftKey?: string | undefined
  /**
   * A limit of your own, counted as in the `maxlength` of HTML: a longer text can be written, but not sent. Default:
   * none, since the service's interface document shows none.
   */
  readonly maxLength?: number | undefined
  /** Told of each message that the service has taken; also once the composer is gone. `queued` is not delivered. */
  readonly onSent?: ((message: Message) => void) | undefined
  /** What is shown of a message's text in the list, in place of the text itself. */
  readonly renderText?: ((text: string) => ReactNode) | undefined
  /** Further controls, before the button that sends. */
  readonly actions?: ReactNode
  /** Other words than the provider's. */
  readonly labels?: Partial<MessageComposerLabels> | undefined
  /** Further class names for the inner parts. */
  readonly classNames?: MessageComposerClassNames | undefined
}

/**
 * Writes and sends messages, to the provider's `quickstartBaseUrl`, and lists how each of them stands. A text is gone
 * only once the service has taken it, or the person has discarded it; what may have been sent is not sent again without
 * being asked to.
 */
export const MessageComposer: ForwardRefExoticComponent<MessageComposerProps & RefAttributes<HTMLElement>> = forwardRef<
  HTMLElement,
  MessageComposerProps
>(function MessageComposer(props, ref) {
  const { draftKey, maxLength, onSent, renderText, actions, labels, className, classNames: slots = {}, ...rest } = props
  const { labels: provided, format } = useLabels('MessageComposer')
  const words = { labels: { ...provided.messageComposer, ...labels }, errors: provided.errorNotice, format }
  const client = usePetstoreClient()
  const store = useOutboxStore(draftKey)
  const messages = useOutbox(store, (outbox) => outbox.messages)
  const canEdit = useOutbox(store, (outbox) => outbox.draft === '')
  const fieldRef = useRef<HTMLTextAreaElement>(null)

  const latest = useRef({ onSent, words })
  useInsertionEffect(() => {
    latest.current = { onSent, words }
  })
  const delivery = useMemo((): Delivery => {
    const tell = ({ state }: OutboxMessage) => {
      if (fieldRef.current) announce(messageText(state, latest.current.words), fieldRef.current)
      if (state.status === 'accepted') invokeCallback(latest.current.onSent, state.response)
    }
    return { client, tell }
  }, [client])
  useEffect(() => void prepareRegion(fieldRef.current), [])

  // What a service has said is not shown under another address or key. The texts are the person's own, and stay.
  const shown = messages.filter((message) => message.state.status !== 'accepted' || message.client === client)

  return (
    <section
      aria-label={words.labels.title}
      {...rest}
      ref={ref}
      className={classNames('petstore-message-composer', className)}
    >
      <MessageForm {...{ store, delivery, fieldRef, maxLength, actions, words, slots }} />
      {shown.length > 0 && (
        <ul
          // Spoken out because Safari drops it from lists without markers.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label={words.labels.outbox}
          className={classNames('petstore-message-composer-outbox', slots.outbox)}
        >
          {shown.map((message) => (
            <OutboxItem
              key={message.id}
              {...{ message, store, delivery, fieldRef, canEdit, renderText, words, slots }}
            />
          ))}
        </ul>
      )}
    </section>
  )
})

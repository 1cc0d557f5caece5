'use client'

import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { isAbortError } from '../../base/abort.ts'
import { invokeCallback, reportAppError } from '../../base/listeners.ts'
import { onClear } from '../../client/PetstoreClient.ts'
import { isPetstoreError } from '../../client/errors.ts'
import type { Message } from '../../contract/message.ts'
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'
import { useKeyedState, useLatestRef } from '../../hooks/state.ts'
import { storedName } from '../../hooks/storedName.ts'
import type { MessageComposerLabels } from '../../labels/en.ts'
import { messageComposer } from '../../labels/en/messageComposer.ts'
import { announce, prepareRegion } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { useDescribeError } from '../ErrorNotice/useErrorText.ts'
import { excerptOf } from '../excerptOf.ts'
import { useLabels } from '../useLabels.ts'
import { type ComposerTexts, type MessageComposerClassNames, statusText } from './ComposerView.ts'
import { MessageForm } from './MessageForm.tsx'
import type { OutboxMessage } from './outbox.ts'
import { OutboxItem } from './OutboxItem.tsx'
import { type Delivery, outboxStoreFor, useOutbox } from './outboxStore.ts'

/** Native props go to the root element, a `section`. */
export interface MessageComposerProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /**
   * Stores the text in the tab's session storage under this key and the scope until the service has accepted it. After a
   * reload, the texts that it has not accepted are in the field. Composers with the same key share their texts until the
   * page unloads, also while none is mounted. Texts of more than 50,000 characters are not stored.
   */
  readonly draftKey?: string | undefined
  /**
   * Your own limit, counted like `maxlength` in HTML: a longer text can be typed, but not sent. Default: none, since
   * the service's interface document shows none.
   */
  readonly maxLength?: number | undefined
  /**
   * Called when the service accepted a message, even after the composer unmounts. A message with status `queued` is not
   * delivered yet.
   */
  readonly onSent?: ((message: Message) => void) | undefined
  /** Renders the text of a message in the list. Default: plain text. */
  readonly renderText?: ((text: string) => ReactNode) | undefined
  /** More controls, before the send button. */
  readonly actions?: ReactNode
  /** Overrides the provider's labels. */
  readonly labels?: Partial<MessageComposerLabels> | undefined
  /** Class names for the parts of the composer. */
  readonly classNames?: MessageComposerClassNames | undefined
}

/**
 * Sends messages to the provider's `quickstartBaseUrl` and lists the state of each. A text that was not accepted stays until a
 * person discards it, with a `draftKey` also after a reload. What may have been sent is sent again only on request.
 */
export const MessageComposer = /* @__PURE__ */ forwardRef<HTMLElement, MessageComposerProps>(
  function MessageComposer(props, ref) {
    const { draftKey, maxLength, onSent, renderText, actions, labels: overrides, ...root } = props
    const { classNames: slots = {}, ...native } = root
    const { labels, format } = useLabels('messageComposer', messageComposer, overrides)
    const texts = { labels, format, ...useDescribeError() }
    const { client } = usePetstoreContext()
    const storageKey = draftKey === undefined ? undefined : storedName(client, draftKey)
    const store = useKeyedState(storageKey, () => outboxStoreFor(storageKey))
    useEffect(() => onClear(client, store.clear), [client, store])
    const messages = useOutbox(store, (outbox) => outbox.messages)
    const isFieldEmpty = useOutbox(store, (outbox) => outbox.draft === '')
    const fieldRef = useRef<HTMLTextAreaElement>(null)
    const delivery = useDelivery(fieldRef, texts, onSent)
    const view = { ...texts, store, delivery, fieldRef, slots }
    useEffect(() => void prepareRegion(fieldRef.current), [])

    // Another client's accepted messages may be of somebody else. A text that was not accepted must not be lost.
    const shown = messages.filter((message) => message.state.status !== 'accepted' || message.client === client)

    return (
      <section
        aria-label={labels.title}
        {...native}
        ref={ref}
        className={classNames('petstore-root petstore-message-composer', native.className)}
      >
        <MessageForm {...view} maxLength={maxLength} actions={actions} />
        {shown.length > 0 && (
          <ul
            // An explicit role, because Safari drops the list role from lists without markers.
            // oxlint-disable-next-line jsx-a11y/no-redundant-roles
            role="list"
            aria-label={labels.outbox}
            className={classNames('petstore-message-composer-outbox', slots.outbox)}
          >
            {shown.map((message) => (
              <OutboxItem key={message.id} {...view} {...{ message, isFieldEmpty, renderText }} />
            ))}
          </ul>
        )}
      </section>
    )
  },
)

/** Sends through the provider's client, announces what becomes of each message, and reports the accepted ones to the app. */
function useDelivery(
  fieldRef: RefObject<Element | null>,
  texts: ComposerTexts,
  onSent: ((message: Message) => void) | undefined,
): Delivery {
  const latest = useLatestRef({ texts, onSent })
  const { client, reportFailure } = usePetstoreContext()
  return useMemo(() => {
    const onChange = ({ state }: OutboxMessage) => {
      const error = 'error' in state ? state.error : undefined
      const isHandled = true // the message shows it
      if (isPetstoreError(error)) reportFailure(error, isHandled)
      else if (error !== undefined && !isAbortError(error)) reportAppError(error)
      if (state.status === 'accepted') invokeCallback(latest.current.onSent, state.response)
    }
    const announceMessage = ({ text, state }: OutboxMessage) => {
      const current = latest.current.texts
      const announcement = current.labels.announcement(excerptOf(text), statusText(state, current))
      // After the composer has unmounted there is no field, and the live region of the page announces it.
      announce(announcement, fieldRef.current, state.status === 'waiting')
    }
    return { client, onChange, announce: announceMessage }
  }, [client, fieldRef, latest, reportFailure])
}

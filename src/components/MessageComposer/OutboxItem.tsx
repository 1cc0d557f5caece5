import { type AriaAttributes, type ReactElement, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import { labelOfWait } from '../../labels/waitText.ts'
import { serviceMessageOf } from '../ErrorNotice/useErrorText.ts'
import { classNames, inlineButton } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { ban, clock, question, type Tone, waitIcons } from '../Icon.tsx'
import { focusTemporarily, RestoreFocus } from '../RestoreFocus.tsx'
import { StateLine } from '../StateLine.tsx'
import { useOfflineText } from '../useIsOffline.ts'
import { type ComposerTexts, type ItemView, statusText } from './ComposerView.ts'
import { editable, type OutboxState } from './outbox.ts'

export function OutboxItem(view: ItemView): ReactElement {
  const { message, slots } = view
  const { state } = message
  const { status } = state
  const itemRef = useRef<HTMLLIElement>(null)
  const partProps = { ...view, itemRef, statusId: useId() }

  return (
    <li
      ref={itemRef}
      tabIndex={-1}
      data-status={status}
      className={classNames('petstore-message-composer-message', slots.message)}
    >
      <MessageBody {...partProps} />
      <MessageStatus {...partProps} />
      {'error' in state && <MessageAdvice {...partProps} error={state.error} />}
      {status !== 'sending' && status !== 'accepted' && (
        <RestoreFocus fallbackRef={itemRef} className={classNames('petstore-message-composer-buttons', slots.buttons)}>
          <MessageButtons {...partProps} />
        </RestoreFocus>
      )}
    </li>
  )
}

interface ItemPartProps extends ItemView {
  readonly itemRef: RefObject<HTMLElement | null>
  readonly statusId: string
}

/** The text of a message. Only the first lines of a long one, until a person wants to see all of it. */
function MessageBody({ message, renderText, itemRef, labels, slots }: ItemPartProps): ReactElement {
  const { text } = message
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  // What the app renders may be of any height, and may contain controls.
  const isLong = !renderText && isLongText(text)
  return (
    <>
      <RestoreFocus
        fallbackRef={itemRef}
        id={id}
        dir="auto"
        data-clamped={(isLong && !isOpen) || undefined}
        className={classNames('petstore-message-composer-text', slots.text)}
      >
        {renderText ? renderText(text) : text}
      </RestoreFocus>
      {isLong && (
        <div className="petstore-message-composer-buttons">
          <ItemButton isQuiet aria-controls={id} aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
            {isOpen ? labels.showLess : labels.showAll}
          </ItemButton>
        </div>
      )}
    </>
  )
}

/** Whether the six lines that CSS leaves of a long text hide enough for a button. Guessed: a server cannot measure. */
function isLongText(text: string): boolean {
  return text.length > 1_000 || text.split('\n', 10).length > 8
}

function MessageStatus(view: ItemPartProps): ReactElement {
  const { statusId, message, describeError, errorLabels, format, slots } = view
  const { state, at } = message
  const offlineText = useOfflineText(state.status === 'waiting' ? state.wait : undefined, errorLabels)
  const [icon, tone] = lookOf(state, describeError)
  const time = state.status === 'accepted' ? Date.parse(state.response.createdAt) : at
  return (
    <>
      <StateLine icon={icon} tone={tone} className={classNames('petstore-message-composer-status', slots.status)}>
        <span id={statusId}>{offlineText ?? shownStatus(state, view)}</span>
      </StateLine>
      <time className="petstore-hint" dateTime={new Date(time).toISOString()}>
        {format.time(time)}
      </time>
    </>
  )
}

function shownStatus(state: OutboxState, texts: ComposerTexts): ReactNode {
  const { labels } = texts
  if (state.status === 'waiting') {
    return <Countdown until={state.wait.until} label={labelOfWait(labels.waiting, state.wait)} />
  }
  if (state.status !== 'accepted' || state.response.status === 'queued') return statusText(state, texts)
  return (
    <span>
      <span>{labels.accepted}</span> <bdi dir="auto">{state.response.status}</bdi>
    </span>
  )
}

/** The icon goes with the text of the state. A wait and an accepted message may share a clock, in different colors. */
function lookOf(state: OutboxState, describeError: ItemView['describeError']): readonly [icon?: string, tone?: Tone] {
  if (state.status === 'waiting') return [waitIcons[state.wait.reason], 'warning']
  // The service documents no status that says that it has delivered a message.
  if (state.status === 'accepted') return [clock]
  if (state.status === 'unknown') return [question, 'warning']
  if (state.status === 'cancelled') return [ban]
  if (state.status === 'sending') return []
  const { icon, tone } = describeError(state.error)
  return [icon, tone]
}

/** What a person can do about a message that failed, and the message of the service. */
function MessageAdvice(props: ItemPartProps & { error: Error }): ReactElement | null {
  const { error, message, errorLabels, describeError, slots } = props
  const { isServiceText, retryAt, wait: waitSentence, ...errorText } = describeError(error)
  const seconds = useSecondsUntil(retryAt)
  // If the message may have been sent, the error may only say that the client was closed: its advice is not used.
  const { advice } = message.state.status === 'unknown' ? errorLabels.situations.mayHaveHappened : errorText
  const sentence = waitSentence(seconds) ?? advice
  const showsServiceText = isServiceText && sentence === advice
  const serviceMessage = showsServiceText ? undefined : serviceMessageOf(error)
  // The status line of an applied message already says everything.
  if (message.state.status === 'applied' || !sentence) return null
  return (
    <div className={classNames('petstore-hint petstore-message-composer-advice', slots.advice)}>
      <p dir={showsServiceText ? 'auto' : undefined}>{sentence}</p>
      {serviceMessage && (
        <p>
          <span>{`${errorLabels.serviceSays}:`}</span> <bdi dir="auto">{serviceMessage}</bdi>
        </p>
      )}
    </div>
  )
}

/** The actions for a message. Re-renders each second while a retry has to wait. */
function MessageButtons(props: ItemPartProps): ReactElement {
  const { message, store, delivery, fieldRef, itemRef, isFieldEmpty, labels, describeError, statusId } = props
  const { id, state } = message
  const { status } = state
  const error = 'error' in state ? state.error : undefined
  // What the error says of a retry holds only for the client that failed.
  const errorText = error && message.client === delivery.client ? describeError(error) : undefined
  const retryAt = errorText?.retryAt
  const seconds = useSecondsUntil(retryAt)
  const [wantsEdit, setWantsEdit] = useState(false)
  const reasonId = useId()
  const isHeld = retryAt !== undefined && seconds !== 0
  const isEditable = editable.includes(status)
  const isBlocked = isEditable && !isFieldEmpty

  function edit(): void {
    setWantsEdit(isBlocked)
    if (isBlocked) return
    fieldRef.current?.focus()
    store.edit(id)
  }

  function discard(): void {
    focusTemporarily(itemRef.current?.nextElementSibling ?? fieldRef.current)
    store.discard(id)
  }

  if (status === 'waiting') {
    // Without a key React would reuse this button, and its focus, for "Try again".
    return (
      <ItemButton key="cancel" onPress={() => store.cancel(id)}>
        {labels.cancel}
      </ItemButton>
    )
  }
  return (
    <>
      {status !== 'applied' && errorText?.canRetry !== false && (
        <ItemButton
          blockedBy={isHeld ? statusId : undefined}
          onPress={() => void (!isHeld && store.retry(id, delivery))}
        >
          {isEditable ? props.errorLabels.retry : labels.retryAnyway}
        </ItemButton>
      )}
      {isEditable && (
        <ItemButton isQuiet blockedBy={isBlocked ? reasonId : undefined} onPress={edit}>
          {labels.edit}
        </ItemButton>
      )}
      <ItemButton isQuiet onPress={discard}>
        {labels.discard}
      </ItemButton>
      {isBlocked && (
        <span id={reasonId} className={wantsEdit ? 'petstore-hint' : 'petstore-visually-hidden'}>
          {labels.editBlocked}
        </span>
      )}
    </>
  )
}

interface ItemButtonProps extends AriaAttributes {
  readonly children: string
  /** Id of the text that says why the button does nothing now. */
  readonly blockedBy?: string | undefined
  readonly isQuiet?: boolean | undefined
  readonly onPress: () => void
}

/** A button of a message. Never `disabled`: it may have the focus and would lose it. */
function ItemButton({ blockedBy, isQuiet, onPress, ...others }: ItemButtonProps): ReactElement {
  return (
    <button
      {...others}
      type="button"
      className={isQuiet ? inlineButton : 'petstore-button'}
      aria-disabled={blockedBy !== undefined}
      aria-describedby={blockedBy}
      // Ignores the second click of a double click: by then another button or message may be under the pointer.
      onClick={({ detail }) => void (detail < 2 && onPress())}
    />
  )
}

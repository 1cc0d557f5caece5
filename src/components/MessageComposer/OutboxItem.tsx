import { type AriaAttributes, type ReactElement, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import { labelOfWait } from '../../labels/waitText.ts'
import { serviceMessageOf } from '../ErrorNotice/useErrorText.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { ban, check, clock, question, type Tone, waitIcons } from '../Icon.tsx'
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
  const part = { ...view, itemRef, statusId: useId() }

  return (
    <li
      ref={itemRef}
      tabIndex={-1}
      data-status={status}
      className={classNames('petstore-message-composer-message', slots.message)}
    >
      <MessageBody {...part} />
      <MessageStatus {...part} />
      {'error' in state && <MessageAdvice {...part} error={state.error} />}
      {status !== 'sending' && status !== 'accepted' && (
        <RestoreFocus fallbackRef={itemRef} className={classNames('petstore-message-composer-buttons', slots.buttons)}>
          <MessageButtons {...part} />
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

/** More than the six lines that are shown, in any but the widest columns. Without a look at the layout, as on a server. */
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

/** Each state has its own shape, so that color is not the only difference. */
function lookOf(state: OutboxState, describeError: ItemView['describeError']): readonly [icon?: string, tone?: Tone] {
  if (state.status === 'waiting') return [waitIcons[state.wait.reason], 'warning']
  // The service documents no status that says that it has delivered a message.
  if (state.status === 'accepted') return [clock]
  if (state.status === 'unknown') return [question, 'warning']
  if (state.status === 'applied') return [check, 'warning']
  if (state.status === 'cancelled') return [ban]
  if (state.status === 'sending') return []
  const { icon, tone } = describeError(state.error)
  return [icon, tone]
}

/** What a person can do about a message that failed, and the message of the service. */
function MessageAdvice(props: ItemPartProps & { error: Error }): ReactElement | null {
  const { error, message, errorLabels, describeError, slots } = props
  const { isServiceText, retryAt, wait, ...text } = describeError(error)
  const seconds = useSecondsUntil(retryAt)
  // Its error may be that of a client that was closed meanwhile, which says nothing of what the service has done.
  const { advice } = message.state.status === 'unknown' ? errorLabels.situations.mayHaveHappened : text
  const sentence = wait(seconds) ?? advice
  const showsServiceText = isServiceText && sentence === advice
  const said = showsServiceText ? undefined : serviceMessageOf(error)
  // Its status says it all.
  if (message.state.status === 'applied' || !sentence) return null
  return (
    <div className={classNames('petstore-hint petstore-message-composer-advice', slots.advice)}>
      <p dir={showsServiceText ? 'auto' : undefined}>{sentence}</p>
      {said && (
        <p>
          <span>{`${errorLabels.serviceSays}:`}</span> <bdi dir="auto">{said}</bdi>
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
  // A retry through another client has another rate limit.
  const text = error && message.client === delivery.client ? describeError(error) : undefined
  const retryAt = text?.retryAt
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
      {status !== 'applied' && text?.canRetry !== false && (
        <ItemButton
          blockedBy={isHeld ? statusId : undefined}
          onPress={() => void (!isHeld && store.retry(id, delivery))}
        >
          {isEditable ? labels.retry : labels.retryAnyway}
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
      className={isQuiet ? 'petstore-button petstore-button-quiet petstore-button-inline' : 'petstore-button'}
      aria-disabled={blockedBy !== undefined}
      aria-describedby={blockedBy}
      // Ignores the second click of a double click: by then another button or message may be under the pointer.
      onClick={({ detail }) => void (detail < 2 && onPress())}
    />
  )
}

import { type AriaAttributes, type ReactElement, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import { labelOfWait } from '../../labels/waitText.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { alert, ban, check, clock, Icon, question, type Tone, waitIcons } from '../Icon.tsx'
import { focusTemporarily, RestoreFocus } from '../RestoreFocus.tsx'
import { useIsOffline } from '../useIsOffline.ts'
import { type ComposerCatalog, type ItemView, statusText } from './ComposerView.ts'
import { editable, type OutboxState } from './outbox.ts'

/** A message, its state, and what a person can do about it. */
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
  /** The whole message. */
  readonly itemRef: RefObject<HTMLElement | null>
  /** Id of the text that says its state. */
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

/** The line with the state and the time of a message. */
function MessageStatus(view: ItemPartProps): ReactElement {
  const { statusId, message, errorTextOf, errors, format, slots } = view
  const { state } = message
  const isOffline = useIsOffline()
  const [path, look] = state.status === 'sending' ? [] : looks[state.status]
  const failure = state.status === 'failed' ? errorTextOf(state.error) : undefined
  const icon = state.status === 'waiting' ? waitIcons[state.wait.reason] : (failure?.icon ?? path)
  const tone = failure?.tone ?? look
  const time = state.status === 'accepted' ? Date.parse(state.response.createdAt) : message.at
  return (
    <div className={classNames('petstore-hint petstore-message-composer-status', slots.status)}>
      <span className="petstore-message-composer-state">
        {state.status === 'sending' ? <span className="petstore-spinner" /> : <Icon path={icon ?? ''} tone={tone} />}
        <span id={statusId}>
          {isOffline && state.status === 'waiting' && state.wait.reason === 'connection'
            ? `${errors.situations.offline.title}. ${errors.situations.offline.advice}`
            : shownStatus(state, view)}
        </span>
      </span>
      <time dateTime={new Date(time).toISOString()}>{format.time(time)}</time>
    </div>
  )
}

function shownStatus(state: OutboxState, catalog: ComposerCatalog): ReactNode {
  const { labels } = catalog
  if (state.status === 'waiting') {
    return <Countdown until={state.wait.until} label={labelOfWait(labels.waiting, state.wait)} />
  }
  if (state.status !== 'accepted' || state.response.status === 'queued') return statusText(state, catalog)
  return (
    <span>
      <span>{labels.accepted}</span> <bdi dir="auto">{state.response.status}</bdi>
    </span>
  )
}

/** Each state has its own shape, so that color is not the only difference. */
const looks: Readonly<Record<Exclude<OutboxState['status'], 'sending'>, readonly [icon: string, tone?: Tone]>> = {
  waiting: [waitIcons['rate-limit'], 'warning'],
  // The service documents no status that says that it has delivered a message.
  accepted: [clock],
  failed: [alert, 'danger'],
  unknown: [question, 'warning'],
  applied: [check, 'warning'],
  cancelled: [ban],
}

interface MessageAdviceProps extends ItemPartProps {
  readonly error: Error
}

/** What a person can do about a message that failed, and the message of the service. */
function MessageAdvice({ error, message, errors, errorTextOf, slots }: MessageAdviceProps): ReactElement | null {
  const { advice, isServiceText, retryAt, wait } = errorTextOf(error)
  const seconds = useSecondsUntil(retryAt)
  const sentence = wait(seconds) ?? advice
  const showsServiceText = isServiceText && sentence === advice
  const said =
    !showsServiceText && isPetstoreError(error) && 'serviceMessage' in error ? error.serviceMessage : undefined
  // Its status says it all.
  if (message.state.status === 'applied') return null
  return (
    <div className={classNames('petstore-hint petstore-message-composer-advice', slots.advice)}>
      <p dir={showsServiceText ? 'auto' : undefined}>{sentence}</p>
      {said && (
        <p>
          <span>{`${errors.serviceSays}:`}</span> <bdi dir="auto">{said}</bdi>
        </p>
      )}
    </div>
  )
}

/** The actions for a message. Re-renders each second while a retry has to wait. */
function MessageButtons(props: ItemPartProps): ReactElement {
  const { message, store, delivery, fieldRef, itemRef, canEdit, labels, errorTextOf, statusId } = props
  const { id, state } = message
  const { status } = state
  const error = 'error' in state ? state.error : undefined
  // A retry through another client has another rate limit.
  const text = error && message.client === delivery.client ? errorTextOf(error) : undefined
  const retryAt = text?.retryAt
  const seconds = useSecondsUntil(retryAt)
  const [wantsEdit, setWantsEdit] = useState(false)
  const reasonId = useId()
  const isHeld = retryAt !== undefined && seconds !== 0
  const isEditable = editable.includes(status)
  const isBlocked = isEditable && !canEdit

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
      className={isQuiet ? 'petstore-button petstore-button-quiet' : 'petstore-button'}
      aria-disabled={blockedBy !== undefined}
      aria-describedby={blockedBy}
      // Ignores the second click of a double click: by then another button or message may be under the pointer.
      onClick={({ detail }) => void (detail < 2 && onPress())}
    />
  )
}

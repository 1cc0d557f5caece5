import { type ReactElement, type ReactNode, useEffect, useId, useSyncExternalStore } from 'react'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { question } from '../Icon.tsx'
import { useHeldUntil } from '../keyState.ts'
import { HeldText, StateLine } from '../StateLine.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useTextBeforeHydration } from '../useTextBeforeHydration.ts'
import type { ComposerView } from './ComposerView.ts'
import type { Refusal } from './outbox.ts'
import { useOutbox } from './outboxStore.ts'
import { useDraftSubmission, useSendKeys } from './useDraftSubmission.ts'

interface MessageFormProps extends ComposerView {
  readonly maxLength: number | undefined
  readonly actions: ReactNode
}

/** The field and the button that sends its text. Only this component re-renders on each key. */
export function MessageForm(props: MessageFormProps): ReactElement {
  const { store, delivery, fieldRef, maxLength, actions, labels, describeError, slots } = props
  const draft = useOutbox(store, (outbox) => outbox.draft)
  const mayBeSent = useOutbox(store, (outbox) => outbox.mayBeSent)
  const latestRefusal = useOutbox(store, (outbox) => outbox.refusal)
  // Another address or key may have another rate limit.
  const refusal = latestRefusal?.client === delivery.client ? latestRefusal : undefined
  const limit = maxLength ?? Infinity
  const heldUntil = useHeldUntil() ?? (refusal && describeError(refusal.error).retryAt)
  const seconds = useSecondsUntil(heldUntil)
  const isHeld = heldUntil !== undefined && seconds !== 0
  const { problemText, isTyped, write, submit } = useDraftSubmission(props, draft, limit, refusal)
  useTextBeforeHydration(fieldRef, draft, (typed) => {
    const stored = store.getSnapshot().draft
    // A browser that restores fields after a reload may restore the text that the storage holds too.
    if (typed !== stored) store.write([stored, typed].filter(Boolean).join('\n'))
  })
  const sendKeys = useSendKeys()
  const name = mayBeSent ? labels.retryAnyway : labels.send
  // If the field does not grow by itself, a copy of its text makes room for it. Only then: session recorders omit the
  // values of fields, but not attributes.
  const growsByItself = useSyncExternalStore(neverChanges, hasFieldSizing, () => true)
  const keyboard = useSyncExternalStore(neverChanges, keyboardOf, () => 'other' as const)
  const id = useId()
  const [errorId, hintId, limitId, noticeId] = [`${id}-error`, `${id}-hint`, `${id}-limit`, `${id}-notice`]

  return (
    <form
      // Before hydration, submitting would reload the page and lose the text. With this method it does nothing.
      method="dialog"
      noValidate
      className={classNames('petstore-message-composer-form petstore-field', slots.form)}
      onSubmit={submit}
      // If this form is in a portal inside a form of the app, that one must not get the event.
      onReset={(event) => event.stopPropagation()}
    >
      <div className="petstore-message-composer-bar">
        <label htmlFor={id} className={classNames('petstore-label', slots.label)}>
          {labels.message}
        </label>
        {maxLength !== undefined && (
          <CharacterCount {...props} {...{ maxLength, isTyped }} id={limitId} length={draft.length} />
        )}
      </div>
      {problemText !== undefined && (
        <span id={errorId} className={classNames('petstore-field-error', slots.fieldError)}>
          {problemText}
        </span>
      )}
      <div className="petstore-message-composer-grow" data-text={growsByItself ? undefined : draft}>
        <textarea
          {...sendKeys}
          ref={fieldRef}
          id={id}
          rows={3}
          dir="auto"
          className={classNames('petstore-input petstore-message-composer-input', slots.input)}
          aria-invalid={problemText !== undefined}
          aria-describedby={[problemText && errorId, hintId, maxLength !== undefined && limitId]
            .filter(Boolean)
            .join(' ')}
          value={draft}
          onChange={({ target }) => write(target.value)}
        />
      </div>
      <DraftNotice {...props} id={noticeId} {...{ refusal, mayBeSent }} />
      <div className="petstore-message-composer-bar">
        <span id={hintId} className={classNames('petstore-hint petstore-message-composer-hint', slots.hint)}>
          {isHeld ? '' : labels.hint(keyboard)}
        </span>
        {actions}
        <button
          type="submit"
          aria-disabled={isHeld}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          aria-describedby={refusal || mayBeSent ? noticeId : undefined}
          className={classNames('petstore-button petstore-button-primary', slots.send)}
        >
          {isHeld ? <HeldText until={heldUntil} label={labels.sendIn} name={name} /> : name}
        </button>
      </div>
    </form>
  )
}

const neverChanges = () => () => {}
/** By the platform, since no API says which modifier key a keyboard has. */
const keyboardOf = () => (/^(Mac|iP)/.test(navigator.platform) ? 'apple' : 'other')
const hasFieldSizing = () => globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

/** How long typing has to pause before the count is spoken, in ms. */
const typingPause = 1_000

interface CharacterCountProps extends ComposerView {
  /** Id of the text that describes the field. */
  readonly id: string
  readonly length: number
  readonly maxLength: number
  /** Whether the person has typed since the last message. Otherwise nothing is spoken. */
  readonly isTyped: boolean
}

/** A fixed text that describes the field, and the visible count, which is announced in a pause. */
function CharacterCount(props: CharacterCountProps): ReactElement {
  const { id, length, maxLength, isTyped, labels, format, fieldRef, slots } = props
  const left = maxLength - length
  const shown = left < 0 ? labels.charactersOver(-left, format) : labels.charactersLeft(left, format)

  useEffect(() => {
    if (!isTyped) return undefined
    const timer = setTimeout(() => announce(shown, fieldRef.current), typingPause)
    return () => clearTimeout(timer)
  }, [isTyped, shown, fieldRef])

  return (
    <>
      <span id={id} className="petstore-visually-hidden">
        {labels.limit(maxLength, format)}
      </span>
      <span
        aria-hidden="true"
        className={classNames(
          left < 0 ? 'petstore-field-error' : 'petstore-hint',
          'petstore-message-composer-count',
          slots.count,
        )}
      >
        {shown}
      </span>
    </>
  )
}

interface DraftNoticeProps extends ComposerView {
  /** Id of the title. It describes the button, since it has no countdown. */
  readonly id: string
  readonly refusal: Refusal | undefined
  readonly mayBeSent: boolean
}

/** Says that the text in the field may have been sent before, and why it was not sent now and when it can be. */
function DraftNotice(props: DraftNoticeProps): ReactElement | null {
  const { id, refusal, mayBeSent, labels, errorLabels, describeError, fieldRef, slots } = props
  const error = refusal?.error
  const text = error && describeError(error)
  const retryAt = text?.retryAt
  const seconds = useSecondsUntil(retryAt)
  const isOver = seconds === 0
  const reason = text && labels.failedBecause(text.title)
  const sentence = (secondsLeft?: number) => text && (text.wait(secondsLeft) ?? text.advice)
  useChangeEffect(error, () => {
    if (error) announce(`${reason}. ${sentence()}`.trim(), fieldRef.current, retryAt !== undefined)
  })
  useChangeEffect(error && isOver, () => {
    if (error && isOver) announce(errorLabels.retryNow, fieldRef.current, true)
  })
  if (!text && !mayBeSent) return null
  const { title, advice } = errorLabels.situations.mayHaveHappened
  return (
    <StateLine
      icon={text?.icon ?? question}
      tone={text?.tone ?? 'warning'}
      className={classNames('petstore-message-composer-advice', slots.advice)}
    >
      <span id={id} className="petstore-message-composer-title">
        {[mayBeSent && title, reason].filter(Boolean).join('. ')}
      </span>
      <span>{text ? sentence(seconds) : advice}</span>
    </StateLine>
  )
}

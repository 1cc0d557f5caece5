import { type ReactElement, type ReactNode, useId, useSyncExternalStore } from 'react'
import { classNames } from '../classNames.ts'
import { useTextBeforeHydration } from '../useTextBeforeHydration.ts'
import { CharacterCount } from './CharacterCount.tsx'
import type { ComposerView } from './ComposerView.ts'
import { DraftRefusal } from './DraftRefusal.tsx'
import { useDraftSubmission } from './useDraftSubmission.ts'
import { useOutbox } from './useOutbox.ts'
import { useSendKeys } from './useSendKeys.ts'

interface MessageFormProps extends ComposerView {
  readonly maxLength: number | undefined
  readonly actions: ReactNode
}

/** The field and the button that sends its text. Only this component re-renders on each key. */
export function MessageForm(props: MessageFormProps): ReactElement {
  const { store, delivery, fieldRef, maxLength, actions, labels, slots } = props
  const draft = useOutbox(store, (outbox) => outbox.draft)
  const latestRefusal = useOutbox(store, (outbox) => outbox.refusal)
  // Another address or key may have another rate limit.
  const refusal = latestRefusal?.client === delivery.client ? latestRefusal : undefined
  const limit = maxLength ?? Infinity
  const { problemText, isTyped, write, submit } = useDraftSubmission(props, draft, limit)
  useTextBeforeHydration(fieldRef, draft, (typed) => {
    const stored = store.getSnapshot().draft
    // A browser that restores fields after a reload may restore the text that the storage holds too.
    if (typed !== stored) store.write([stored, typed].filter(Boolean).join('\n'))
  })
  const sendKeys = useSendKeys()
  // If the field does not grow by itself, a copy of its text makes room for it. Only then: session recorders omit the
  // values of fields, but not attributes.
  const growsByItself = useSyncExternalStore(neverChanges, hasFieldSizing, () => true)
  const keyboard = useSyncExternalStore(neverChanges, keyboardOf, () => 'other' as const)
  const id = useId()
  const [errorId, hintId, limitId, refusalId] = [`${id}-error`, `${id}-hint`, `${id}-limit`, `${id}-refusal`]

  return (
    <form
      // Before hydration, submitting would reload the page and lose the text. With this method it does nothing.
      method="dialog"
      noValidate
      className={classNames('petstore-message-composer-form petstore-field', slots.form)}
      onSubmit={submit}
    >
      <label htmlFor={id} className={classNames('petstore-label', slots.label)}>
        {labels.message}
      </label>
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
      <DraftRefusal {...props} id={refusalId} refusal={refusal} />
      <div className="petstore-message-composer-bar">
        <span id={hintId} className={classNames('petstore-hint petstore-message-composer-hint', slots.hint)}>
          {labels.hint(keyboard)}
        </span>
        {maxLength !== undefined && (
          <CharacterCount {...props} {...{ maxLength, isTyped }} id={limitId} length={draft.length} />
        )}
        {actions}
        <button
          type="submit"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          aria-describedby={refusal ? refusalId : undefined}
          className={classNames('petstore-button petstore-button-primary petstore-message-composer-send', slots.send)}
        >
          {labels.send}
        </button>
      </div>
    </form>
  )
}

const neverChanges = () => () => {}
/** By the platform, since no API says which modifier key a keyboard has. */
const keyboardOf = () => (/^(Mac|iP)/.test(navigator.platform) ? 'apple' : 'other')
const hasFieldSizing = () => globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

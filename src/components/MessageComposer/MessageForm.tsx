import { type ReactElement, type ReactNode, type RefObject, useId, useSyncExternalStore } from 'react'
import { classNames } from '../classNames.ts'
import { CharacterCount } from './CharacterCount.tsx'
import type { MessageComposerClassNames } from './MessageComposerClassNames.ts'
import type { ComposerCatalog } from './messageText.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'
import { useDraftSubmission } from './useDraftSubmission.ts'
import { useOutbox } from './useOutbox.ts'
import { useSendKeys } from './useSendKeys.ts'
import { useTextBeforeHydration } from './useTextBeforeHydration.ts'

interface MessageFormProps {
  readonly store: OutboxStore
  readonly delivery: Delivery
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  readonly maxLength: number | undefined
  readonly actions: ReactNode
  readonly catalog: ComposerCatalog
  readonly slots: MessageComposerClassNames
}

/** The field and the button that sends its text. Only this component re-renders on each key. */
export function MessageForm(props: MessageFormProps): ReactElement {
  const { store, delivery, fieldRef, maxLength, actions, catalog, slots } = props
  const { labels, format } = catalog
  const draft = useOutbox(store, (outbox) => outbox.draft)
  const limit = maxLength ?? Infinity
  const { problem, isTyped, write, submit } = useDraftSubmission(store, delivery, fieldRef, draft, limit)
  useTextBeforeHydration(store, fieldRef, draft)
  const sendKeys = useSendKeys()
  // If the field does not grow by itself, a copy of its text makes room for it. Only then: session recorders omit the
  // values of fields, but not attributes.
  const growsByItself = useSyncExternalStore(neverChanges, hasFieldSizing, () => true)
  const id = useId()
  const [errorId, hintId, limitId] = [`${id}-error`, `${id}-hint`, `${id}-limit`]

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
      {problem && (
        <span id={errorId} className={classNames('petstore-field-error', slots.fieldError)}>
          {problem === 'empty' ? labels.empty : labels.tooLong(limit, format)}
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
          aria-invalid={problem !== undefined}
          aria-describedby={[problem && errorId, hintId, maxLength !== undefined && limitId].filter(Boolean).join(' ')}
          value={draft}
          onChange={({ target }) => write(target.value)}
        />
      </div>
      <div className="petstore-message-composer-bar">
        <span id={hintId} className={classNames('petstore-hint petstore-message-composer-hint', slots.hint)}>
          {labels.hint}
        </span>
        {maxLength !== undefined && (
          <CharacterCount
            {...{ maxLength, isTyped, catalog }}
            id={limitId}
            length={draft.length}
            className={slots.count}
          />
        )}
        {actions}
        <button
          type="submit"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          className={classNames('petstore-button petstore-button-primary petstore-message-composer-send', slots.send)}
        >
          {labels.send}
        </button>
      </div>
    </form>
  )
}

const neverChanges = () => () => {}
const hasFieldSizing = () => globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

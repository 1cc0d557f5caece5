import {
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { classNames } from '../classNames.ts'
import { CharacterCount } from './CharacterCount.tsx'
import type { MessageComposerClassNames } from './MessageComposerClassNames.ts'
import type { MessageText } from './messageText.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'
import { useOutbox } from './useOutbox.ts'

/** An empty field sent within so many ms of a message: the second half of a double click. */
const doublePress = 1_000

interface MessageFormProps {
  readonly store: OutboxStore
  readonly delivery: Delivery
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  readonly maxLength: number | undefined
  readonly actions: ReactNode
  readonly words: MessageText
  readonly slots: MessageComposerClassNames
}

/** The field, and what sends its text. Only this renders again with each key. */
export function MessageForm(props: MessageFormProps): ReactElement {
  const { store, delivery, fieldRef, maxLength, actions, words, slots } = props
  const { labels, format } = words
  const draft = useOutbox(store, (outbox) => outbox.draft)
  /** Why the latest attempt was refused, and the texts that it was made with. */
  const [refused, setRefused] = useState<{ readonly problem: Problem; readonly store: OutboxStore }>()
  const [isTyped, setTyped] = useState(false)
  const sentAt = useRef(0)
  /** Not while it is still held down from a button that has handed the focus over. */
  const isEnterOurs = useRef(false)
  const id = useId()
  const limit = maxLength ?? Infinity
  // Gone as soon as it is not true any more.
  const found = problemOf(draft, limit)
  const problem = refused?.store === store && refused.problem === found ? found : undefined
  useTypedBefore(store, fieldRef, draft)
  // Where the field does not grow by itself, a copy of its text makes room for it. Only there: recorders of sessions
  // leave out what fields hold, not what attributes do.
  const hasOwnSize = useSyncExternalStore(neverChanges, growsByItself, () => true)

  function submit(event: FormEvent): void {
    // React lets the events of forms in portals come by, too.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    const refusal = problemOf(store.getSnapshot().draft, limit)
    fieldRef.current?.focus()
    if (refusal === 'empty' && Date.now() - sentAt.current < doublePress) return
    setRefused({ problem: refusal, store })
    if (refusal) return
    sentAt.current = Date.now()
    setTyped(false)
    store.send(delivery)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const { key, ctrlKey, metaKey, repeat, nativeEvent, currentTarget } = event
    // What an input method has not finished yet is not the person's text.
    if (key !== 'Enter' || nativeEvent.isComposing) return
    isEnterOurs.current ||= !repeat
    const sends = ctrlKey || metaKey
    if (sends || !isEnterOurs.current) event.preventDefault()
    if (sends && !repeat) currentTarget.form?.requestSubmit()
  }

  return (
    <form
      // Before hydration, submitting would load the page anew, without what was typed: this way it does nothing.
      method="dialog"
      noValidate
      className={classNames('petstore-message-composer-form petstore-field', slots.form)}
      onSubmit={submit}
    >
      <label htmlFor={id} className={classNames('petstore-label', slots.label)}>
        {labels.message}
      </label>
      {problem && (
        <span id={`${id}-error`} className={classNames('petstore-field-error', slots.fieldError)}>
          {problem === 'empty' ? labels.empty : labels.tooLong(limit, format)}
        </span>
      )}
      <div className="petstore-message-composer-grow" data-text={hasOwnSize ? undefined : draft}>
        <textarea
          ref={fieldRef}
          id={id}
          rows={3}
          dir="auto"
          className={classNames('petstore-input petstore-message-composer-input', slots.input)}
          aria-invalid={problem !== undefined}
          aria-describedby={[problem && `${id}-error`, `${id}-hint`, maxLength !== undefined && `${id}-limit`]
            .filter(Boolean)
            .join(' ')}
          value={draft}
          onChange={(event) => {
            const { value } = event.target
            store.write(value)
            setTyped(true)
            // Nor does it come back before the next attempt.
            if (refused?.problem !== problemOf(value, limit)) setRefused(undefined)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => {
            isEnterOurs.current = false
          }}
        />
      </div>
      <div className="petstore-message-composer-bar">
        <span id={`${id}-hint`} className={classNames('petstore-hint petstore-message-composer-hint', slots.hint)}>
          {labels.hint}
        </span>
        {maxLength !== undefined && (
          <CharacterCount
            id={`${id}-limit`}
            length={draft.length}
            maxLength={maxLength}
            isTyped={isTyped}
            words={words}
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
const growsByItself = () => globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

type Problem = 'empty' | 'too-long' | undefined

function problemOf(draft: string, limit: number): Problem {
  if (draft.trim() === '') return 'empty'
  return draft.length > limit ? 'too-long' : undefined
}

/** Takes over what somebody typed into the server's HTML before it came to life. */
function useTypedBefore(store: OutboxStore, fieldRef: RefObject<HTMLTextAreaElement | null>, draft: string): void {
  const [rendered] = useState(draft)
  const isDone = useRef(false)
  useEffect(() => {
    const typed = fieldRef.current?.value ?? ''
    const stored = store.getSnapshot().draft
    // A browser that restores fields may bring what the storage brings, too.
    if (!isDone.current && typed !== rendered && typed !== stored) {
      store.write([stored, typed].filter(Boolean).join('\n'))
    }
    isDone.current = true
  }, [store, fieldRef, rendered])
}

import { type ComponentPropsWithoutRef, type FormEvent, useRef, useState } from 'react'
import { announce } from '../announce.ts'
import { focusedElement } from '../RestoreFocus.tsx'
import type { ComposerView } from './ComposerView.ts'
import type { Refusal } from './outbox.ts'
import type { OutboxStore } from './outboxStore.ts'

/** An empty field that is sent within this time after a message is the second half of a double click. In ms. */
const doubleClickTime = 1_000

const notHeld = { title: '', retryAt: undefined, wait: () => '' }

interface Rejection {
  readonly problem: DraftProblem | undefined
  readonly store: OutboxStore
}

interface DraftSubmission {
  /** Why the latest attempt to send was rejected, as long as that is still true. */
  readonly problemText: string | undefined
  /** Whether the person has typed since the last message. */
  readonly isTyped: boolean
  readonly write: (text: string) => void
  readonly submit: (event: FormEvent) => void
}

/** Writes and sends the draft, unless it is empty or too long, or was refused until a time that has not come. */
export function useDraftSubmission(
  { store, delivery, fieldRef, labels, errorTextOf, format }: ComposerView,
  draft: string,
  limit: number,
  refusal: Refusal | undefined,
): DraftSubmission {
  const [rejection, setRejection] = useState<Rejection>()
  const [isTyped, setTyped] = useState(false)
  const sentAt = useRef(0)
  const current = draftProblem(draft, limit)
  const problem = rejection?.store === store && rejection.problem === current ? current : undefined
  const textOf = (found: DraftProblem) => (found === 'empty' ? labels.empty : labels.tooLong(limit, format))

  function write(text: string): void {
    store.write(text)
    setTyped(true)
    // Don't show this error again until the next submit.
    if (rejection?.problem !== draftProblem(text, limit)) setRejection(undefined)
  }

  function submit(event: FormEvent): void {
    // React also delivers the events of forms in portals.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    // If this form is in a portal inside a form of the app, that one must not get the event.
    event.stopPropagation()
    const found = draftProblem(store.getSnapshot().draft, limit)
    const field = fieldRef.current
    const hasFocus = field !== null && field === focusedElement(field)
    field?.focus()
    if (found === 'empty' && Date.now() - sentAt.current < doubleClickTime) return
    setRejection({ problem: found, store })
    // A screen reader reads the description of a field that gets the focus, and stays silent if the field has it already.
    if (found && hasFocus) announce(textOf(found), field)
    if (found) return
    const { title, retryAt = 0, wait } = refusal ? errorTextOf(refusal.error) : notHeld
    if (Date.now() < retryAt) return announce(`${labels.failedBecause(title)}. ${wait()}`, field, true)
    sentAt.current = Date.now()
    setTyped(false)
    store.send(delivery)
  }

  return { problemText: problem && textOf(problem), isTyped, write, submit }
}

type DraftProblem = 'empty' | 'too-long'

/** Why a text cannot be sent. Its length is counted like `maxlength` in HTML. */
function draftProblem(draft: string, limit: number): DraftProblem | undefined {
  if (draft.trim() === '') return 'empty'
  return draft.length > limit ? 'too-long' : undefined
}

/** Enter starts a new line; Ctrl+Enter and Cmd+Enter submit the form. */
export function useSendKeys(): Pick<ComponentPropsWithoutRef<'textarea'>, 'onKeyDown' | 'onBlur'> {
  /** False while an Enter is held down that pressed a button, which then moved the focus to the field. */
  const isEnterOurs = useRef(false)
  return {
    onKeyDown: (event) => {
      const { key, ctrlKey, metaKey, repeat, nativeEvent, currentTarget } = event
      // An input method is still composing the text.
      if (key !== 'Enter' || nativeEvent.isComposing) return
      isEnterOurs.current ||= !repeat
      const sends = ctrlKey || metaKey
      if (sends || !isEnterOurs.current) event.preventDefault()
      if (sends && !repeat) currentTarget.form?.requestSubmit()
    },
    onBlur: () => {
      isEnterOurs.current = false
    },
  }
}

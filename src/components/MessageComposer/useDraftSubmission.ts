import { type ComponentPropsWithoutRef, type FormEvent, useRef, useState } from 'react'
import { announce } from '../announce.ts'
import { focusedElement } from '../RestoreFocus.tsx'
import type { ComposerView } from './ComposerView.ts'
import type { Refusal } from './outbox.ts'
import type { OutboxStore } from './outboxStore.ts'

/** An empty field that is sent within this time after a message is the second half of a double click. In ms. */
const doubleClickTime = 1_000

/** Writes the draft, and sends it unless it is empty or too long, or was refused until a time that has not come. */
export function useDraftSubmission(
  { store, delivery, fieldRef, labels, describeError, format }: ComposerView,
  draft: string,
  limit: number,
  refusal: Refusal | undefined,
) {
  /** Why the latest attempt to send was rejected. */
  const [rejection, setRejection] = useState<{ problem: DraftProblem | undefined; store: OutboxStore }>()
  /** Whether the person has typed since the last message. */
  const [isTyped, setTyped] = useState(false)
  const sentAt = useRef(0)
  const current = draftProblem(draft, limit)
  const problem = rejection?.store === store && rejection.problem === current ? current : undefined
  const textOf = (found: DraftProblem) => (found === 'empty' ? labels.empty : labels.tooLong(limit, format))

  function write(text: string): void {
    store.write(text)
    setTyped(true)
    // An error that is no longer true must not come back before the next submit.
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
    const refused = refusal && describeError(refusal.error)
    if (refused?.retryAt !== undefined && Date.now() < refused.retryAt) {
      return announce(`${labels.failedBecause(refused.title)}. ${refused.wait()}`, field, true)
    }
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
  /** Whether Enter went down in the field. If not, a repeating one went down on a button, which moved the focus here. */
  const sawEnterDown = useRef(false)
  return {
    onKeyDown: (event) => {
      const { key, ctrlKey, metaKey, repeat, nativeEvent, currentTarget } = event
      // An input method is still composing the text.
      if (key !== 'Enter' || nativeEvent.isComposing) return
      sawEnterDown.current ||= !repeat
      const sends = ctrlKey || metaKey
      if (sends || !sawEnterDown.current) event.preventDefault()
      if (sends && !repeat) currentTarget.form?.requestSubmit()
    },
    onBlur: () => void (sawEnterDown.current = false),
  }
}

import { type FormEvent, useRef, useState } from 'react'
import type { ComposerView } from './ComposerView.ts'
import { type DraftProblem, draftProblem } from './draftProblem.ts'
import type { OutboxStore } from './outboxStore.ts'

/** An empty field that is sent within this time after a message is the second half of a double click. In ms. */
const doubleClickTime = 1_000

interface Rejection {
  readonly problem: DraftProblem | undefined
  readonly store: OutboxStore
}

interface DraftSubmission {
  /** Why the latest attempt to send was rejected, as long as that is still true. */
  readonly problem: DraftProblem | undefined
  /** Whether the person has typed since the last message. */
  readonly isTyped: boolean
  readonly write: (text: string) => void
  readonly submit: (event: FormEvent) => void
}

/** Writes and sends the draft, unless it is empty or too long. */
export function useDraftSubmission(
  { store, delivery, fieldRef }: ComposerView,
  draft: string,
  limit: number,
): DraftSubmission {
  const [rejection, setRejection] = useState<Rejection>()
  const [isTyped, setTyped] = useState(false)
  const sentAt = useRef(0)
  const current = draftProblem(draft, limit)
  const problem = rejection?.store === store && rejection.problem === current ? current : undefined

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
    const found = draftProblem(store.getSnapshot().draft, limit)
    fieldRef.current?.focus()
    if (found === 'empty' && Date.now() - sentAt.current < doubleClickTime) return
    setRejection({ problem: found, store })
    if (found) return
    sentAt.current = Date.now()
    setTyped(false)
    store.send(delivery)
  }

  return { problem, isTyped, write, submit }
}

import { isPetstoreError, type PetstoreError } from '../../client/errors.ts'
import type { Message } from '../../contract/message.ts'
import type { CallWait } from '../../rate-limit/pendingRequest.ts'

export type OutboxState =
  /** Passed to the client; the request may have left. */
  | { readonly status: 'sending' }
  /** Held back: not sent yet, or refused by the service with a 429 and to be sent again. */
  | { readonly status: 'waiting'; readonly wait: CallWait }
  | { readonly status: 'accepted'; readonly response: Message }
  | { readonly status: 'failed'; readonly error: Error }
  /** It may have been sent: only a person may send it again. */
  | { readonly status: 'unknown'; readonly error: Error }
  /** The service accepted it, but the response could not be read. */
  | { readonly status: 'applied'; readonly error: Error }
  /** Canceled by the person before it was sent. */
  | { readonly status: 'cancelled' }

export interface OutboxMessage {
  readonly id: string
  readonly text: string
  /** When the person first sent it, in epoch ms. */
  readonly at: number
  /** The client that last sent it. */
  readonly client: object
  /** Whether an earlier try, or an earlier page, may have sent it. */
  readonly mayBeSent: boolean
  readonly state: OutboxState
}

/** Why the client did not send the text in the field. */
export interface Refusal {
  readonly error: PetstoreError
  readonly client: object
}

/** All texts of a composer. Each text has one owner at a time: the draft or a message. */
export interface Outbox {
  readonly draft: string
  /** Whether the draft comes from a page that may have sent all or some of it. */
  readonly mayBeSent: boolean
  /** Newest first. */
  readonly messages: readonly OutboxMessage[]
  readonly refusal: Refusal | undefined
}

/** The text in the field, as it survives a reload. */
export type Draft = Pick<Outbox, 'draft' | 'mayBeSent'>

export type OutboxChange =
  | { readonly type: 'write'; readonly text: string }
  /** The draft becomes a message. */
  | { readonly type: 'send'; readonly id: string; readonly at: number; readonly client: object }
  /** The client did not send the draft. With an `id`, the draft had become that message, and is now the draft again. */
  | { readonly type: 'refuse'; readonly id: string | undefined; readonly refusal: Refusal }
  | { readonly type: 'retry'; readonly id: string; readonly client: object }
  | { readonly type: 'transition'; readonly id: string; readonly state: OutboxState }
  | { readonly type: 'edit'; readonly id: string }
  | { readonly type: 'discard'; readonly id: string }

type Status = OutboxState['status']

export const blankOutbox: Outbox = { draft: '', mayBeSent: false, messages: [], refusal: undefined }

/** The allowed transitions. Only a waiting message can be canceled, since it certainly has not been sent. */
const transitions: Readonly<Partial<Record<Status, readonly Status[]>>> = {
  sending: ['waiting', 'accepted', 'failed', 'unknown', 'applied'],
  waiting: ['sending', 'waiting', 'accepted', 'failed', 'unknown', 'applied', 'cancelled'],
}

/** A message that may have been sent is not editable: a text in the field does not show that. */
export const editable: readonly Status[] = ['failed', 'cancelled']
const retryable: readonly Status[] = ['unknown', ...editable]
const discardable: readonly Status[] = ['applied', ...retryable]

/** Returns the outbox after a change, or the same object if nothing changes or the change is not allowed. */
export function changeOutbox(outbox: Outbox, change: OutboxChange): Outbox {
  const { draft, mayBeSent, messages } = outbox
  if (change.type === 'write') {
    const { text } = change
    if (text === '') return draft === '' ? outbox : { ...blankOutbox, messages }
    return text === draft ? outbox : { ...outbox, draft: text }
  }
  if (change.type === 'send') {
    const { id, at, client } = change
    if (draft.trim() === '') return outbox
    const created = { id, text: draft, at, client, mayBeSent, state: { status: 'sending' } } as const
    return { ...blankOutbox, messages: [created, ...messages] }
  }
  if (change.type === 'refuse' && change.id === undefined) {
    return draft.trim() === '' ? outbox : { ...outbox, refusal: change.refusal }
  }

  const message = messages.find(({ id }) => id === change.id)
  if (!message) return outbox
  const { status } = message.state
  const replace = (next: Partial<OutboxMessage>): Outbox => ({
    ...outbox,
    messages: messages.map((other) => (other === message ? { ...message, ...next } : other)),
  })
  const others = messages.filter((other) => other !== message)

  if (change.type === 'transition') {
    return transitions[status]?.includes(change.state.status) ? replace({ state: change.state }) : outbox
  }
  if (change.type === 'retry') {
    if (!retryable.includes(status)) return outbox
    return replace({
      client: change.client,
      mayBeSent: message.mayBeSent || status === 'unknown',
      state: { status: 'sending' },
    })
  }
  if (change.type === 'discard') return discardable.includes(status) ? { ...outbox, messages: others } : outbox
  if (draft !== '') return outbox
  const asDraft = { ...blankOutbox, draft: message.text, mayBeSent: message.mayBeSent, messages: others }
  if (change.type === 'refuse') return status === 'sending' ? { ...asDraft, refusal: change.refusal } : outbox
  return change.type === 'edit' && editable.includes(status) ? asDraft : outbox
}

/** The state of a message after its call failed. */
export function stateAfterFailure(before: OutboxState, error: unknown): OutboxState {
  if (isPetstoreError(error)) return { status: error.outcome === 'not-applied' ? 'failed' : error.outcome, error }
  const problem = error instanceof Error ? error : new Error(String(error))
  // The client was closed during the call. Unless the message was waiting, its request may have left.
  if (problem.name === 'AbortError' && before.status === 'sending') return { status: 'unknown', error: problem }
  return { status: 'failed', error: problem }
}

/** What is left of an outbox when the page unloads: all texts that the service has not accepted, the oldest first. */
export function draftOf({ draft, mayBeSent, messages }: Outbox): Draft {
  const unsent = messages.filter(({ state }) => !isDone(state)).reverse()
  return {
    draft: [...unsent.map(({ text }) => text), draft].filter(Boolean).join('\n\n'),
    // A waiting message counts too: a copy of this tab does not hear when this one sends it.
    mayBeSent: mayBeSent || unsent.some((message) => message.mayBeSent || !editable.includes(message.state.status)),
  }
}

/** Whether nobody has to do anything about the text any more. */
export const isDone = ({ status }: OutboxState) => status === 'accepted' || status === 'applied'

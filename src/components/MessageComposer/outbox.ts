import { isPetstoreError } from '../../client/errors.ts'
import type { Message } from '../../contract/message.ts'

/** How a message stands. */
export type OutboxState =
  /** Handed over; it may have left. */
  | { readonly status: 'sending' }
  /** The rate limit holds it back, until then at least (epoch ms): it has not left, or was refused. */
  | { readonly status: 'waiting'; readonly until: number }
  /** The service has taken it, and said so. */
  | { readonly status: 'accepted'; readonly response: Message }
  /** Not sent. Why, is not known any more after a reload. */
  | { readonly status: 'failed'; readonly error: Error | undefined }
  /** It may have been sent: never again without being asked to. */
  | { readonly status: 'unknown'; readonly error: Error | undefined }
  /** The service has taken it, but its response cannot be read. */
  | { readonly status: 'applied'; readonly error: Error | undefined }
  /** Called off by the person before it left. */
  | { readonly status: 'cancelled' }

export interface OutboxMessage {
  readonly id: string
  readonly text: string
  /** When it was first to be sent, in epoch ms. */
  readonly at: number
  /** The client that it was last handed to; `undefined` after a reload. */
  readonly client: object | undefined
  readonly state: OutboxState
}

/** All texts of a composer. Each has one owner at a time: the draft, or a message. */
export interface Outbox {
  /** What stands in the field. */
  readonly draft: string
  /** The newest first. */
  readonly messages: readonly OutboxMessage[]
}

export type OutboxChange =
  | { readonly type: 'write'; readonly text: string }
  /** The draft becomes a message. */
  | { readonly type: 'send'; readonly id: string; readonly at: number; readonly client: object }
  | { readonly type: 'retry'; readonly id: string; readonly client: object }
  | { readonly type: 'move'; readonly id: string; readonly state: OutboxState }
  /** A message becomes the draft. */
  | { readonly type: 'edit'; readonly id: string }
  | { readonly type: 'discard'; readonly id: string }

type Status = OutboxState['status']

export const blankOutbox: Outbox = { draft: '', messages: [] }

/** What may come after what. Only a message that waits can be called off, since it certainly has not left. */
const followers: Readonly<Record<Status, readonly Status[]>> = {
  sending: ['waiting', 'accepted', 'failed', 'unknown', 'applied'],
  waiting: ['sending', 'waiting', 'accepted', 'failed', 'unknown', 'applied', 'cancelled'],
  accepted: [],
  failed: [],
  unknown: [],
  applied: [],
  cancelled: [],
}

const discardable: readonly Status[] = ['failed', 'unknown', 'applied', 'cancelled']
const retryable: readonly Status[] = ['failed', 'unknown', 'cancelled']
/** Not where it may have been sent: in the field nothing would tell that any more. */
const editable: readonly Status[] = ['failed', 'cancelled']

/** The outbox after a change; the very same where the change is none, or not allowed. */
export function changeOutbox(outbox: Outbox, change: OutboxChange): Outbox {
  const { draft, messages } = outbox
  if (change.type === 'write') return change.text === draft ? outbox : { draft: change.text, messages }
  if (change.type === 'send') {
    const { id, at, client } = change
    if (draft.trim() === '') return outbox
    return { draft: '', messages: [{ id, text: draft, at, client, state: { status: 'sending' } }, ...messages] }
  }

  const message = messages.find(({ id }) => id === change.id)
  if (!message) return outbox
  const { status } = message.state
  const replace = (next: Partial<OutboxMessage>): Outbox => ({
    draft,
    messages: messages.map((other) => (other === message ? { ...message, ...next } : other)),
  })

  if (change.type === 'move') {
    return followers[status].includes(change.state.status) ? replace({ state: change.state }) : outbox
  }
  if (change.type === 'retry') {
    return retryable.includes(status) ? replace({ client: change.client, state: { status: 'sending' } }) : outbox
  }
  const others = messages.filter((other) => other !== message)
  if (change.type === 'discard') return discardable.includes(status) ? { draft, messages: others } : outbox
  return editable.includes(status) && draft === '' ? { draft: message.text, messages: others } : outbox
}

/** How a message stands after its call has failed. */
export function stateAfterFailure(before: OutboxState, error: unknown): OutboxState {
  if (isPetstoreError(error)) return { status: error.outcome === 'not-applied' ? 'failed' : error.outcome, error }
  const problem = error instanceof Error ? error : new Error(String(error))
  // The client was closed around it: nobody knows whether the request had left, unless it waited.
  if (problem.name === 'AbortError' && before.status === 'sending') return { status: 'unknown', error: problem }
  return { status: 'failed', error: problem }
}

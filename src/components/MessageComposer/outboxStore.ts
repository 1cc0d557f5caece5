import { useSyncExternalStore } from 'react'
import { randomId } from '../../base/ids.ts'
import { createListeners } from '../../base/listeners.ts'
import { isPetstoreError, RateLimitError } from '../../client/errors.ts'
import { onClear, type PetstoreClient } from '../../client/PetstoreClient.ts'
import { hasFields } from '../../contract/fields.ts'
import { operations } from '../../contract/operations.ts'
import type { CallWait, WaitReason } from '../../rate-limit/pendingRequest.ts'
import { heldUntil } from '../keyState.ts'
import {
  blankOutbox,
  changeOutbox,
  type Draft,
  draftOf,
  isDone,
  type Outbox,
  type OutboxChange,
  type OutboxMessage,
  type OutboxState,
  stateAfterFailure,
} from './outbox.ts'

/** How a message is sent, and who hears about it. */
export interface Delivery {
  readonly client: PetstoreClient
  /** Called when the message waits, once for each reason, and when its call ends; not for what the person does. */
  readonly onChange: (message: OutboxMessage) => void
  readonly announce: (message: OutboxMessage) => void
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** One store for each draft key, until the page unloads: a message under way outlives its composer. */
const stores = new Map<string, OutboxStore>()

/** The store that all composers with this draft key share; without a key, a new one. */
export function outboxStoreFor(draftKey: string | undefined): OutboxStore {
  // A server must not share texts between the people it serves.
  if (draftKey === undefined || typeof document === 'undefined') return createOutboxStore(undefined)
  const store = stores.get(draftKey) ?? createOutboxStore(draftKey)
  stores.set(draftKey, store)
  return store
}

/** Holds the texts of a composer and makes the calls that send them: outside React, so that each call is made once. */
function createOutboxStore(draftKey: string | undefined) {
  const listeners = createListeners()
  const find = (id: string) => read().messages.find((message) => message.id === id)
  const underWay = new Map<string, AbortController>()
  let outbox: Outbox | undefined
  /** The draft in the session storage, as this store last read or wrote it. */
  let storedText = ''

  const isIdle = () => listeners.isEmpty && underWay.size === 0

  function read(): Outbox {
    if (draftKey === undefined) return (outbox ??= blankOutbox)
    if (outbox && !isIdle()) return outbox
    const stored = readDraft(draftKey)
    // While no composer is mounted, an app that has cleared the storage has cleared the texts.
    if (!outbox || stored.draft !== storedText) outbox = { ...blankOutbox, ...stored }
    storedText = stored.draft
    return outbox
  }

  /** @returns whether the outbox changed */
  function apply(change: OutboxChange): boolean {
    const next = changeOutbox(read(), change)
    if (next === outbox) return false
    outbox = next
    if (draftKey !== undefined) storedText = storeDraft(draftKey, draftOf(next))
    listeners.call()
    return true
  }

  /** Forgets all texts of a user who has signed out. Stores nothing: whoever calls it has cleared the storage. */
  function clear(): void {
    underWay.clear()
    outbox = blankOutbox
    listeners.call()
  }

  /** Drops accepted messages with the last composer: they are not stored, so clearing the storage would not remove them. */
  function releaseIfIdle(): void {
    if (!outbox || !isIdle()) return
    outbox = { ...outbox, messages: outbox.messages.filter(({ state }) => !isDone(state)) }
  }

  async function deliver(id: string, { client, onChange, announce }: Delivery, wasDraft = false): Promise<void> {
    const message = find(id)
    if (!message) return
    const controller = new AbortController()
    underWay.set(id, controller)
    const stopListening = onClear(client, clear)
    let announcedStep: WaitReason | OutboxState['status'] | undefined

    const transition = (state: OutboxState): void => {
      // The message was canceled, and perhaps sent again since.
      if (underWay.get(id) !== controller) return
      if (state.status !== 'waiting' && state.status !== 'sending') underWay.delete(id)
      apply({ type: 'transition', id, state })
      const step = state.status === 'waiting' ? state.wait.reason : state.status
      const changed = find(id)
      if (!changed || step === 'sending' || step === announcedStep) return
      announcedStep = step
      announce(changed)
      onChange(changed)
    }

    const { signal } = controller
    const onWait = (wait: CallWait | undefined) =>
      transition(wait ? { status: 'waiting', wait } : { status: 'sending' })
    let end: OutboxState
    try {
      end = { status: 'accepted', response: await client.sendMessage({ message: message.text }, { signal, onWait }) }
    } catch (error) {
      end = stateAfterFailure(find(id)?.state ?? message.state, error)
      // Nothing was sent. A message that has not waited goes back into the field, unless that has another text by then.
      const isRefused = wasDraft && isPetstoreError(error) && error.attempts === 0
      if (isRefused && apply({ type: 'refuse', id, refusal: { error, client } })) {
        underWay.delete(id)
        onChange({ ...message, state: end })
      }
    }
    stopListening()
    transition(end)
    releaseIfIdle()
  }

  return {
    getSnapshot: read,
    subscribe: (listener: () => void) => {
      const unsubscribe = listeners.add(listener)
      return () => {
        unsubscribe()
        releaseIfIdle()
      }
    },
    write: (text: string) => void apply({ type: 'write', text }),
    /** Sends the draft, unless the client refuses it: then it stays in the field, with the refusal. */
    send: (delivery: Delivery) => {
      const { client } = delivery
      const error = knownRefusal(client)
      const id = randomId()
      if (error) apply({ type: 'refuse', id: undefined, refusal: { error, client } })
      else if (apply({ type: 'send', id, at: Date.now(), client })) void deliver(id, delivery, true)
    },
    retry: (id: string, delivery: Delivery) => {
      if (apply({ type: 'retry', id, client: delivery.client })) void deliver(id, delivery)
    },
    /** Cancels a waiting message. */
    cancel: (id: string) => {
      if (!apply({ type: 'transition', id, state: { status: 'cancelled' } })) return
      const controller = underWay.get(id)
      underWay.delete(id)
      controller?.abort()
    },
    /** Moves the text of a message back into the field, if that is empty. */
    edit: (id: string) => void apply({ type: 'edit', id }),
    discard: (id: string) => void apply({ type: 'discard', id }),
    clear,
  }
}

/** In characters. Other code can write to the storage too, and a browser may take seconds to show a longer text. */
const maxStoredLength = 50_000

/** Reads the draft from the tab's session storage; a blank one if there is none, or if it cannot be read. */
function readDraft(key: string): Draft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '')
    if (!hasFields(stored)) return blankOutbox
    const { text, mayBeSent } = stored
    const isDraft = typeof text === 'string' && typeof mayBeSent === 'boolean' && text.length <= maxStoredLength
    return isDraft ? { draft: text, mayBeSent } : blankOutbox
  } catch {
    return blankOutbox
  }
}

/** @returns the text that is stored then: a very long one is not */
function storeDraft(key: string, { draft, mayBeSent }: Draft): string {
  try {
    // Removed first: if the storage is full, an old draft would remain, with texts that have been sent since.
    sessionStorage.removeItem(key)
    if (draft === '' || draft.length > maxStoredLength) return ''
    sessionStorage.setItem(key, JSON.stringify({ text: draft, mayBeSent }))
    return draft
  } catch {
    return ''
  }
}

/** The refusal of a message whose wait for the rate limit is known to be too long. */
function knownRefusal({ rateLimit }: PetstoreClient): RateLimitError | undefined {
  const retryAt = heldUntil(rateLimit.getSnapshot(), rateLimit)
  const { name: operation, method, replay } = operations.sendMessage
  return retryAt === undefined ? undefined : new RateLimitError({ operation, attempts: 0, method, replay }, retryAt)
}

/** A part of the outbox; re-renders when that part changes. Blank on a server and during hydration. */
export function useOutbox<Part>(store: OutboxStore, select: (outbox: Outbox) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getSnapshot()),
    () => select(blankOutbox),
  )
}

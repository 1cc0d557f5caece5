import { useSyncExternalStore } from 'react'
import { randomId } from '../../base/ids.ts'
import { createListeners } from '../../base/listeners.ts'
import { isPetstoreError, RateLimitError } from '../../client/errors.ts'
import { onClear } from '../../client/onClear.ts'
import type { PetstoreClient } from '../../client/PetstoreClient.ts'
import { operations } from '../../contract/operations.ts'
import { callWait } from '../../hooks/CallWait.ts'
import type { OnWait, WaitReason } from '../../rate-limit/Wait.ts'
import {
  blankOutbox,
  changeOutbox,
  type Outbox,
  type OutboxChange,
  type OutboxMessage,
  type OutboxState,
  type Refusal,
  stateAfterFailure,
} from './outbox.ts'
import { readStoredOutbox, storeOutbox } from './storedOutbox.ts'

/** How a message is sent, and who hears about it. */
export interface Delivery {
  readonly client: PetstoreClient
  /** Called when the message waits, once for each reason, and when its call ends; not for what the person does. */
  readonly onChange: (message: OutboxMessage) => void
  /** Announces the message. Returns `false` when the composer has unmounted. */
  readonly announce: (message: OutboxMessage) => boolean
}

/** Holds the texts of a composer and makes the calls that send them: outside React, so that each call is made once. */
export interface OutboxStore {
  readonly getSnapshot: () => Outbox
  readonly subscribe: (listener: () => void) => () => void
  /** Adds a composer that announces the messages of composers that have unmounted, also those it has missed. */
  readonly addAnnouncer: (announce: Delivery['announce']) => () => void
  readonly write: (text: string) => void
  /** Sends the draft, unless the client refuses it: then it stays in the field, with the refusal. */
  readonly send: (delivery: Delivery) => void
  readonly retry: (id: string, delivery: Delivery) => void
  /** Cancels a waiting message. */
  readonly cancel: (id: string) => void
  /** Moves the text of a message back into the field, if that is empty. */
  readonly edit: (id: string) => void
  /** The message can be restored until it is removed. It leaves the session storage at once. */
  readonly discard: (id: string) => void
  /** Restores a discarded message, without an id the one that was discarded last. Returns whether there was one. */
  readonly restore: (id?: string) => boolean
  readonly remove: (id: string) => void
  /** Forgets all texts. Stores nothing: whoever calls it has cleared the storage. */
  readonly clear: () => void
}

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

function createOutboxStore(draftKey: string | undefined): OutboxStore {
  const listeners = createListeners()
  const find = (id: string): OutboxMessage | undefined => read().messages.find((message) => message.id === id)
  const announcements = createAnnouncements(find)
  const underWay = new Map<string, AbortController>()
  let outbox: Outbox | undefined
  /** Whether the session storage holds everything that has to outlive the composers. */
  let isStored = draftKey !== undefined

  function read(): Outbox {
    outbox ??= draftKey === undefined ? blankOutbox : readStoredOutbox(draftKey)
    return outbox
  }

  /** @returns whether the outbox changed */
  function apply(change: OutboxChange): boolean {
    const next = changeOutbox(read(), change)
    if (next === outbox) return false
    outbox = next
    if (draftKey !== undefined) isStored = storeOutbox(draftKey, next)
    listeners.call()
    return true
  }

  /** Forgets all texts of a user who has signed out: they are in the storage no longer, and must not get there again. */
  function clear(): void {
    underWay.clear()
    outbox = blankOutbox
    listeners.call()
  }

  /** Without composers the texts are in the storage only, so that an app that clears it has cleared them. */
  function releaseIfIdle(): void {
    if (isStored && listeners.isEmpty && underWay.size === 0) outbox = undefined
  }

  async function deliver(id: string, { client, onChange, announce }: Delivery, isDraft = false): Promise<void> {
    const message = find(id)
    if (!message) return
    const controller = new AbortController()
    underWay.set(id, controller)
    const stopListening = onClear(client, clear)
    let announcedReason: WaitReason | undefined

    const transition = (state: OutboxState): void => {
      // The message was canceled, and perhaps sent again since.
      if (underWay.get(id) !== controller) return
      if (state.status !== 'waiting' && state.status !== 'sending') underWay.delete(id)
      apply({ type: 'transition', id, state })
      const isNews = state.status === 'waiting' ? state.wait.reason !== announcedReason : state.status !== 'sending'
      if (state.status === 'waiting') announcedReason = state.wait.reason
      const changed = isNews ? find(id) : undefined
      if (!changed) return
      announcements.announce(changed, announce)
      onChange(changed)
    }

    const { signal } = controller
    const onWait: OnWait = (...told) => {
      const wait = callWait(...told)
      transition(wait ? { status: 'waiting', wait } : { status: 'sending' })
    }
    let end: OutboxState
    try {
      end = { status: 'accepted', response: await client.sendMessage({ message: message.text }, { signal, onWait }) }
    } catch (error) {
      const refusal = isDraft ? refusalOf(error, client) : undefined
      end = stateAfterFailure(find(id)?.state ?? message.state, error)
      // Unless the person has written another text.
      if (refusal && apply({ type: 'refuse', id, refusal })) {
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
    subscribe: (listener) => {
      const unsubscribe = listeners.add(listener)
      return () => {
        unsubscribe()
        releaseIfIdle()
      }
    },
    addAnnouncer: announcements.add,
    write: (text) => void apply({ type: 'write', text }),
    send: (delivery) => {
      const { client } = delivery
      const error = knownRefusal(client)
      const id = randomId()
      if (error) apply({ type: 'refuse', id: undefined, refusal: { error, client } })
      else if (apply({ type: 'send', id, at: Date.now(), client })) void deliver(id, delivery, true)
    },
    retry: (id, delivery) => {
      if (apply({ type: 'retry', id, client: delivery.client })) void deliver(id, delivery)
    },
    cancel: (id) => {
      if (!apply({ type: 'transition', id, state: { status: 'cancelled' } })) return
      const controller = underWay.get(id)
      underWay.delete(id)
      controller?.abort()
    },
    edit: (id) => void apply({ type: 'edit', id }),
    discard: (id) => void apply({ type: 'discard', id, at: Date.now() }),
    restore: (id) => {
      const times = read().messages.map(({ discardedAt = -Infinity }) => discardedAt)
      const last = read().messages[times.indexOf(Math.max(...times))]
      const found = id ?? last?.id
      return found !== undefined && apply({ type: 'restore', id: found })
    },
    remove: (id) => void apply({ type: 'remove', id }),
    clear,
  }
}

type Announce = Delivery['announce']

/** Announces messages through whichever composer is mounted, and keeps what none has announced for the next one. */
function createAnnouncements(find: (id: string) => OutboxMessage | undefined): {
  readonly announce: (message: OutboxMessage, announce: Announce) => void
  readonly add: OutboxStore['addAnnouncer']
} {
  const announcers = new Set<Announce>()
  /** The messages that changed while no composer was mounted. */
  const missedIds = new Set<string>()
  return {
    announce: (message, announce) => {
      if (announce(message) || [...announcers].some((other) => other(message))) missedIds.delete(message.id)
      else missedIds.add(message.id)
    },
    add: (announce) => {
      announcers.add(announce)
      for (const id of missedIds) {
        const message = find(id)
        if (!message || message.state.status === 'sending' || announce(message)) missedIds.delete(id)
      }
      return () => void announcers.delete(announce)
    },
  }
}

/** Whether the client has refused a message at once: nothing was sent, and it had no place to wait at. */
function refusalOf(error: unknown, client: object): Refusal | undefined {
  return isPetstoreError(error) && error.attempts === 0 ? { error, client } : undefined
}

/** The refusal of a message whose wait for the rate limit is known to be too long. */
function knownRefusal({ rateLimit }: PetstoreClient): RateLimitError | undefined {
  const { retryAt = 0, waitReason } = rateLimit.getSnapshot()
  const isTooLong = waitReason === 'rate-limit' && retryAt - Date.now() > rateLimit.maxWait
  const { name, method, replay } = operations.sendMessage
  return isTooLong ? new RateLimitError({ operation: name, attempts: 0, method, replay }, retryAt) : undefined
}

/** A part of the outbox; re-renders when that part changes. Blank on a server and during hydration. */
export function useOutbox<Part>(store: OutboxStore, select: (outbox: Outbox) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getSnapshot()),
    () => select(blankOutbox),
  )
}

import type { PetstoreClient } from '../../client/PetstoreClient.ts'
import {
  blankOutbox,
  changeOutbox,
  type Outbox,
  type OutboxChange,
  type OutboxMessage,
  type OutboxState,
  stateAfterFailure,
} from './outbox.ts'
import { readStoredOutbox, storeOutbox } from './storedOutbox.ts'

/** Whom a message is handed to, and who is told what becomes of it. */
export interface Delivery {
  readonly client: PetstoreClient
  /** Told once that it waits, and how it ends; not of what the person does. */
  readonly tell: (message: OutboxMessage) => void
}

/** Holds the texts of a composer, and makes the calls that send them: outside of React, so that each is made once. */
export interface OutboxStore {
  readonly getSnapshot: () => Outbox
  readonly subscribe: (listener: () => void) => () => void
  readonly write: (text: string) => void
  /** Sends the draft. */
  readonly send: (delivery: Delivery) => void
  readonly retry: (id: string, delivery: Delivery) => void
  /** Calls a message off that waits. */
  readonly cancel: (id: string) => void
  /** Takes a message back into the field, if that is empty. */
  readonly edit: (id: string) => void
  readonly discard: (id: string) => void
}

/** One for each draft key, for as long as the page lives: what is on its way outlives its composer. */
const stores = new Map<string, OutboxStore>()

/** The store that all composers with this draft key share; without a key, one of its own. */
export function outboxStoreFor(draftKey: string | undefined): OutboxStore {
  // On a server nothing may be shared between the people it serves.
  if (draftKey === undefined || typeof document === 'undefined') return createOutboxStore(undefined)
  const store = stores.get(draftKey) ?? createOutboxStore(draftKey)
  stores.set(draftKey, store)
  return store
}

function createOutboxStore(draftKey: string | undefined): OutboxStore {
  const listeners = new Set<() => void>()
  const underWay = new Map<string, AbortController>()
  let outbox: Outbox | undefined
  /** Whether the storage holds all that has to outlive the composers. */
  let isKept = draftKey !== undefined

  function read(): Outbox {
    outbox ??= draftKey === undefined ? blankOutbox : readStoredOutbox(draftKey)
    return outbox
  }

  /** @returns whether there was anything to change */
  function apply(change: OutboxChange): boolean {
    const next = changeOutbox(read(), change)
    if (next === outbox) return false
    outbox = next
    if (draftKey !== undefined) isKept = storeOutbox(draftKey, next)
    for (const listener of [...listeners]) listener()
    return true
  }

  /** With nobody there to see them, the texts are in the storage alone, where the app can clear them. */
  function rest(): void {
    if (isKept && listeners.size === 0 && underWay.size === 0) outbox = undefined
  }

  const find = (id: string): OutboxMessage | undefined => read().messages.find((message) => message.id === id)

  async function deliver(id: string, { client, tell }: Delivery): Promise<void> {
    const message = find(id)
    if (!message) return
    const controller = new AbortController()
    underWay.set(id, controller)
    let hasWaited = false

    const show = (state: OutboxState): void => {
      // Called off, and perhaps on its way again by now.
      if (underWay.get(id) !== controller) return
      if (state.status !== 'waiting' && state.status !== 'sending') underWay.delete(id)
      apply({ type: 'move', id, state })
      const isTold = state.status === 'waiting' ? !hasWaited : state.status !== 'sending'
      hasWaited ||= state.status === 'waiting'
      const shown = isTold ? find(id) : undefined
      if (shown) tell(shown)
    }

    const { signal } = controller
    const onWait = (until: number | undefined) =>
      show(until === undefined ? { status: 'sending' } : { status: 'waiting', until })
    let end: OutboxState
    try {
      end = { status: 'accepted', response: await client.sendMessage({ message: message.text }, { signal, onWait }) }
    } catch (error) {
      end = stateAfterFailure(find(id)?.state ?? message.state, error)
    }
    show(end)
    rest()
  }

  return {
    getSnapshot: read,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        rest()
      }
    },
    write: (text) => void apply({ type: 'write', text }),
    send: (delivery) => {
      const id = Math.random().toString(36).slice(2)
      if (apply({ type: 'send', id, at: Date.now(), client: delivery.client })) void deliver(id, delivery)
    },
    retry: (id, delivery) => {
      if (apply({ type: 'retry', id, client: delivery.client })) void deliver(id, delivery)
    },
    cancel: (id) => {
      if (!apply({ type: 'move', id, state: { status: 'cancelled' } })) return
      const controller = underWay.get(id)
      underWay.delete(id)
      controller?.abort()
    },
    edit: (id) => void apply({ type: 'edit', id }),
    discard: (id) => void apply({ type: 'discard', id }),
  }
}

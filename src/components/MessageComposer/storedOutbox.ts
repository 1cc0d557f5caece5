import { hasFields } from '../../contract/fields.ts'
import { blankOutbox, type Outbox } from './outbox.ts'

/** The stored part of an outbox: texts, and nothing from a response or an error. */
interface StoredOutbox {
  readonly draft: string
  readonly messages: readonly StoredMessage[]
}

interface StoredMessage {
  readonly id: string
  readonly text: string
  /** Epoch ms. */
  readonly at: number
  readonly mayBeSent: boolean
}

function isStoredOutbox(value: unknown): value is StoredOutbox {
  if (!hasFields(value)) return false
  const { draft, messages } = value
  return typeof draft === 'string' && Array.isArray(messages) && messages.every(isStoredMessage)
}

function isStoredMessage(value: unknown): value is StoredMessage {
  if (!hasFields(value)) return false
  const { id, text, at, mayBeSent } = value
  return typeof id === 'string' && typeof text === 'string' && Number.isFinite(at) && typeof mayBeSent === 'boolean'
}

/** The last time that a `Date` can hold, in epoch ms. */
const maxTime = 8.64e15

/**
 * Bounds of what is stored, in characters. Other code can write to the storage too, and a browser may take seconds to show
 * a field with so many lines.
 */
const maxLength = 200_000
const maxTextLength = 50_000
const maxMessages = 100

const isShort = (text: string) => text.length <= maxTextLength

/** Reads the outbox from the tab's session storage; a blank one if there is none, or if it cannot be read. */
export function readStoredOutbox(key: string): Outbox {
  try {
    const stored = sessionStorage.getItem(key) ?? ''
    const outbox: unknown = JSON.parse(stored.length > maxLength ? '' : stored)
    if (!isStoredOutbox(outbox)) return blankOutbox
    const { draft, messages } = outbox
    const shown = messages.filter(({ text }) => isShort(text)).slice(0, maxMessages)
    return {
      ...blankOutbox,
      draft: isShort(draft) ? draft : '',
      messages: shown.map(({ id, text, mayBeSent, at }) => ({
        id,
        text,
        // Other code can write to the storage too. The text stays, whatever its time.
        at: Math.abs(at) <= maxTime ? at : Date.now(),
        client: undefined,
        state: { status: mayBeSent ? 'unknown' : 'failed', error: undefined },
        discardedAt: undefined,
      })),
    }
  } catch {
    return blankOutbox
  }
}

/**
 * Stores the texts that the service has not accepted, but none that are very long or very many. A message under way
 * counts as possibly sent, since a reload loses its response.
 *
 * @returns whether all of them are stored
 */
export function storeOutbox(key: string, { draft, messages }: Outbox): boolean {
  const unsent = messages.filter(({ state, discardedAt }) => state.status !== 'accepted' && discardedAt === undefined)
  const short = unsent.filter(({ text }) => isShort(text)).slice(0, maxMessages)
  const stored: StoredOutbox = {
    draft: isShort(draft) ? draft : '',
    messages: short.map(({ id, text, at, state: { status } }) => ({
      id,
      text,
      at,
      mayBeSent: status === 'sending' || status === 'unknown' || status === 'applied',
    })),
  }
  try {
    // Removed first: if the storage is full, an old outbox would remain, with messages that have been sent since.
    sessionStorage.removeItem(key)
    const text = JSON.stringify(stored)
    const fits = text.length <= maxLength
    if (fits && (stored.draft !== '' || short.length > 0)) sessionStorage.setItem(key, text)
    return fits && isShort(draft) && short.length === unsent.length
  } catch {
    return false
  }
}

import * as z from 'zod/mini'
import { blankOutbox, type Outbox } from './outbox.ts'

/** The stored part of an outbox: texts, and nothing from a response or an error. */
const storedSchema = z.object({
  draft: z.string(),
  messages: z.array(z.object({ id: z.string(), text: z.string(), at: z.number(), mayBeSent: z.boolean() })),
})

/** The last time that a `Date` can hold, in epoch ms. */
const maxTime = 8.64e15

/** Reads the outbox from the tab's session storage; a blank one if there is none, or if it cannot be read. */
export function readStoredOutbox(key: string): Outbox {
  try {
    const { draft, messages } = z.parse(storedSchema, JSON.parse(sessionStorage.getItem(key) ?? ''))
    return {
      ...blankOutbox,
      draft,
      messages: messages.map(({ mayBeSent, at, ...message }) => ({
        ...message,
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
 * Stores the texts that the service has not accepted. A message under way counts as possibly sent, since a reload loses
 * its response.
 *
 * @returns whether they are stored
 */
export function storeOutbox(key: string, { draft, messages }: Outbox): boolean {
  const unsent = messages.filter(({ state, discardedAt }) => state.status !== 'accepted' && discardedAt === undefined)
  const stored: z.infer<typeof storedSchema> = {
    draft,
    messages: unsent.map(({ id, text, at, state: { status } }) => ({
      id,
      text,
      at,
      mayBeSent: status === 'sending' || status === 'unknown' || status === 'applied',
    })),
  }
  try {
    // Removed first: if the storage is full, an old outbox would remain, with messages that have been sent since.
    sessionStorage.removeItem(key)
    if (draft !== '' || unsent.length > 0) sessionStorage.setItem(key, JSON.stringify(stored))
    return true
  } catch {
    return false
  }
}

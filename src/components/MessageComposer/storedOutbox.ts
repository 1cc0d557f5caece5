import * as z from 'zod/mini'
import { blankOutbox, type Outbox } from './outbox.ts'

/** What is kept of an outbox: texts, and nothing that the service or an error has said. */
const storedSchema = z.object({
  draft: z.string(),
  messages: z.array(z.object({ id: z.string(), text: z.string(), at: z.number(), mayBeSent: z.boolean() })),
})

/** The outbox that the tab's session storage holds under the key; a blank one where there is none to be had. */
export function readStoredOutbox(key: string): Outbox {
  try {
    const { draft, messages } = z.parse(storedSchema, JSON.parse(sessionStorage.getItem(key) ?? ''))
    return {
      draft,
      messages: messages.map(({ mayBeSent, ...message }) => ({
        ...message,
        client: undefined,
        state: { status: mayBeSent ? 'unknown' : 'failed', error: undefined },
      })),
    }
  } catch {
    return blankOutbox
  }
}

/**
 * Keeps the texts that the service has not taken. One on its way counts as perhaps sent: a reload loses its response.
 *
 * @returns whether they are kept
 */
export function storeOutbox(key: string, { draft, messages }: Outbox): boolean {
  const unsent = messages.filter(({ state }) => state.status !== 'accepted')
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
    // First of all: were the storage full, an old state would be left, with messages that have been sent since.
    sessionStorage.removeItem(key)
    if (draft !== '' || unsent.length > 0) sessionStorage.setItem(key, JSON.stringify(stored))
    return true
  } catch {
    return false
  }
}

import type { Message, NewMessage } from '../contract/message.ts'

/** The messages that one service took. They stay `queued`: no other status is documented. */
export interface MessageStore {
  readonly all: () => readonly Message[]
  /** @param now epoch milliseconds */
  readonly queue: (newMessage: NewMessage, now: number) => Message
}

export function createMessageStore(): MessageStore {
  const messages: Message[] = []
  return {
    all: () => [...messages],
    queue({ message }, now) {
      const id = `msg_${messages.length + 1}`
      const record: Message = { id, message, status: 'queued', createdAt: new Date(now).toISOString() }
      messages.push(record)
      return record
    },
  }
}

import { type Message, newMessageSchema } from '../contract/message.ts'
import { operations } from '../contract/operations.ts'
import type { Handlers } from './handlers.ts'
import { successResponse } from './RawResponse.ts'

/** The messages of one service and the handler that queues them. `queued` is the only status that is documented. */
export function createMessageResource(now: () => number) {
  const messages: Message[] = []
  return {
    all: (): readonly Message[] => [...messages],
    handlers: {
      sendMessage: ({ body }) => {
        const { message } = newMessageSchema.parse(body)
        const id = `msg_${messages.length + 1}`
        const record: Message = { id, message, status: 'queued', createdAt: new Date(now()).toISOString() }
        messages.push(record)
        return successResponse(operations.sendMessage, JSON.stringify(record))
      },
    } satisfies Partial<Handlers>,
  }
}

import * as z from 'zod/mini'

/** A message as the service returns it after it was sent (the quickstart request). */
export interface Message {
  /** Identifier of the message record. */
  readonly id: string
  /** The submitted text, echoed. */
  readonly message: string
  /** Processing status. Only `queued` is documented: accepted, not delivered. Other values are kept as text. */
  readonly status: 'queued' | (string & {})
  /** Creation time, an ISO 8601 UTC timestamp. */
  readonly createdAt: string
}

/** What is sent to send a message. */
export interface NewMessage {
  /** Text to send. */
  readonly message: string
}

const isTimestamp = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text) && Number.isFinite(Date.parse(text))

/** Checks a message record in a response. */
export const messageSchema: z.ZodMiniType<Message> = z.object({
  id: z.string('expected a string'),
  message: z.string('expected a string'),
  status: z.string('expected a string'),
  createdAt: z.string('expected a string').check(z.refine(isTimestamp, 'expected an ISO 8601 timestamp')),
})

/** Checks what is to be sent as a message. */
export const newMessageSchema: z.ZodMiniType<NewMessage, NewMessage> = z.object({
  message: z.string('expected a string'),
})

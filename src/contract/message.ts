import * as z from 'zod/mini'
import { requiredText } from './requiredText.ts'

/** A message record as the service returns it (the quickstart request). */
export interface Message {
  /** Identifier of the message record. */
  readonly id: string
  /** The submitted text. */
  readonly message: string
  /** Processing status. The only documented value is `queued`: accepted, not delivered. Other values pass unchanged. */
  readonly status: 'queued' | (string & {})
  /** Creation time, an ISO 8601 UTC timestamp. */
  readonly createdAt: string
}

/** The input of `sendMessage`. */
export interface NewMessage {
  /** Text to send, not empty. */
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

/** Checks the input of `sendMessage`. */
export const newMessageSchema: z.ZodMiniType<NewMessage, NewMessage> = z.object({
  message: requiredText,
})

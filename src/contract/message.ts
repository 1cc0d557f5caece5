import type * as z from 'zod/mini'
import * as schemas from './schemas.ts'

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

/** Checks a message record in a response. */
export const messageSchema: z.ZodMiniType<Message> = schemas.messageSchema

/** Checks the input of `sendMessage`. */
export const newMessageSchema: z.ZodMiniType<NewMessage, NewMessage> = schemas.newMessageSchema

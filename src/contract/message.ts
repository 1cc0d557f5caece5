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
  /** Text to send, not blank. */
  readonly message: string
}

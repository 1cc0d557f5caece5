/** Class names for the parts of the composer. */
export interface MessageComposerClassNames {
  readonly form?: string | undefined
  readonly label?: string | undefined
  readonly fieldError?: string | undefined
  /** The textarea. */
  readonly input?: string | undefined
  readonly hint?: string | undefined
  /** How many characters are left. */
  readonly count?: string | undefined
  readonly send?: string | undefined
  /** The list of messages. */
  readonly outbox?: string | undefined
  /** One message. */
  readonly message?: string | undefined
  readonly text?: string | undefined
  /** The line with the state of the message. */
  readonly status?: string | undefined
  /** Why the message was not sent, and what a person can do. */
  readonly advice?: string | undefined
  /** The row of buttons below a message. */
  readonly buttons?: string | undefined
}

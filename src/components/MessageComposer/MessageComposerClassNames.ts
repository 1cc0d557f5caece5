/** Class names of the app's own for the inner parts. */
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
  /** One of them. */
  readonly message?: string | undefined
  readonly text?: string | undefined
  /** The line that says how the message stands. */
  readonly status?: string | undefined
  /** Why it was not sent, and what can be done. */
  readonly advice?: string | undefined
  /** The row of buttons below a message. */
  readonly buttons?: string | undefined
}

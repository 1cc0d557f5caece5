import type { ReactNode, RefObject } from 'react'
import type { ComposerCatalog } from './messageText.ts'
import type { OutboxMessage } from './outbox.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'

/** The values that the parts of the composer share. */
export interface ComposerView extends ComposerCatalog {
  readonly store: OutboxStore
  readonly delivery: Delivery
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  readonly slots: MessageComposerClassNames
}

/** The values that the parts of a message share. */
export interface ItemView extends ComposerView {
  readonly message: OutboxMessage
  /** Whether the field is empty. */
  readonly canEdit: boolean
  readonly renderText: ((text: string) => ReactNode) | undefined
}

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

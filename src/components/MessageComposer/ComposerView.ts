import type { ReactNode, RefObject } from 'react'
import type { MessageComposerClassNames } from './MessageComposerClassNames.ts'
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

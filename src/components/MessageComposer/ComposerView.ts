import type { ReactNode, RefObject } from 'react'
import type { ErrorNoticeLabels, MessageComposerLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import { isolate } from '../../labels/isolate.ts'
import { labelOfWait, waitText } from '../../labels/waitText.ts'
import type { ErrorText } from '../ErrorNotice/useErrorText.ts'
import type { OutboxMessage, OutboxState } from './outbox.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'

/** The labels and formats of a composer. */
export interface ComposerCatalog {
  readonly labels: MessageComposerLabels
  readonly errors: ErrorNoticeLabels
  readonly errorTextOf: (error: Error) => ErrorText
  readonly format: Formats
}

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
  /** The form above the messages. */
  readonly form?: string | undefined
  /** The label of the field. */
  readonly label?: string | undefined
  /** The error of the field. */
  readonly fieldError?: string | undefined
  /** The textarea. */
  readonly input?: string | undefined
  /** How to send with the keyboard. */
  readonly hint?: string | undefined
  /** How many characters are left. */
  readonly count?: string | undefined
  /** The submit button. */
  readonly send?: string | undefined
  /** The list of messages. */
  readonly outbox?: string | undefined
  /** One message. */
  readonly message?: string | undefined
  /** The text of a message. */
  readonly text?: string | undefined
  /** The line with the state of the message. */
  readonly status?: string | undefined
  /** Why the message was not sent, and what a person can do. */
  readonly advice?: string | undefined
  /** The row of buttons below a message. */
  readonly buttons?: string | undefined
}

/** The state of a message as a sentence, shown and announced. */
export function statusText(state: OutboxState, { labels, errors, errorTextOf, format }: ComposerCatalog): string {
  if (state.status === 'waiting') return waitText(labelOfWait(labels.waiting, state.wait), state.wait.until, format)
  if (state.status === 'accepted') {
    return state.response.status === 'queued' ? labels.queued : `${labels.accepted} ${isolate(state.response.status)}`
  }
  if (state.status === 'failed') return labels.failedBecause(errorTextOf(state.error).title)
  if (state.status === 'unknown') return errors.situations.mayHaveHappened.title
  if (state.status === 'applied') return labels.acceptedUnread
  return labels[state.status]
}

/** How much of a message an announcement repeats, to say which one is meant; in code points. */
const excerptLength = 40

/** The beginning of a message, cut between two words where there are spaces. */
export function excerptOf(text: string): string {
  // By code points, so that no surrogate pair is split.
  const characters = Array.from(text.trim().replaceAll(/\s+/g, ' '))
  if (characters.length <= excerptLength) return characters.join('')
  const lastSpace = characters.slice(0, excerptLength + 1).lastIndexOf(' ')
  return `${characters.slice(0, lastSpace > 0 ? lastSpace : excerptLength).join('')}…`
}

import type { ReactNode, RefObject } from 'react'
import type { MessageComposerLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import { isolate } from '../../labels/isolate.ts'
import { labelOfWait, waitText } from '../../labels/waitText.ts'
import type { useDescribeError } from '../ErrorNotice/useErrorText.ts'
import type { OutboxMessage, OutboxState } from './outbox.ts'
import type { Delivery, OutboxStore } from './outboxStore.ts'

/** The labels, formats and error texts. */
export interface ComposerTexts extends ReturnType<typeof useDescribeError> {
  readonly labels: MessageComposerLabels
  readonly format: Formats
}

/** The values that the parts of the composer share. */
export interface ComposerView extends ComposerTexts {
  readonly store: OutboxStore
  readonly delivery: Delivery
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  readonly slots: MessageComposerClassNames
}

/** The values that the parts of a message share. */
export interface ItemView extends ComposerView {
  readonly message: OutboxMessage
  readonly isFieldEmpty: boolean
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
  /** What a person can do about a message that failed; below the field, also why. */
  readonly advice?: string | undefined
  /** The row of buttons below a message. */
  readonly buttons?: string | undefined
}

/** The state of a message in words, as announced. `OutboxItem` shows the same words, except offline. */
export function statusText(state: OutboxState, texts: ComposerTexts): string {
  const { labels, errorLabels, describeError, format } = texts
  if (state.status === 'waiting') return waitText(labelOfWait(labels.waiting, state.wait), state.wait.until, format)
  if (state.status === 'accepted') {
    return state.response.status === 'queued' ? labels.queued : `${labels.accepted} ${isolate(state.response.status)}`
  }
  if (state.status === 'failed') return labels.failedBecause(describeError(state.error).title)
  if (state.status === 'unknown') return errorLabels.situations.mayHaveHappened.title
  if (state.status === 'applied') return labels.acceptedUnread
  return labels[state.status]
}

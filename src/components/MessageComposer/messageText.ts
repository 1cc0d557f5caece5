import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import type { MessageComposerLabels } from '../../labels/MessageComposerLabels.ts'
import { errorText } from '../ErrorNotice/errorText.ts'
import type { OutboxState } from './outbox.ts'

/** The labels and formats of a composer. */
export interface ComposerCatalog {
  readonly labels: MessageComposerLabels
  readonly errors: ErrorNoticeLabels
  readonly format: Formats
}

/** The state of a message as a sentence, shown and announced. */
export function messageText(state: OutboxState, { labels, errors, format }: ComposerCatalog): string {
  if (state.status === 'waiting') return labels.waiting(format.duration(state.until - Date.now()))
  if (state.status === 'accepted') {
    return state.response.status === 'queued' ? labels.queued : `${labels.accepted} ${state.response.status}`
  }
  if (state.status === 'failed' && state.error) return labels.failedBecause(errorText(state.error, errors).title)
  const { sending, failed, mayHaveBeenSent: unknown, acceptedUnread: applied, cancelled } = labels
  return { sending, failed, unknown, applied, cancelled }[state.status]
}

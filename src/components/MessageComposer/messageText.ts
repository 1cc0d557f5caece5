import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import type { MessageComposerLabels } from '../../labels/MessageComposerLabels.ts'
import { errorText } from '../ErrorNotice/errorText.ts'
import type { OutboxState } from './outbox.ts'

/** The words of a composer. */
export interface MessageText {
  readonly labels: MessageComposerLabels
  readonly errors: ErrorNoticeLabels
  readonly format: Formats
}

/** How a message stands, in words: shown beside it, and spoken when it comes to that. */
export function messageText(state: OutboxState, { labels, errors, format }: MessageText): string {
  if (state.status === 'waiting') return labels.waiting(format.duration(state.until - Date.now()))
  if (state.status === 'accepted') {
    return state.response.status === 'queued' ? labels.queued : `${labels.accepted} ${state.response.status}`
  }
  if (state.status === 'failed' && state.error) return labels.failedBecause(errorText(state.error, errors).title)
  const { sending, failed, mayHaveBeenSent: unknown, acceptedUnread: applied, cancelled } = labels
  return { sending, failed, unknown, applied, cancelled }[state.status]
}

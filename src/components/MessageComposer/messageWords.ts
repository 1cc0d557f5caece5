import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import type { MessageComposerLabels } from '../../labels/MessageComposerLabels.ts'
import { errorWords } from '../ErrorNotice/errorWords.ts'
import type { OutboxState } from './outbox.ts'

/** The words of a composer. */
export interface MessageWords {
  readonly labels: MessageComposerLabels
  readonly errors: ErrorNoticeLabels
  readonly format: Formats
}

/** How a message stands, in words: shown beside it, and spoken when it comes to that. */
export function messageWords(state: OutboxState, { labels, errors, format }: MessageWords): string {
  if (state.status === 'waiting') return labels.waiting(format.duration(state.until - Date.now()))
  if (state.status === 'taken') {
    return state.answer.status === 'queued' ? labels.queued : `${labels.accepted} ${state.answer.status}`
  }
  if (state.status === 'failed' && state.error) return labels.failedBecause(errorWords(state.error, errors).title)
  const { sending, failed, mayHaveBeenSent: unknown, acceptedUnread: done, cancelled } = labels
  return { sending, failed, unknown, done, cancelled }[state.status]
}

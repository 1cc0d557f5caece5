import type { ErrorNoticeLabels, MessageComposerLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import { labelOfWait, waitText } from '../../labels/waitText.ts'
import type { ErrorText } from '../ErrorNotice/errorText.ts'
import type { OutboxState } from './outbox.ts'

/** The labels and formats of a composer. */
export interface ComposerCatalog {
  readonly labels: MessageComposerLabels
  readonly errors: ErrorNoticeLabels
  readonly errorTextOf: (error: Error) => ErrorText
  readonly format: Formats
}

/** The state of a message as a sentence, shown and announced. */
export function messageText(state: OutboxState, { labels, errors, errorTextOf, format }: ComposerCatalog): string {
  if (state.status === 'waiting') return waitText(labelOfWait(labels.waiting, state.wait), state.wait.until, format)
  if (state.status === 'accepted') {
    return state.response.status === 'queued' ? labels.queued : `${labels.accepted} ${state.response.status}`
  }
  if (state.status === 'failed' && state.error) return labels.failedBecause(errorTextOf(state.error).title)
  const { sending, failed, acceptedUnread: applied, cancelled } = labels
  const unknown = errors.situations.mayHaveHappened.title
  return { sending, failed, unknown, applied, cancelled }[state.status]
}

/** How many characters of a message name it in an announcement. */
const excerptLength = 40

/** The beginning of a message, cut between two words where there are spaces. */
export function excerptOf(text: string): string {
  // By code points, so that no emoji is cut in half.
  const characters = Array.from(text.trim().replaceAll(/\s+/g, ' '))
  if (characters.length <= excerptLength) return characters.join('')
  const lastSpace = characters.slice(0, excerptLength + 1).lastIndexOf(' ')
  return `${characters.slice(0, lastSpace > 0 ? lastSpace : excerptLength).join('')}…`
}

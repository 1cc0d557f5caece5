import { isPetstoreError } from '../../client/errors.ts'
import type { ErrorLabels, ErrorNoticeLabels } from '../../labels/en.ts'

interface ErrorText extends ErrorLabels {
  /** What people have to know before they try again. */
  readonly notes: readonly string[]
}

/** The text that people read about an error. */
export function errorText(error: Error, labels: ErrorNoticeLabels): ErrorText {
  if (!isPetstoreError(error)) return { ...labels.otherError, notes: [] }
  const { kind, replay, outcome } = error
  // Another version of this package on the page may have more kinds.
  const kindLabels: ErrorLabels | undefined = labels.errors[kind]
  const notes = { 'not-applied': [], unknown: [labels.mayHaveHappened], applied: [labels.hasHappened] }
  return { ...(kindLabels ?? labels.otherError), notes: replay === 'safe' ? [] : notes[outcome] }
}

import { isPetstoreError } from '../../client/errors.ts'
import { operations } from '../../contract/operations.ts'
import type { ErrorLabels, ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'

interface ErrorText extends ErrorLabels {
  /** What else people have to know before they try again. */
  readonly notes: readonly string[]
}

/** What people are told about an error. */
export function errorText(error: Error, labels: ErrorNoticeLabels): ErrorText {
  if (!isPetstoreError(error)) return { ...labels.otherError, notes: [] }
  const { kind, operation, outcome } = error
  // Another copy of this package on the page may know more kinds.
  const known: ErrorLabels | undefined = labels.errors[kind]
  const notes = { 'not-applied': [], unknown: [labels.mayHaveHappened], applied: [labels.hasHappened] }
  return { ...(known ?? labels.otherError), notes: isReading(operation) ? [] : notes[outcome] }
}

/** Where nothing is changed, nothing can have been. */
function isReading(name: string): boolean {
  return Object.values(operations).some((operation) => operation.name === name && operation.replay === 'safe')
}

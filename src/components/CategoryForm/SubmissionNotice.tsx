import type { ReactElement } from 'react'
import type { PetstoreError } from '../../client/errors.ts'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'

interface SubmissionNoticeProps {
  readonly error: PetstoreError
  readonly onRetry: () => void
  readonly labels: CategoryFormLabels
  readonly className: string | undefined
}

/** A failure that is not about the input. */
export function SubmissionNotice({ error, onRetry, labels, className }: SubmissionNoticeProps): ReactElement {
  const { outcome } = error
  return (
    <ErrorNotice
      className={className}
      error={error}
      // A retry would create the category a second time.
      onRetry={outcome === 'applied' ? undefined : onRetry}
      labels={
        outcome === 'not-applied'
          ? undefined
          : { mayHaveHappened: labels.mayHaveBeenCreated, retry: labels.createAnyway }
      }
    />
  )
}

'use client'

import type { ReactElement } from 'react'
import { isPetstoreError, type PetstoreError } from '../../client/errors.ts'
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'

interface ErrorNoticeProps {
  readonly error: PetstoreError
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

/** Says what went wrong and what can be done, with a button that tries again. */
export function ErrorNotice({ error, isRetrying, onRetry }: ErrorNoticeProps): ReactElement {
  const { labels } = usePetstoreContext('ErrorNotice')
  // SWR hands on whatever was thrown: an `AbortError` too, when the client was closed under way.
  const { title, advice } = isPetstoreError(error) ? labels.errors[error.kind] : labels.otherError
  return (
    <div className="petstore-error-notice" role="alert">
      <div className="petstore-error-notice-text">
        <svg className="petstore-error-notice-icon" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="9" />
          <path className="petstore-error-notice-mark" d="M10 5.5v5M10 14v.2" />
        </svg>
        <strong className="petstore-error-notice-title">{title}</strong>
        <span className="petstore-error-notice-advice">{advice}</span>
      </div>
      {/* Never `disabled`: the button may have the focus, and would lose it. */}
      <button
        type="button"
        className="petstore-button"
        aria-disabled={isRetrying}
        onClick={isRetrying ? undefined : onRetry}
      >
        {labels.retry}
      </button>
    </div>
  )
}

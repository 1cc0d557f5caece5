import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { Countdown } from '../../hooks/Countdown.tsx'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { RestoreFocus } from '../RestoreFocus.tsx'
import type { ListView } from './ListView.ts'

/** How the request is doing: waiting for the rate limit, failed, or loading the first rows. */
export function CategoryListProgress(view: ListView): ReactElement {
  const { categories, isLoading, retryAt, refresh, labels, format, slots, sectionRef } = view
  const { error, isValidating } = categories
  return (
    <>
      {retryAt !== undefined && (
        <p className="petstore-category-list-waiting">
          <Countdown until={retryAt} format={format}>
            {labels.waiting}
          </Countdown>
        </p>
      )}
      {error && (
        <RestoreFocus fallbackRef={sectionRef}>
          <ErrorNotice error={error} isRetrying={isValidating} onRetry={refresh} />
        </RestoreFocus>
      )}
      {isLoading && (
        <div className={classNames('petstore-skeleton petstore-category-list-skeleton', slots.skeleton)}>
          <span className="petstore-visually-hidden">{labels.loading}</span>
          <div className="petstore-skeleton-row" />
          <div className="petstore-skeleton-row" />
          <div className="petstore-skeleton-row" />
        </div>
      )}
    </>
  )
}

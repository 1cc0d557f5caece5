import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { Countdown } from '../../hooks/useCountdown.tsx'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { RestoreFocus } from '../RestoreFocus.tsx'
import { labelOfWait } from '../../labels/waitText.ts'
import type { ListView } from './ListView.ts'

/** How the request is doing: waiting, failed, or loading the first rows. */
export function CategoryListProgress(view: ListView): ReactElement {
  const { categories, isLoading, wait, refresh, labels, format, slots, sectionRef } = view
  const { error, isValidating } = categories
  return (
    <>
      {wait && (
        <p className="petstore-category-list-waiting">
          <Countdown until={wait.retryAt} format={format}>
            {labelOfWait(labels.waiting, wait)}
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

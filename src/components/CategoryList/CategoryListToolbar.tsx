import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { RestoreFocus } from '../RestoreFocus.tsx'
import { CategoryFilter } from './CategoryFilter.tsx'
import type { ListView } from './ListView.ts'

/** Filter box and refresh button. */
export function CategoryListToolbar(view: ListView): ReactElement {
  const { hasFilter, hasRefresh, isRefreshing, refresh, labels, slots, sectionRef } = view
  return (
    <div className={classNames('petstore-category-list-toolbar', slots.toolbar)}>
      {hasFilter && (
        <RestoreFocus fallbackRef={sectionRef} className="petstore-category-list-filter">
          <CategoryFilter {...view} />
        </RestoreFocus>
      )}
      {hasRefresh && (
        // Never `disabled`: the button would lose the focus.
        <button
          type="button"
          className={classNames('petstore-button petstore-button-quiet petstore-category-list-refresh', slots.refresh)}
          aria-disabled={isRefreshing}
          onClick={isRefreshing ? undefined : refresh}
        >
          <svg className="petstore-category-list-icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13" />
          </svg>
          {isRefreshing ? labels.refreshing : labels.refresh}
        </button>
      )}
    </div>
  )
}

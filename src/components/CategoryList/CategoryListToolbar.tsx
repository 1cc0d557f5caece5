import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { Icon, refresh as refreshIcon } from '../Icon.tsx'
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
          className={classNames('petstore-button petstore-category-list-refresh', slots.refresh)}
          aria-disabled={isRefreshing}
          onClick={isRefreshing ? undefined : refresh}
        >
          <Icon path={refreshIcon} />
          {isRefreshing ? labels.refreshing : labels.refresh}
        </button>
      )}
    </div>
  )
}

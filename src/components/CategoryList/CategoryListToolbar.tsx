import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { RestoreFocus } from '../RestoreFocus.tsx'
import { CategoryFilter } from './CategoryFilter.tsx'
import { forgetFilter, prepareFilter } from './filterCategories.ts'
import type { ListView } from './ListView.ts'
import { RefreshButton } from './RefreshButton.tsx'

/** Filter box and refresh button. */
export function CategoryListToolbar(view: ListView): ReactElement {
  const { visible, status, isRefreshing, refresh, labels, format, slots, sectionRef } = view
  const { all, filter, setFilter } = visible
  return (
    <div className={classNames('petstore-category-list-toolbar', slots.toolbar)}>
      {status.hasFilter && (
        <RestoreFocus fallbackRef={sectionRef} className="petstore-category-list-filter">
          <CategoryFilter
            value={filter}
            onChange={setFilter}
            onFocus={() => prepareFilter(all, format.locale)}
            onBlur={() => void (filter === '' && forgetFilter(all))}
            label={labels.filter}
            clearLabel={labels.clearFilter}
            className={slots.filter}
          />
        </RestoreFocus>
      )}
      {status.hasRefresh && (
        <RefreshButton
          isRefreshing={isRefreshing}
          onRefresh={refresh}
          label={isRefreshing ? labels.refreshing : labels.refresh}
          className={slots.refresh}
        />
      )}
    </div>
  )
}

import type { RefObject } from 'react'
import type { PendingCategory } from '../../hooks/usePendingCategories.ts'
import type { UseCategoriesResult } from '../../hooks/useCategories.ts'
import type { CategoryListLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import type { SharedError } from '../ErrorNotice/SharedNotice.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

/** The refresh that a person asks for. */
export interface Refresh {
  readonly isRefreshing: boolean
  /** When a person last refreshed, in epoch ms; 0 if never. */
  readonly refreshedAt: number
  readonly refresh: () => void
}

/** The values that the parts of the list share: its rows, its status and the rest. */
export interface ListView extends VisibleRows, ReturnType<typeof listStatus>, Refresh {
  readonly categories: UseCategoriesResult
  /** The error of the latest request, with its texts. */
  readonly failure: SharedError | undefined
  readonly labels: CategoryListLabels
  readonly format: Formats
  /** The app's class names for the parts. */
  readonly slots: CategoryListClassNames
  /** The root element. It gets the focus when the focused part disappears. */
  readonly sectionRef: RefObject<HTMLElement | null>
  readonly idPrefix: string
}

/** Returns what the list shows besides, or instead of, the rows that match. */
export function listStatus(
  { data, error, isValidating, wait }: Pick<UseCategoriesResult, 'data' | 'error' | 'isValidating' | 'wait'>,
  { all, rows, matches }: Pick<VisibleRows, 'all' | 'rows' | 'matches'>,
  isRefreshing: boolean,
  pending: readonly PendingCategory[],
) {
  const hasRows = rows.length > 0 || pending.length > 0
  const isFilteredOut = all.length > 0 && matches.length === 0
  // After a failed refresh, an empty list may be out of date.
  const isEmpty = data && !error && !hasRows
  return {
    isLoading: !data && !error && isValidating,
    hasRows,
    emptyReason: isFilteredOut ? ('noMatch' as const) : isEmpty ? ('empty' as const) : undefined,
    // Once there is data, only the wait of a refresh that a person asked for is shown.
    wait: !data || isRefreshing ? wait : undefined,
  }
}

/** Class names for the parts of the list. */
export interface CategoryListClassNames {
  /** Filter box and refresh button. */
  readonly toolbar?: string | undefined
  /** The input of the filter. */
  readonly filter?: string | undefined
  /** The button that loads the categories again. */
  readonly refresh?: string | undefined
  /** The line with the number of categories, the wait of a request and the buttons that change the selection. */
  readonly summary?: string | undefined
  /** The `ul`. */
  readonly rows?: string | undefined
  /** A row of the list. */
  readonly row?: string | undefined
  /** The name of a category. */
  readonly name?: string | undefined
  /** The description of a category. */
  readonly description?: string | undefined
  /** The box around the buttons of a row. */
  readonly actions?: string | undefined
  /** The button that shows more rows. */
  readonly more?: string | undefined
  /** The text that there are no categories, or none that match the filter. */
  readonly empty?: string | undefined
  /** The placeholder before the first response. */
  readonly skeleton?: string | undefined
}

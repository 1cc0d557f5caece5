import type { RefObject } from 'react'
import type { CallWait } from '../../hooks/CallWait.ts'
import type { PendingCategory } from '../../hooks/usePendingCategories.ts'
import type { UseCategoriesResult } from '../../hooks/useCategories.ts'
import type { CategoryListLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import type { SharedError } from '../ErrorNotice/SharedNotice.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

/** The refreshes that a person asks for. */
export interface Refresh {
  /** Whether one is under way. */
  readonly isRefreshing: boolean
  /** When a person last refreshed, in epoch ms; 0 if never. */
  readonly refreshedAt: number
  readonly refresh: () => void
}

/** The values that the parts of the list share. */
export interface ListView extends VisibleRows, ListStatus, Refresh {
  readonly categories: UseCategoriesResult
  /** The failure of the latest request. */
  readonly failure: SharedError | undefined
  readonly labels: CategoryListLabels
  readonly format: Formats
  readonly slots: CategoryListClassNames
  /** The root element. It gets the focus when the focused part disappears. */
  readonly sectionRef: RefObject<HTMLElement | null>
  /** Prefix of the ids of elements. */
  readonly id: string
}

/** What the list shows. */
interface ListStatus {
  readonly isLoading: boolean
  readonly hasRows: boolean
  /** Why there are no rows, where the list says so. */
  readonly emptyReason: 'empty' | 'noMatch' | undefined
  /** The wait that is shown. */
  readonly wait: CallWait | undefined
}

/** Decides what the list shows. */
export function listStatus(
  { data, error, isValidating, wait }: Pick<UseCategoriesResult, 'data' | 'error' | 'isValidating' | 'wait'>,
  { all, rows, count }: Pick<VisibleRows, 'all' | 'rows' | 'count'>,
  { isRefreshing, pending }: { readonly isRefreshing: boolean; readonly pending: readonly PendingCategory[] },
): ListStatus {
  const hasRows = rows.length > 0 || pending.length > 0
  const isFilteredOut = all.length > 0 && count === 0
  // A failure does not tell whether there are categories.
  const isEmpty = data && !error && !hasRows
  return {
    isLoading: !data && !error && isValidating,
    hasRows,
    emptyReason: isFilteredOut ? 'noMatch' : isEmpty ? 'empty' : undefined,
    // A wait in the background is not shown.
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
  /** The line with the number of categories. */
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
  /** Replaces the rows when there are none, or none that match the filter. */
  readonly empty?: string | undefined
  /** The placeholder before the first response. */
  readonly skeleton?: string | undefined
}

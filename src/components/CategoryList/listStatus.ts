import type { CallWait } from '../../hooks/CallWait.ts'
import type { PendingCategory } from '../../hooks/usePendingCategories.ts'
import type { UseCategoriesResult } from '../../hooks/useCategories.ts'
import type { VisibleRows } from './useVisibleRows.ts'

interface ListFacts {
  readonly filterable: boolean
  readonly refreshable: boolean
  /** Whether a person asked for the request that is under way. */
  readonly isRefreshing: boolean
  readonly pending: readonly PendingCategory[]
}

/** The parts of the list that are shown. */
export interface ListStatus {
  readonly isLoading: boolean
  readonly hasFilter: boolean
  readonly hasRefresh: boolean
  readonly hasRows: boolean
  /** Why there are no rows; `undefined` if there are some, or if nobody knows yet. */
  readonly emptyReason: 'empty' | 'noMatch' | undefined
  /** A wait that a person notices. */
  readonly wait: CallWait | undefined
}

type QueryState = Pick<UseCategoriesResult, 'data' | 'error' | 'isValidating' | keyof CallWait>

/** Decides which parts of the list are shown. */
export function listStatus(
  { data, error, isValidating, retryAt, waitReason, isRetryAtEarliest }: QueryState,
  { all, rows, count, filter }: Pick<VisibleRows, 'all' | 'rows' | 'count' | 'filter'>,
  { filterable, refreshable, isRefreshing, pending }: ListFacts,
): ListStatus {
  const hasRows = rows.length > 0 || pending.length > 0
  const wait = retryAt !== undefined && waitReason && { retryAt, waitReason, isRetryAtEarliest }
  return {
    isLoading: !data && !error && isValidating,
    // A filter without matches must stay, so that it can be cleared.
    hasFilter: filterable && (data ? all.length > 0 || filter !== '' : !error),
    // Also without data if nothing loads, as after the app has closed its client.
    hasRefresh: refreshable && (data !== undefined || (!error && !isValidating)),
    hasRows,
    emptyReason: all.length > 0 && count === 0 ? 'noMatch' : data && !all.length && !hasRows ? 'empty' : undefined,
    // A wait in the background concerns nobody.
    wait: (!data || isRefreshing) && wait ? wait : undefined,
  }
}
